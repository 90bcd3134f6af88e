//! Scoring with different tokens and sentences: words are aligned by characters, as in the CoNLL 2018 shared task.
//!
//! Both texts must be equal up to white space (Unicode category Zs). Each token covers a span of the remaining
//! characters, and a word covers the span of its token. Then
//!
//! - tokens and sentences match if their spans are equal;
//! - words outside multiword tokens correspond if their spans are equal;
//! - where either side has a multiword token, the overlapping tokens around it are treated as one stretch, and its
//!   words correspond along a longest common subsequence of lower-cased forms.
//!
//! All figures of [`attachment`](crate::attachment) then compare corresponding words. Words without a counterpart are
//! wrong. A predicted word is counted with the gold sentence in which it starts.

use corpus::format::conllu::{Sentence, TokenId};

use crate::attachment::{
    AttachmentConfig, AttachmentCounts, AttachmentScores, Side, Word, check_gold, compare, words,
};
use crate::counts::Counts;
use crate::error::EvalError;

/// Maximum number of cells in the table of common subsequences. Real stretches of multiword tokens have only a few
/// words.
const LARGEST_TABLE: usize = 1 << 25;

/// Scores of tokens, sentences and words. `attachment.total().words` counts the words that correspond.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct AlignedScores {
    /// Surface tokens.
    pub tokens: Counts,
    /// Sentences.
    pub sentences: Counts,
    /// All scores of words, by gold sentence.
    pub attachment: AttachmentScores,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Span {
    start: usize,
    end: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Origin {
    /// The word is a token.
    Token,
    /// The word is part of a multiword token.
    Multiword,
}

struct Document<'s> {
    /// The text without white space.
    text: Vec<char>,
    tokens: Vec<Span>,
    sentences: Vec<Span>,
    words: Vec<Word<'s>>,
    /// Per word: the span of its token, and whether the word is the whole token.
    spans: Vec<(Span, Origin)>,
    /// Per word: the index of its sentence.
    sentence_of: Vec<usize>,
}

impl<'s> Document<'s> {
    fn new(sentences: &'s [Sentence], config: &AttachmentConfig) -> Self {
        let mut document = Document {
            text: Vec::new(),
            tokens: Vec::new(),
            sentences: Vec::new(),
            words: Vec::new(),
            spans: Vec::new(),
            sentence_of: Vec::new(),
        };
        for (index, sentence) in sentences.iter().enumerate() {
            let start = document.text.len();
            document.words.extend(words(sentence, document.words.len(), config));
            // The last word of the open multiword token, and its span.
            let mut range: Option<(u32, Span)> = None;
            for token in sentence.tokens() {
                match token.id() {
                    TokenId::Empty { .. } => {}
                    TokenId::Range { last, .. } => range = Some((last, document.token(token.form()))),
                    TokenId::Word(number) => {
                        let place = match range {
                            Some((last, span)) if number <= last => (span, Origin::Multiword),
                            _ => (document.token(token.form()), Origin::Token),
                        };
                        document.spans.push(place);
                        document.sentence_of.push(index);
                    }
                }
            }
            document.sentences.push(Span { start, end: document.text.len() });
        }
        document
    }

    fn token(&mut self, form: &str) -> Span {
        let start = self.text.len();
        self.text.extend(form.chars().filter(|&character| !is_space(character)));
        let span = Span { start, end: self.text.len() };
        self.tokens.push(span);
        span
    }

    /// Whether word `index` starts after the stretch that ends at character `end`.
    fn is_beyond(&self, index: usize, end: usize) -> bool {
        self.spans.get(index).is_none_or(|&(span, origin)| match origin {
            Origin::Multiword => span.start >= end,
            Origin::Token => span.end > end,
        })
    }

    fn is_multiword(&self, index: usize) -> bool {
        self.spans[index].1 == Origin::Multiword
    }

    /// Lower-cased forms. White space inside the words of multiword tokens is part of the form, as in the script of the
    /// shared task.
    fn lowercase_forms(&self, from: usize, to: usize) -> Vec<String> {
        let lowercase = |index: usize| {
            let is_part = |character: &char| self.is_multiword(index) || !is_space(*character);
            self.words[index].form.chars().filter(is_part).collect::<String>().to_lowercase()
        };
        (from..to).map(lowercase).collect()
    }
}

/// Unicode category Zs.
fn is_space(character: char) -> bool {
    matches!(
        character,
        ' ' | '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}'
    )
}

/// Scores a prediction whose tokens and sentences may differ from the gold ones.
///
/// ```
/// use corpus::format::conllu::ConlluReader;
/// use eigentree_eval::alignment::score_aligned;
/// let line = |id: u32, form: &str, head: u32| format!("{id}\t{form}\t_\tX\t_\t_\t{head}\tdep\t_\t_\n");
/// let gold = line(1, "can", 0) + &line(2, "not", 1) + "\n";
/// let predicted = line(1, "cannot", 0) + "\n";
/// let read = |text: &str| ConlluReader::new(text.as_bytes(), "text").collect::<Result<Vec<_>, _>>();
/// let scores = score_aligned(&read(&gold)?, &read(&predicted)?, &Default::default())?;
/// assert_eq!((scores.tokens.gold, scores.tokens.predicted, scores.tokens.matched), (2, 1, 0));
/// assert_eq!(scores.sentences.f1(), 1.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn score_aligned(
    gold: &[Sentence],
    predicted: &[Sentence],
    config: &AttachmentConfig,
) -> Result<AlignedScores, EvalError> {
    let (gold, predicted) = (Document::new(gold, config), Document::new(predicted, config));
    check_text(&gold.text, &predicted.text)?;
    let mut first = 0;
    for sentence in gold.sentence_of.chunk_by(|one, other| one == other) {
        check_gold(&gold.words[first..first + sentence.len()], sentence[0] + 1)?;
        first += sentence.len();
    }
    if gold.sentences.is_empty() && !predicted.sentences.is_empty() {
        return Err(EvalError::SentenceCount { gold: 0, predicted: predicted.sentences.len() });
    }
    let pairs = align(&gold, &predicted)?;
    let last = gold.sentences.len().saturating_sub(1);
    let gold_sentence =
        |&(span, _): &(Span, Origin)| gold.sentences.partition_point(|s| s.end <= span.start).min(last);
    let mut predicted_sentences: Vec<usize> = predicted.spans.iter().map(gold_sentence).collect();
    for &(one, other) in &pairs {
        predicted_sentences[other] = gold.sentence_of[one];
    }
    let mut records = vec![AttachmentCounts::default(); gold.sentences.len()];
    compare(
        &Side { words: &gold.words, sentences: &gold.sentence_of },
        &Side { words: &predicted.words, sentences: &predicted_sentences },
        &pairs,
        &mut records,
    );
    Ok(AlignedScores {
        tokens: matching_spans(&gold.tokens, &predicted.tokens),
        sentences: matching_spans(&gold.sentences, &predicted.sentences),
        attachment: AttachmentScores { sentences: records },
    })
}

fn check_text(gold: &[char], predicted: &[char]) -> Result<(), EvalError> {
    if gold == predicted {
        return Ok(());
    }
    let at = gold.iter().zip(predicted).take_while(|(one, other)| one == other).count();
    let excerpt = |text: &[char]| text[at..].iter().take(20).collect::<String>();
    Err(EvalError::Text { character: at + 1, gold: excerpt(gold), predicted: excerpt(predicted) })
}

fn matching_spans(gold: &[Span], predicted: &[Span]) -> Counts {
    let mut counts = Counts { matched: 0, gold: gold.len() as u64, predicted: predicted.len() as u64 };
    let (mut one, mut other) = (0, 0);
    while let (Some(left), Some(right)) = (gold.get(one), predicted.get(other)) {
        match left.start.cmp(&right.start) {
            std::cmp::Ordering::Less => one += 1,
            std::cmp::Ordering::Greater => other += 1,
            std::cmp::Ordering::Equal => {
                counts.matched += u64::from(left.end == right.end);
                one += 1;
                other += 1;
            }
        }
    }
    counts
}

/// Pairs of corresponding words, in order.
fn align(gold: &Document<'_>, predicted: &Document<'_>) -> Result<Vec<(usize, usize)>, EvalError> {
    let mut pairs = Vec::new();
    let (mut one, mut other) = (0, 0);
    while one < gold.words.len() && other < predicted.words.len() {
        if gold.is_multiword(one) || predicted.is_multiword(other) {
            let stretch = stretch(gold, predicted, one, other);
            along_subsequence(gold, predicted, &stretch, &mut pairs)?;
            // A multiword token without characters has no stretch, and its words have no counterparts.
            let is_empty = (one, other) == (stretch.gold.end, stretch.predicted.end);
            let skip = |is_multiword: bool| usize::from(is_empty && is_multiword);
            (one, other) = (
                stretch.gold.end + skip(gold.is_multiword(one)),
                stretch.predicted.end + skip(predicted.is_multiword(other)),
            );
            continue;
        }
        let (left, right) = (gold.spans[one].0, predicted.spans[other].0);
        if left == right {
            pairs.push((one, other));
            one += 1;
            other += 1;
        } else if left.start <= right.start {
            one += 1;
        } else {
            other += 1;
        }
    }
    Ok(pairs)
}

/// The words `start..end` of each side around multiword tokens.
struct Stretch {
    gold: Span,
    predicted: Span,
}

/// The stretch that starts at the current multiword token on either side and grows until no token crosses its end.
fn stretch(gold: &Document<'_>, predicted: &Document<'_>, mut one: usize, mut other: usize) -> Stretch {
    let (left, right) = (gold.spans[one].0, predicted.spans[other].0);
    let mut end;
    if gold.is_multiword(one) {
        end = left.end;
        // A token that starts earlier has no counterpart.
        other += usize::from(!predicted.is_multiword(other) && right.start < left.start);
    } else {
        end = right.end;
        one += usize::from(left.start < right.start);
    }
    let (gold_start, predicted_start) = (one, other);
    while !gold.is_beyond(one, end) || !predicted.is_beyond(other, end) {
        let gold_is_next = match (gold.spans.get(one), predicted.spans.get(other)) {
            (Some((left, _)), Some((right, _))) => left.start <= right.start,
            (left, _) => left.is_some(),
        };
        let (document, index) = if gold_is_next { (gold, &mut one) } else { (predicted, &mut other) };
        if document.is_multiword(*index) {
            end = end.max(document.spans[*index].0.end);
        }
        *index += 1;
    }
    Stretch {
        gold: Span { start: gold_start, end: one },
        predicted: Span { start: predicted_start, end: other },
    }
}

fn along_subsequence(
    gold: &Document<'_>,
    predicted: &Document<'_>,
    stretch: &Stretch,
    pairs: &mut Vec<(usize, usize)>,
) -> Result<(), EvalError> {
    let left = gold.lowercase_forms(stretch.gold.start, stretch.gold.end);
    let right = predicted.lowercase_forms(stretch.predicted.start, stretch.predicted.end);
    let width = right.len() + 1;
    if (left.len() + 1).saturating_mul(width) > LARGEST_TABLE {
        return Err(EvalError::Setting {
            setting: format!("a stretch of multiword tokens of {} by {} words", left.len(), right.len()),
            reason: "too long to align; check the ranges of the token ids".to_owned(),
        });
    }
    // `longest[i * width + j]` is the length of the longest common subsequence of `left[i..]` and `right[j..]`.
    let mut longest = vec![0u32; (left.len() + 1) * width];
    for i in (0..left.len()).rev() {
        for j in (0..right.len()).rev() {
            let skip = longest[(i + 1) * width + j].max(longest[i * width + j + 1]);
            let take = if left[i] == right[j] { 1 + longest[(i + 1) * width + j + 1] } else { 0 };
            longest[i * width + j] = skip.max(take);
        }
    }
    let (mut i, mut j) = (0, 0);
    while i < left.len() && j < right.len() {
        if left[i] == right[j] {
            pairs.push((stretch.gold.start + i, stretch.predicted.start + j));
            i += 1;
            j += 1;
        } else if longest[i * width + j] == longest[(i + 1) * width + j] {
            i += 1;
        } else {
            j += 1;
        }
    }
    Ok(())
}

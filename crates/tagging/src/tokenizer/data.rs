//! Training data of tokenizers: text, and the ends of its tokens and sentences.

use std::ops::Range;

use corpus::format::conllu::{Sentence, TokenId};

use super::contexts::Sequence;
use super::multiword::SeenTokens;

/// A stretch of text with its tokens.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Passage {
    /// The text.
    pub text: String,
    /// The tokens, each with whether it ends a sentence.
    pub tokens: Vec<(Range<usize>, bool)>,
}

/// Training passages, and the words that tokens were split into.
#[derive(Clone, Debug, Default)]
pub struct TokenizerData {
    pub(super) passages: Vec<Passage>,
    pub(super) seen: SeenTokens,
    pub(super) sequences: Vec<Sequence>,
    /// Number of sentences whose forms do not match their text.
    left_out: usize,
}

impl TokenizerData {
    /// The running text of a treebank. Passages begin at `# newdoc` and `# newpar`. Sentences are joined by a space, or
    /// by nothing after `SpaceAfter=No`. A sentence without `# text` gets the text that its forms spell.
    pub fn from_sentences<'s>(sentences: impl IntoIterator<Item = &'s Sentence>) -> Self {
        let mut data = Self::default();
        let mut passage = Passage::default();
        for sentence in sentences {
            let begins = |comment: &str| {
                let comment = comment.trim_start_matches('#').trim_start();
                comment.starts_with("newdoc") || comment.starts_with("newpar")
            };
            if sentence.comments().any(begins) {
                data.push(std::mem::take(&mut passage));
            }
            let tokens = surface(sentence);
            for token in &tokens {
                data.seen.add(token.form, &token.words);
            }
            data.sequences
                .push(tokens.iter().map(|token| (token.form.to_owned(), token.words.len())).collect());
            let text = sentence.text_comment().map_or_else(|| joined(&tokens), str::to_owned);
            match align(&text, &tokens) {
                Some(ranges) => {
                    let base = passage.text.len();
                    let last = ranges.len();
                    passage.text.push_str(&text);
                    for (at, range) in ranges.into_iter().enumerate() {
                        passage.tokens.push((range.start + base..range.end + base, at + 1 == last));
                    }
                    if tokens.last().is_none_or(|token| token.space_after) {
                        passage.text.push(' ');
                    }
                }
                None => data.left_out += 1,
            }
        }
        data.push(passage);
        data
    }

    fn push(&mut self, passage: Passage) {
        if !passage.tokens.is_empty() {
            self.passages.push(passage);
        }
    }

    /// The number of sentences left out because their forms do not match their text.
    pub fn left_out(&self) -> usize {
        self.left_out
    }

    /// The passages.
    pub fn passages(&self) -> &[Passage] {
        &self.passages
    }
}

/// A token as it appears in the text.
struct Surface<'s> {
    form: &'s str,
    space_after: bool,
    /// The words that it is split into; empty if it is one word.
    words: Vec<&'s str>,
}

fn surface(sentence: &Sentence) -> Vec<Surface<'_>> {
    let mut tokens: Vec<Surface<'_>> = Vec::new();
    let mut covered = 0;
    for token in sentence.tokens() {
        match token.id() {
            TokenId::Range { last, .. } => {
                covered = last;
                tokens.push(Surface {
                    form: token.form(),
                    space_after: token.space_after(),
                    words: Vec::new(),
                });
            }
            TokenId::Word(number) if number <= covered => {
                if let Some(open) = tokens.last_mut() {
                    open.words.push(token.form());
                }
            }
            TokenId::Word(_) => {
                tokens.push(Surface {
                    form: token.form(),
                    space_after: token.space_after(),
                    words: Vec::new(),
                });
            }
            TokenId::Empty { .. } => {}
        }
    }
    tokens
}

fn joined(tokens: &[Surface<'_>]) -> String {
    let mut text = String::new();
    for (at, token) in tokens.iter().enumerate() {
        text.push_str(token.form);
        if token.space_after && at + 1 < tokens.len() {
            text.push(' ');
        }
    }
    text
}

/// The positions of the tokens in the text, if only white space lies between them.
fn align(text: &str, tokens: &[Surface<'_>]) -> Option<Vec<Range<usize>>> {
    let mut at = 0;
    let mut ranges = Vec::with_capacity(tokens.len());
    for token in tokens {
        at += text[at..].len() - text[at..].trim_start().len();
        if !text[at..].starts_with(token.form) || token.form.trim() != token.form {
            return None;
        }
        ranges.push(at..at + token.form.len());
        at += token.form.len();
    }
    text[at..].trim().is_empty().then_some(ranges)
}

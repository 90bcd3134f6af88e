//! Runs the stages on a text.

use std::fmt::Write;

use corpus::format::bio::{Scheme, lenient_entities};
use corpus::format::conllu::{Column, Columns, Sentence, SentenceError, TokenId};
use corpus::format::raw_text::{Opening, Piece};
use dependency::mst;
use models::confidence::Confidences;
use tagging::tagger::{self, Tagger};
use tagging::tokenizer::{self, Neighbours, TextToken};

use super::heads::annotate_heads;
use super::model::{Pipeline, Stage};

/// Scratch memory for one text, reusable.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    tokens: tokenizer::Scratch,
    tagger: tagger::Scratch,
    entities: tagger::Scratch,
    parser: mst::Scratch,
}

impl Pipeline {
    /// The annotated sentences of a piece of text. `begin` is called at the start of each stage.
    pub fn annotate(
        &self,
        piece: &Piece,
        scratch: &mut Scratch,
        mut begin: impl FnMut(Stage),
    ) -> Result<Vec<Sentence>, SentenceError> {
        begin(Stage::Tokenise);
        let mut sentences = self.tokenize(piece, scratch)?;
        self.annotate_sentences(&mut sentences, scratch, begin)?;
        Ok(sentences)
    }

    /// The sentences of a piece of text, with words and nothing else. Offsets count characters of the whole input: `start_char`
    /// and `end_char` in MISC of tokens.
    pub fn tokenize(&self, piece: &Piece, scratch: &mut Scratch) -> Result<Vec<Sentence>, SentenceError> {
        let text = piece.text.as_str();
        let split = self.tokenizer.split(text, &mut scratch.tokens);
        let mut offsets = Offsets { text, byte: 0, char: piece.first_char };
        let mut sentences = Vec::with_capacity(split.len());
        for (number, tokens) in split.iter().enumerate() {
            let mut sentence = Sentence::new();
            if number == 0 && piece.opening == Opening::Paragraph {
                sentence.push_comment("# newpar")?;
            }
            let bounds =
                tokens.first().zip(tokens.last()).map_or(0..0, |(first, last)| first.start..last.end);
            sentence.push_comment(&format!("# text = {}", one_line(&text[bounds])))?;
            for at in 0..tokens.len() {
                self.push_token(text, tokens, at, &mut offsets, &mut sentence)?;
            }
            sentences.push(sentence);
        }
        Ok(sentences)
    }

    /// Runs the stages after the tokenizer. `begin` is called at the start of each stage. Each stage processes all
    /// sentences before the next one starts, so that its weights stay in the processor's cache.
    pub fn annotate_sentences(
        &self,
        sentences: &mut [Sentence],
        scratch: &mut Scratch,
        mut begin: impl FnMut(Stage),
    ) -> Result<(), SentenceError> {
        self.annotate_words(sentences, scratch, &mut begin)?;
        if let Some(parser) = &self.parser {
            begin(Stage::Parse);
            sentences
                .iter_mut()
                .try_for_each(|sentence| annotate_heads(parser, sentence, &mut scratch.parser))?;
        }
        Ok(())
    }

    /// Runs the stages between the tokeniser and the parser: tags and entities.
    pub fn annotate_words(
        &self,
        sentences: &mut [Sentence],
        scratch: &mut Scratch,
        begin: impl FnMut(Stage),
    ) -> Result<(), SentenceError> {
        self.annotate_words_with(sentences, Confidences::Skip, scratch, begin)
    }

    /// The same; MISC tells how sure each stage is, if asked.
    pub fn annotate_words_with(
        &self,
        sentences: &mut [Sentence],
        confidences: Confidences,
        scratch: &mut Scratch,
        mut begin: impl FnMut(Stage),
    ) -> Result<(), SentenceError> {
        let Scratch { tagger: of_tagger, entities: of_entities, .. } = scratch;
        if let Some(tagger) = &self.tagger {
            begin(Stage::Tag);
            sentences
                .iter_mut()
                .try_for_each(|sentence| annotate_columns_with(tagger, sentence, confidences, of_tagger))?;
        }
        if let Some(entities) = &self.entities {
            begin(Stage::Entities);
            sentences
                .iter_mut()
                .try_for_each(|sentence| annotate_entities(entities, sentence, confidences, of_entities))?;
        }
        Ok(())
    }

    fn push_token(
        &self,
        text: &str,
        tokens: &[TextToken],
        at: usize,
        offsets: &mut Offsets<'_>,
        sentence: &mut Sentence,
    ) -> Result<(), SentenceError> {
        let token = tokens[at];
        // No token contains the end of a line; other control characters are not allowed in columns.
        let form = one_line(&text[token.start..token.end]);
        let mut misc = String::new();
        let follows = text[token.end..].chars().next();
        if follows.is_some_and(|c| !c.is_whitespace()) {
            misc.push_str("SpaceAfter=No|");
        }
        // Writing to a string does not fail.
        let _ = write!(misc, "start_char={}|end_char={}", offsets.at(token.start), offsets.at(token.end));
        let surface = |at: usize| tokens.get(at).map(|token| &text[token.start..token.end]);
        let words = self.tokenizer.multiword().words_among(&form, Neighbours::at(at, surface));
        match words {
            None => sentence.push_word(Columns { form: &form, misc: &misc, ..Columns::default() }),
            Some(words) => {
                let first = sentence.len() as u32 + 1;
                let last = first + words.len() as u32 - 1;
                let columns = Columns { form: &form, misc: &misc, ..Columns::default() };
                sentence.push_token(TokenId::Range { first, last }, columns)?;
                words
                    .iter()
                    .try_for_each(|word| sentence.push_word(Columns { form: word, ..Columns::default() }))
            }
        }
    }
}

/// Converts byte positions to character counts, for increasing positions.
struct Offsets<'t> {
    text: &'t str,
    byte: usize,
    char: u64,
}

impl Offsets<'_> {
    fn at(&mut self, byte: usize) -> u64 {
        self.char += self.text[self.byte..byte].chars().count() as u64;
        self.byte = byte;
        self.char
    }
}

/// The text with each run of white space, including TABs and ends of lines, as one space.
fn one_line(text: &str) -> String {
    let plain = !text.contains(|c: char| c.is_whitespace() && c != ' ') && !text.contains("  ");
    if plain { text.to_owned() } else { text.split_whitespace().collect::<Vec<_>>().join(" ") }
}

/// The CoNLL-U column for a column of a tagger, if it can be written.
pub fn column_of(name: &str) -> Option<Column> {
    let writable =
        |column: &Column| !matches!(column, Column::Id | Column::Form | Column::Head | Column::Deps);
    Column::ALL.into_iter().filter(writable).find(|column| column.name().eq_ignore_ascii_case(name))
}

/// Writes the labels and lemmas of a tagger into the columns of a sentence.
pub fn annotate_columns(
    tagger: &Tagger,
    sentence: &mut Sentence,
    scratch: &mut tagger::Scratch,
) -> Result<(), SentenceError> {
    annotate_columns_with(tagger, sentence, Confidences::Skip, scratch)
}

/// The same; MISC tells the probability of each label as `upos_confidence=0.9812` if asked, and otherwise no probability.
pub fn annotate_columns_with(
    tagger: &Tagger,
    sentence: &mut Sentence,
    confidences: Confidences,
    scratch: &mut tagger::Scratch,
) -> Result<(), SentenceError> {
    let words: Vec<&str> = sentence.words().map(|word| word.form()).collect();
    let (tagging, confidences) = match confidences {
        Confidences::Skip => (tagger.tag(&words, scratch), Vec::new()),
        Confidences::Compute => tagger.tag_with_confidence(&words, scratch),
    };
    let mut lemmas: Vec<String> = Vec::new();
    tagger.lemmatize(&words, &tagging, scratch, |_, lemma| lemmas.push(lemma.to_owned()));
    let words = words.len();
    for (number, column) in tagger.columns().iter().enumerate() {
        let Some(target) = column_of(column.name()) else { continue };
        for (index, label) in tagging.labels(number).enumerate() {
            sentence.set_column(index, target, label)?;
        }
        let key = format!("{}_confidence", column.name());
        match confidences.get(number) {
            // Those of other labels would contradict these.
            None => (0..words).try_for_each(|index| sentence.remove_misc_value(index, &key))?,
            Some(confidences) => {
                for (index, confidence) in confidences.iter().enumerate() {
                    sentence.set_misc_value(index, &key, &four(*confidence))?;
                }
            }
        }
    }
    lemmas.iter().enumerate().try_for_each(|(index, lemma)| sentence.set_column(index, Column::Lemma, lemma))
}

/// The sentence with each of the best sequences of labels of the first column and their log-probabilities, best first.
pub fn best_columns(
    tagger: &Tagger,
    sentence: &Sentence,
    most: usize,
    scratch: &mut tagger::Scratch,
) -> Result<Vec<(Sentence, f64)>, SentenceError> {
    let words: Vec<&str> = sentence.words().map(|word| word.form()).collect();
    let target = tagger.columns().first().and_then(|column| column_of(column.name()));
    let labelled = |(labels, log_probability): (Vec<&str>, f64)| {
        let mut copy = sentence.clone();
        if let Some(target) = target {
            labels.iter().enumerate().try_for_each(|(index, label)| copy.set_column(index, target, label))?;
        }
        Ok((copy, log_probability))
    };
    tagger.tag_best(&words, 0, most, scratch).into_iter().map(labelled).collect()
}

/// The key of an entity in MISC.
pub const ENTITY_KEY: &str = "NER";
/// The key of the confidence in an entity, in MISC of its first word.
pub const ENTITY_CONFIDENCE_KEY: &str = "NER_confidence";

/// Writes the entities of a sentence into MISC of their words, as `NER=B-PER`, in place of those that it has; if asked, MISC of the first word tells how
/// probable the entity is.
pub fn annotate_entities(
    tagger: &Tagger,
    sentence: &mut Sentence,
    confidences: Confidences,
    scratch: &mut tagger::Scratch,
) -> Result<(), SentenceError> {
    let words: Vec<&str> = sentence.words().map(|word| word.form()).collect();
    let (tagging, confidences) = match confidences {
        Confidences::Skip => (tagger.tag(&words, scratch), Vec::new()),
        Confidences::Compute => tagger.tag_with_confidence(&words, scratch),
    };
    let entities = lenient_entities(tagging.labels(0));
    let tags = Scheme::Iob2.tags(&entities, words.len()).unwrap_or_default();
    for (index, tag) in tags.iter().enumerate() {
        sentence.remove_misc_value(index, ENTITY_CONFIDENCE_KEY)?;
        match tag.as_str() {
            "O" => sentence.remove_misc_value(index, ENTITY_KEY)?,
            tag => sentence.set_misc_value(index, ENTITY_KEY, tag)?,
        }
    }
    let Some(of_words) = confidences.first() else { return Ok(()) };
    for entity in &entities {
        // All labels of an entity are right at once: at most as probable as the least probable of them.
        let least = of_words[entity.start..entity.end].iter().copied().fold(1.0, f32::min);
        sentence.set_misc_value(entity.start, ENTITY_CONFIDENCE_KEY, &four(least))?;
    }
    Ok(())
}

/// Four decimals; more would be noise.
fn four(confidence: f32) -> String {
    format!("{confidence:.4}")
}

/// The entities of some words as tags of the IOB2 scheme.
pub fn entity_tags<S: AsRef<str>>(
    tagger: &Tagger,
    words: &[S],
    scratch: &mut tagger::Scratch,
) -> Vec<String> {
    let tagging = tagger.tag(words, scratch);
    let entities = lenient_entities(tagging.labels(0));
    Scheme::Iob2.tags(&entities, words.len()).unwrap_or_else(|_| vec!["O".to_owned(); words.len()])
}

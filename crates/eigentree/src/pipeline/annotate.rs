//! Runs the stages on a text.

use std::fmt::Write;

use corpus::format::bio::{Scheme, lenient_entities};
use corpus::format::conllu::{Column, Columns, Sentence, SentenceError, TokenId};
use corpus::format::raw_text::{Opening, Piece};
use dependency::mst;
use tagging::tagger::{self, Tagger, Tagging};
use tagging::tokenizer::{self, TextToken};

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
            for token in tokens {
                self.push_token(text, *token, &mut offsets, &mut sentence)?;
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
        mut begin: impl FnMut(Stage),
    ) -> Result<(), SentenceError> {
        let Scratch { tagger: of_tagger, entities: of_entities, .. } = scratch;
        if let Some(tagger) = &self.tagger {
            begin(Stage::Tag);
            sentences.iter_mut().try_for_each(|sentence| annotate_columns(tagger, sentence, of_tagger))?;
        }
        if let Some(entities) = &self.entities {
            begin(Stage::Entities);
            sentences
                .iter_mut()
                .try_for_each(|sentence| annotate_entities(entities, sentence, of_entities))?;
        }
        Ok(())
    }

    fn push_token(
        &self,
        text: &str,
        token: TextToken,
        offsets: &mut Offsets<'_>,
        sentence: &mut Sentence,
    ) -> Result<(), SentenceError> {
        // No token contains the end of a line; other control characters are not allowed in columns.
        let form = one_line(&text[token.start..token.end]);
        let mut misc = String::new();
        let follows = text[token.end..].chars().next();
        if follows.is_some_and(|c| !c.is_whitespace()) {
            misc.push_str("SpaceAfter=No|");
        }
        // Writing to a string does not fail.
        let _ = write!(misc, "start_char={}|end_char={}", offsets.at(token.start), offsets.at(token.end));
        let words = self.tokenizer.multiword().words(&form);
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
    let plain = !text.contains(|c: char| c.is_whitespace() && c != ' ');
    if plain { text.to_owned() } else { text.split_whitespace().collect::<Vec<_>>().join(" ") }
}

/// The CoNLL-U column for a column of a tagger, if it can be written.
pub fn column_of(name: &str) -> Option<Column> {
    let writable =
        |column: &Column| !matches!(column, Column::Id | Column::Form | Column::Head | Column::Deps);
    Column::ALL.into_iter().filter(writable).find(|column| column.name().eq_ignore_ascii_case(name))
}

/// Writes the labels of a tagger into the columns of a sentence.
pub fn annotate_columns(
    tagger: &Tagger,
    sentence: &mut Sentence,
    scratch: &mut tagger::Scratch,
) -> Result<(), SentenceError> {
    let words: Vec<&str> = sentence.words().map(|word| word.form()).collect();
    let tagging = tagger.tag(&words, scratch);
    write_columns(tagger, &tagging, sentence)
}

fn write_columns(
    tagger: &Tagger,
    tagging: &Tagging<'_>,
    sentence: &mut Sentence,
) -> Result<(), SentenceError> {
    for (number, column) in tagger.columns().iter().enumerate() {
        let Some(target) = column_of(column.name()) else { continue };
        for (index, label) in tagging.labels(number).enumerate() {
            sentence.set_column(index, target, label)?;
        }
    }
    Ok(())
}

/// Writes the entities of a sentence into MISC of their words, as `NER=B-PER`.
pub fn annotate_entities(
    tagger: &Tagger,
    sentence: &mut Sentence,
    scratch: &mut tagger::Scratch,
) -> Result<(), SentenceError> {
    let words: Vec<&str> = sentence.words().map(|word| word.form()).collect();
    let tags = entity_tags(tagger, &words, scratch);
    for (index, tag) in tags.iter().enumerate().filter(|(_, tag)| *tag != "O") {
        sentence.add_misc(index, &format!("NER={tag}"))?;
    }
    Ok(())
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

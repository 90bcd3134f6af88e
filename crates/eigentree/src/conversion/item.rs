//! A sentence in any format.

use corpus::error::ReadError;
use corpus::format::bio::{BioReader, BioSentence};
use corpus::format::conllu::{ConlluReader, Sentence};
use corpus::format::conllx::ConllxReader;
use corpus::format::penn::PennReader;
use corpus::format::plain_text::{BlankLines, PlainSentence, PlainTextReader, TokenStyle};
use corpus::tree::Tree;

use super::json_items::JsonItems;
use crate::reading::{Format, Source};

/// A sentence in the representation of its format.
#[derive(Clone, Debug)]
pub enum Item {
    /// From Penn brackets.
    Tree(Tree),
    /// From CoNLL-U, CoNLL-X and JSON.
    Dependencies(Sentence),
    /// From two-column files.
    Entities(BioSentence),
    /// From plain text.
    Plain(PlainSentence),
}

impl Item {
    /// The number of words.
    pub fn word_count(&self) -> usize {
        match self {
            Item::Tree(tree) => tree.word_count(),
            Item::Dependencies(sentence) => sentence.len(),
            Item::Entities(sentence) => sentence.len(),
            Item::Plain(sentence) => sentence.len(),
        }
    }
}

/// The sentences of a corpus, one by one. `blank_lines` decides whether blank lines of plain text are sentences without
/// words or ignored.
pub fn items(
    source: Source,
    blank_lines: BlankLines,
) -> Box<dyn Iterator<Item = Result<Item, ReadError>> + Send> {
    let name = source.name().to_owned();
    let plain = |source, name, style| {
        let reader = PlainTextReader::new(source, name, style).blank_lines(blank_lines);
        Box::new(reader.map(|item| item.map(Item::Plain)))
    };
    match source.format() {
        Format::Ptb => Box::new(PennReader::new(source, name).map(|item| item.map(Item::Tree))),
        Format::Conllu => Box::new(ConlluReader::new(source, name).map(|item| item.map(Item::Dependencies))),
        Format::Conllx => Box::new(ConllxReader::new(source, name).map(|item| item.map(Item::Dependencies))),
        Format::Bio => Box::new(BioReader::new(source, name).map(|item| item.map(Item::Entities))),
        Format::Json => Box::new(JsonItems::new(source, name)),
        Format::Words | Format::Text => plain(source, name, TokenStyle::Words),
        Format::Tags => plain(source, name, TokenStyle::Verbatim),
        Format::Tagged => plain(source, name, TokenStyle::Tagged),
        Format::Slashed => plain(source, name, TokenStyle::Slashed),
    }
}

//! Word lookup for members.

use corpus::ids::Id;
use corpus::rare_words::SentencePosition;

use crate::lexicon::{Lexicon, Observation};

/// The word of an observation; empty for a tag alone.
pub(super) fn text<'s>(observed: &Observation<'s>) -> &'s str {
    match *observed {
        Observation::Word(word) | Observation::Tagged(word, _) => word,
        Observation::Tag(_) => "",
    }
}

/// The id of a word, if the treebank has it; sentence-initially the lower-case form also matches.
pub(super) fn known_word(lexicon: &Lexicon, word: &str, position: SentencePosition) -> Option<usize> {
    let words = lexicon.words();
    let id = words.get(word).or_else(|| match position {
        SentencePosition::First => words.get(&word.to_lowercase()),
        SentencePosition::Later => None,
    });
    id.map(|id| id.index())
}

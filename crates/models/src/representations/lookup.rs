//! Lookup of words in a table.

use corpus::ids::{Id, WordId};
use corpus::vocab::Vocab;

/// The row of a word, or else of its lower-case form.
pub(super) fn find(words: &Vocab<WordId>, word: &str) -> Option<usize> {
    let found = words.get(word).or_else(|| words.get(&word.to_lowercase()));
    found.map(Id::index)
}

//! How words of a sentence are found among those of a table.

use corpus::ids::{Id, WordId};
use corpus::vocab::Vocab;

/// The row of a word, or of its form in small letters.
pub(super) fn find(words: &Vocab<WordId>, word: &str) -> Option<usize> {
    let found = words.get(word).or_else(|| words.get(&word.to_lowercase()));
    found.map(Id::index)
}

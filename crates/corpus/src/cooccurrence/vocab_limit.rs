//! Which words are kept apart.

use super::CountError;

/// The usual name of the class of words that are not kept apart.
pub const UNKNOWN: &str = "<unk>";

/// The most frequent words are kept; all others are one class, which takes part as a word of its own.
///
/// The class is numbered like any word: words are in order of falling count, and among equal counts by code point. If no
/// word falls into it there is none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VocabLimit {
    /// At most so many words are kept, the class of others not among them. Equal counts are decided by code point.
    pub size: Option<usize>,
    /// Words that are rarer are not kept.
    pub min_count: u64,
    /// The name of the class of all other words. It must not be one of the words kept.
    pub unknown: String,
}

impl Default for VocabLimit {
    fn default() -> Self {
        Self { size: None, min_count: 1, unknown: UNKNOWN.to_owned() }
    }
}

impl VocabLimit {
    /// The `size` most frequent words.
    pub fn most_frequent(size: usize) -> Self {
        Self { size: Some(size), ..Self::default() }
    }

    pub(super) fn check(&self) -> Result<(), CountError> {
        if self.size == Some(0) { Err(CountError::NoWords) } else { Ok(()) }
    }
}

//! Vocabulary limits.

use super::CountError;

/// Default name of the class of words outside the vocabulary.
pub const UNKNOWN: &str = "<unk>";

/// Keeps the most frequent words; all others form one class, which is treated as a word.
///
/// The class is numbered like any word: by decreasing count, ties by code point. If no word falls into it, there is no
/// class.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VocabLimit {
    /// Maximum number of words, not counting the class of others. Ties are broken by code point.
    pub size: Option<usize>,
    /// Words with fewer occurrences are not kept.
    pub min_count: u64,
    /// Name of the class of all other words. It must not be one of the words kept.
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

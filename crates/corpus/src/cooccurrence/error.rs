//! Errors of counting texts and merging counts.

use crate::error::ReadError;

/// Why a text could not be counted, or counts could not be merged.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CountError {
    /// The text could not be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A distance of 0.
    #[error("the distance of pairs must be at least 1, not {0}")]
    Distance(usize),
    /// A vocabulary limit that keeps no words.
    #[error("the vocabulary limit is 0 words; keep at least one")]
    NoWords,
    /// The name of the class of other words is also a word of the vocabulary.
    #[error(
        "the text has a word `{0}` of its own, frequent enough for the vocabulary; choose another name for the class of \
         other words"
    )]
    UnknownTaken(String),
    /// Counts over different vocabularies, at least one of which has a class of other words.
    #[error(
        "cannot merge counts over different vocabularies: `{0}` stands for different words; count both texts without a \
         vocabulary limit, merge those counts, and limit the sum"
    )]
    OtherVocabulary(String),
    /// A word outside a vocabulary that has no class of other words.
    #[error(
        "the word `{0}` is not in the vocabulary, which has no class of other words; is the vocabulary that of all parts of \
         the text?"
    )]
    OtherWord(String),
    /// Counts with different sequence boundaries.
    #[error(
        "cannot merge counts with different sequence boundaries; count both texts with the same boundaries"
    )]
    OtherBoundaries,
    /// Counts up to different distances.
    #[error(
        "cannot merge counts up to distance {0} and up to distance {1}; count both texts up to the same distance"
    )]
    OtherDistance(usize, usize),
    /// Nothing to merge.
    #[error("there are no counts to merge")]
    Nothing,
    /// More words than ids.
    #[error("the text has more than {} different words; count its parts with a limit on the vocabulary", u32::MAX - 2)]
    TooManyTypes,
    /// The counting was cancelled.
    #[error("the counting was cancelled")]
    Cancelled,
}

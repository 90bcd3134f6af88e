//! Why a text could not be counted, or counts not be added up.

use crate::error::ReadError;

/// Counts that could not be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CountError {
    /// The text could not be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// Pairs of words without distance.
    #[error("pairs are counted from distance 1 on, not {0}")]
    Distance(usize),
    /// A limit that leaves no word.
    #[error("a vocabulary of no words was asked for; keep at least one")]
    NoWords,
    /// The name of the class of other words is a word of the vocabulary.
    #[error(
        "the text has a word `{0}` of its own, frequent enough for the vocabulary; choose another name for the class of all \
         other words"
    )]
    UnknownTaken(String),
    /// Counts over different vocabularies, of which one has a class of other words.
    #[error(
        "counts over different vocabularies cannot be added up: which words stand behind `{0}` differs; count both texts \
         without a limit on the vocabulary, add those counts up, and limit the sum"
    )]
    OtherVocabulary(String),
    /// Counts of texts whose sequences end elsewhere.
    #[error(
        "counts that stop at the ends of lines and counts that do not cannot be added up; count both texts the same way"
    )]
    OtherBoundaries,
    /// Counts up to different distances.
    #[error(
        "counts up to distance {0} and up to distance {1} cannot be added up; count both texts up to the same distance"
    )]
    OtherDistance(usize, usize),
    /// Nothing to add up.
    #[error("there are no counts to add up")]
    Nothing,
    /// More words than ids.
    #[error("the text has more than {} different words; count its parts with a limit on the vocabulary", u32::MAX - 2)]
    TooManyTypes,
    /// Someone asked for an end.
    #[error("the counting was cancelled")]
    Cancelled,
}

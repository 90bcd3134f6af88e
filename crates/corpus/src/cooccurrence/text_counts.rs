//! The counts of a text.

use super::PairCounts;
use crate::ids::WordId;
use crate::vocab::Vocab;

/// A text's words with their counts, and how often they stand near each other.
#[derive(Clone, Debug)]
pub struct TextCounts {
    /// The words.
    pub vocab: Vocab<WordId>,
    /// How often each word occurs.
    pub words: Vec<u64>,
    /// `pairs[d - 1]`: how often one word stands `d` places before another.
    pub pairs: Vec<PairCounts>,
}

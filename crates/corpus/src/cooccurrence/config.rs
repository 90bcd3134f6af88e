//! What to count.

use super::{Boundaries, Encoding, VocabLimit};

/// How a text is counted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CountConfig {
    /// Pairs are counted up to this many places apart; at least 1.
    pub distance: usize,
    /// Where sequences of words end.
    pub boundaries: Boundaries,
    /// What happens to bytes that are no UTF-8.
    pub encoding: Encoding,
    /// Which words are kept apart; all of them if `None`, which gives counts that can be added to those of other texts.
    pub vocab: Option<VocabLimit>,
    /// After about this many tokens the pairs so far are counted and their ids given up, which bounds the memory that ids
    /// take. Below, pairs of words that the vocabulary drops are never counted apart, which is faster and smaller.
    pub block_tokens: usize,
}

/// 1 GB of ids.
const BLOCK_TOKENS: usize = 1 << 28;

impl Default for CountConfig {
    fn default() -> Self {
        Self {
            distance: 1,
            boundaries: Boundaries::default(),
            encoding: Encoding::default(),
            vocab: None,
            block_tokens: BLOCK_TOKENS,
        }
    }
}

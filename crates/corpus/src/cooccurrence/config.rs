//! Configuration of counting.

use super::{Boundaries, Encoding, VocabLimit};

/// Configuration of counting a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CountConfig {
    /// Largest distance of counted pairs, in positions; at least 1.
    pub distance: usize,
    /// Where a sequence of words ends.
    pub boundaries: Boundaries,
    /// Treatment of bytes that are not valid UTF-8.
    pub encoding: Encoding,
    /// Vocabulary limit. `None` keeps all words, which gives counts that can be added to those of other texts.
    pub vocab: Option<VocabLimit>,
    /// After about this many tokens, the pairs so far are counted and their ids dropped, which bounds the memory for
    /// ids. In smaller texts, pairs of words outside the vocabulary are never counted separately, which is faster and
    /// takes less memory.
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

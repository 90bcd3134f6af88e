//! Configuration of a tokenizer.

use serde::{Deserialize, Serialize};

/// Configuration of a tokenizer learner.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TokenizerConfig {
    /// Passes over the text.
    pub passes: usize,
    /// Features seen less often than this are dropped.
    pub least_count: u32,
    /// η, the step size.
    pub rate: f32,
    /// δ, keeps the first steps short.
    pub damping: f32,
    /// Learning skips a decision once it has all but this much of the probability.
    pub certain: f32,
    /// Minimum share of tokens with a suffix that are several words, for the suffix to be split off.
    pub ending_share: f64,
    /// Minimum count of such tokens.
    pub ending_count: u32,
}

impl Default for TokenizerConfig {
    fn default() -> Self {
        Self {
            passes: 8,
            least_count: 2,
            rate: 0.2,
            damping: 0.1,
            certain: 0.01,
            ending_share: 0.8,
            ending_count: 3,
        }
    }
}

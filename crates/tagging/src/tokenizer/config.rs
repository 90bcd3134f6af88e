//! How a tokeniser is learnt.

use serde::{Deserialize, Serialize};

/// How a tokeniser is learnt.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TokenizerConfig {
    /// Passes over the text.
    pub passes: usize,
    /// Features seen less often are left out.
    pub least_count: u32,
    /// η, the length of a step.
    pub rate: f32,
    /// δ: keeps the first steps short.
    pub damping: f32,
    /// A decision that has all but this of the probability needs no more learning.
    pub certain: f32,
    /// Endings that make a token several words must do so in this share of the tokens that have them.
    pub ending_share: f64,
    /// And as often as this.
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

//! Configuration of a tokenizer.

use serde::{Deserialize, Serialize};

/// What the decisions depend on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Features {
    /// The characters around a decision, and the chunks on either side: models in files before format 4.
    #[default]
    Characters,
    /// Also the words, shapes and capitals of the chunks around, and how far other stops are.
    Chunks,
}

/// Configuration of a tokenizer learner.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TokenizerConfig {
    /// Passes over the text.
    pub passes: usize,
    /// What the decisions depend on. Files that do not say so have the first kind.
    #[serde(default)]
    pub features: Features,
    /// Features seen less often than this are dropped.
    pub least_count: u32,
    /// η, the step size.
    pub rate: f32,
    /// δ, keeps the first steps short.
    pub damping: f32,
    /// Learning skips a decision once it has all but this much of the probability.
    pub certain: f32,
    /// λ, the weight of shorter suffixes where a longer one says whether a token is several words.
    #[serde(default = "suffix_prior")]
    pub suffix_prior: f64,
}

impl Default for TokenizerConfig {
    fn default() -> Self {
        Self {
            passes: 8,
            features: Features::Chunks,
            least_count: 2,
            rate: 0.2,
            damping: 0.1,
            certain: 0.01,
            suffix_prior: suffix_prior(),
        }
    }
}

/// Chosen among 0.5, 1, 2 and 4 on the development sets of nine treebanks.
fn suffix_prior() -> f64 {
    4.0
}

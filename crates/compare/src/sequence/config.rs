//! What is compared.

use sequences::sequence::SequenceConfig;

/// What is compared.
#[derive(Clone, PartialEq, Debug)]
pub struct Config {
    /// Numbers of states.
    pub ranks: Vec<usize>,
    /// Steps after which EM is scored.
    pub em_steps: Vec<usize>,
    /// The rest: basis, scaling, order of n-grams, seed.
    pub learning: SequenceConfig,
}

impl Default for Config {
    fn default() -> Self {
        Self { ranks: vec![1, 2, 4, 8, 16, 32], em_steps: vec![10, 50], learning: SequenceConfig::default() }
    }
}

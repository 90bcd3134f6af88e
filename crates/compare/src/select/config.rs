//! Configuration of simulations.

use dependency::mst::{MstConfig, Quality};
use eigentree::selection::Strategy;

/// Configuration of simulations.
#[derive(Clone, Debug)]
pub struct Config {
    /// What is compared; the last is the one that others are measured against.
    pub strategies: Vec<Strategy>,
    /// Words of the first, random sentences.
    pub first: usize,
    /// Factor by which the annotated words grow in each round.
    pub growth: f64,
    /// Number of rounds.
    pub rounds: usize,
    /// Number of repeats with other first sentences.
    pub repeats: usize,
    /// Configuration of the parser.
    pub parser: MstConfig,
    /// Random seed.
    pub seed: u64,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            strategies: vec![Strategy::Diverse, Strategy::Uncertain, Strategy::Random],
            first: 1500,
            growth: 1.5,
            rounds: 6,
            repeats: 3,
            parser: MstConfig::quality(Quality::Fast),
            seed: 1,
        }
    }
}

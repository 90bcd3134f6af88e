//! Configuration.

use grammars::lpcfg::{LpcfgConfig, Method, SmoothingConfig, SpectralConfig};

/// The most states that are taken from a grammar without being asked for.
pub const MOST_STATES: usize = 16;

/// What is compared.
#[derive(Clone, PartialEq, Debug)]
pub struct Config {
    /// Sizes of the samples, in trees.
    pub sizes: Vec<usize>,
    /// Number of samples of each size.
    pub repeats: usize,
    /// Number of trees on which probabilities are compared.
    pub test_trees: usize,
    /// States of every symbol; if `None`, as many as the grammar has, but at most [`MOST_STATES`].
    pub states: Option<usize>,
    /// Starts of EM per sample.
    pub restarts: usize,
    /// Steps of EM.
    pub em_steps: usize,
    /// Longer sentences are drawn again.
    ///
    /// The default is out of reach of any sensible grammar. A sample without its long sentences is no sample of the grammar:
    /// the widths of its phrases depend on each other in a way that no hidden state explains.
    pub max_words: usize,
    /// The seed of everything random.
    pub seed: u64,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            sizes: vec![300, 1000, 3000, 10_000, 30_000],
            repeats: 3,
            test_trees: 500,
            states: None,
            restarts: 5,
            em_steps: 300,
            max_words: 100_000,
            seed: 1,
        }
    }
}

/// The learners of the theory: the features of the paper, no smoothing of any kind, exact decompositions.
pub(super) fn unsmoothed(method: Method) -> LpcfgConfig {
    LpcfgConfig { smoothing: SmoothingConfig::none(), ..LpcfgConfig::paper(method) }
}

/// The spectral learner.
pub(super) fn spectral(states: usize) -> LpcfgConfig {
    unsmoothed(Method::Spectral(SpectralConfig { tolerance: 1e-9, ..SpectralConfig::paper(states) }))
}

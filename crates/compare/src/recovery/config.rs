//! Configuration.

use grammars::lpcfg::{LpcfgConfig, Method, SmoothingConfig, SpectralConfig};

/// What is compared.
#[derive(Clone, PartialEq, Debug)]
pub struct Config {
    /// Sizes of the samples, in trees.
    pub sizes: Vec<usize>,
    /// Number of samples of each size.
    pub repeats: usize,
    /// Number of trees on which probabilities are compared.
    pub test_trees: usize,
    /// States of every symbol.
    pub states: usize,
    /// Starts of EM per sample.
    pub restarts: usize,
    /// Steps of EM.
    pub em_steps: usize,
    /// The seed of everything random.
    pub seed: u64,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            sizes: vec![300, 1000, 3000, 10_000, 30_000],
            repeats: 3,
            test_trees: 500,
            states: 2,
            restarts: 5,
            em_steps: 100,
            seed: 1,
        }
    }
}

impl Config {
    /// The spectral learner of the theory: features of the paper, no smoothing, exact decompositions.
    pub(super) fn spectral(&self) -> LpcfgConfig {
        let spectral = SpectralConfig { tolerance: 1e-9, ..SpectralConfig::paper(self.states) };
        LpcfgConfig { smoothing: SmoothingConfig::none(), ..LpcfgConfig::paper(Method::Spectral(spectral)) }
    }

    /// EM from the start of this number.
    pub(super) fn em(&self, restart: usize) -> LpcfgConfig {
        let seed = self.seed.wrapping_add(restart as u64);
        LpcfgConfig::paper(Method::Em { states: self.states, steps: self.em_steps, seed })
    }
}

//! What can be chosen.

use corpus::tree::Tree;
use eigentree::parsing::TagUse;
use grammars::lpcfg::{LpcfgConfig, SpectralConfig};

use super::contestant::Contestant;

/// What is compared.
#[derive(Clone, Debug)]
pub struct Config {
    /// The grammar, the head rules and the smoothing of all learners; its members do not matter.
    pub base: LpcfgConfig,
    /// The projection of the spectral learners; its number of states does not matter.
    pub spectral: SpectralConfig,
    /// Who takes part, each once.
    pub contestants: Vec<Contestant>,
    /// Numbers of states.
    pub states: Vec<usize>,
    /// After which steps EM is scored.
    pub checkpoints: Vec<usize>,
    /// How many steps of EM follow clusters.
    pub cluster_steps: usize,
    /// What the parsers see. EM's best iteration is chosen for each by itself.
    pub tags: Vec<TagUse>,
    /// The seed of everything random.
    pub seed: u64,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            base: LpcfgConfig::default(),
            spectral: SpectralConfig::default(),
            contestants: Contestant::usual(),
            states: vec![8, 16, 32],
            checkpoints: vec![10, 20, 30, 40, 50],
            cluster_steps: 10,
            tags: vec![TagUse::Predicted],
            seed: 1,
        }
    }
}

/// The trees, made ready for learning.
#[derive(Clone, Copy, Debug)]
pub struct Data<'t> {
    /// Learnt from.
    pub train: &'t [Tree],
    /// Scored, and chosen by.
    pub dev: &'t [Tree],
    /// Scored for what was chosen.
    pub test: Option<&'t [Tree]>,
}

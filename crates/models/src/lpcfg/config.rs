//! What can be chosen.

use corpus::tree::heads::HeadRules;
use spectral::moments::Scaling;

use super::features::FeatureSet;
use crate::pcfg::PcfgConfig;

/// How nodes are projected to latent states.
#[derive(Clone, PartialEq, Debug)]
pub struct SpectralConfig {
    /// The largest number of states of a symbol.
    pub states: usize,
    /// A symbol has at most one state for so many nodes.
    pub nodes_per_state: f64,
    /// A symbol has at most as many states as singular values above this share of the largest.
    pub min_singular_ratio: f64,
    /// What describes a node.
    pub features: FeatureSet,
    /// How features are scaled.
    pub scaling: Scaling,
    /// The share of features that a model does not see; diverse models come from different seeds.
    pub dropout: f64,
    /// Accuracy of the decompositions.
    pub tolerance: f64,
    /// The seed of the decompositions and of the dropout.
    pub seed: u64,
}

impl Default for SpectralConfig {
    fn default() -> Self {
        Self {
            states: 16,
            nodes_per_state: 30.0,
            min_singular_ratio: 0.01,
            features: FeatureSet::default(),
            scaling: Scaling::default(),
            dropout: 0.0,
            tolerance: 1e-2,
            seed: 0,
        }
    }
}

impl SpectralConfig {
    /// The largest number of states of a symbol with so many nodes.
    pub(super) fn rank(&self, nodes: f64) -> usize {
        // The cast saturates, and rounds down as it should.
        self.states.min((nodes / self.nodes_per_state) as usize).max(1)
    }
}

/// How estimates are smoothed.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SmoothingConfig {
    /// C of binary rules: a rule seen n times keeps `λ = √n / (C + √n)` of its own moments.
    pub rules: f64,
    /// Of a word seen n times with a preterminal, `n / (n + words)` is its own.
    pub words: f64,
    /// Of a class of rare words seen n times with a preterminal, `n / (n + classes)` is its own.
    pub classes: f64,
}

impl Default for SmoothingConfig {
    fn default() -> Self {
        Self { rules: 10.0, words: 10.0, classes: 10.0 }
    }
}

impl SmoothingConfig {
    /// Moments as they are.
    pub fn none() -> Self {
        Self { rules: 0.0, words: 0.0, classes: 0.0 }
    }
}

/// Which learner makes the latent states.
#[derive(Clone, PartialEq, Debug)]
pub enum Method {
    /// Moments of projected nodes (Cohen et al. 2013).
    Spectral(SpectralConfig),
    /// Clusters of projected nodes, counted, then improved by some steps of expectation–maximisation.
    Cluster {
        /// The projection.
        spectral: SpectralConfig,
        /// How many steps.
        steps: usize,
    },
    /// Expectation–maximisation from a random start (Matsuzaki et al. 2005).
    Em {
        /// The number of states of a symbol.
        states: usize,
        /// How many steps.
        steps: usize,
        /// The seed of the start.
        seed: u64,
    },
}

/// How an L-PCFG is learnt.
#[derive(Clone, Debug)]
pub struct LpcfgConfig {
    /// Binarisation, Markov orders, words: the grammar that the latent states refine.
    pub grammar: PcfgConfig,
    /// The rules by which heads are found.
    pub heads: HeadRules,
    /// The models whose posteriors are multiplied; at least one.
    pub members: Vec<Method>,
    /// Smoothing of all of them.
    pub smoothing: SmoothingConfig,
}

impl Default for LpcfgConfig {
    fn default() -> Self {
        Self {
            grammar: PcfgConfig::default(),
            heads: HeadRules::english(),
            members: vec![Method::Spectral(SpectralConfig::default())],
            smoothing: SmoothingConfig::default(),
        }
    }
}

/// What tree is chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Decoding {
    /// The largest sum of absolute rule posteriors (Goodman 1996, with the sign mended by Cohen et al. 2013).
    RuleSum,
    /// The largest product of them.
    #[default]
    RuleProduct,
}

/// How sentences are parsed.
#[derive(Clone, PartialEq, Debug)]
pub struct ParserConfig {
    /// The objective.
    pub decoding: Decoding,
    /// Rule applications of a smaller posterior than this in the grammar without states are left out.
    pub edge_threshold: f32,
    /// How the grammar without states is searched.
    pub base: crate::pcfg::ParserConfig,
}

impl Default for ParserConfig {
    fn default() -> Self {
        Self {
            decoding: Decoding::default(),
            edge_threshold: 1e-5,
            base: crate::pcfg::ParserConfig::default(),
        }
    }
}

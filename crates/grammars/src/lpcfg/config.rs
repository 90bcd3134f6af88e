//! What can be chosen.

use corpus::tree::binarize::Direction;
use corpus::tree::heads::HeadRules;
use corpus::tree::normal_form::NormalForm;
use spectral::SpectrumReport;
use spectral::moments::Scaling;

use super::features::FeatureSet;
use crate::grammar::{RuleSmoothing, SiblingSmoothing};
use crate::pcfg::{PcfgConfig, PrunerConfig};

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
    /// What becomes of directions that chance explains.
    pub shrinkage: Shrinkage,
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
            shrinkage: Shrinkage::default(),
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

/// What becomes of directions of the space of states whose singular value is no larger than chance makes it.
///
/// A singular value that was found has two parts, what the two views have in common and what they have in common by chance in
/// this treebank. The second is about the same for all of a symbol's directions, so the last ones are mostly chance, and
/// taking them at their word costs accuracy: without shrinkage 32 states are worse than 16.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Shrinkage {
    /// Nothing, as in the paper.
    None,
    /// Direction i counts for `σ_i² / (σ_i² + (factor · noise)²)`, as in Wiener's filter, where the noise is the estimated norm of
    /// the sampling error of the decomposed moment. The first direction, which is common to all nodes, keeps its weight.
    Noise {
        /// How many times the estimate is taken for the noise.
        factor: f64,
    },
}

impl Default for Shrinkage {
    fn default() -> Self {
        Self::Noise { factor: 2.0 }
    }
}

impl Shrinkage {
    /// The weights of all directions.
    pub(super) fn weights(self, spectrum: &SpectrumReport) -> Option<Vec<f64>> {
        let Self::Noise { factor } = self else { return None };
        let noise = (factor * spectrum.noise).powi(2);
        let weight = |(at, &value): (usize, &f64)| match value * value + noise {
            sum if at > 0 && sum > 0.0 => value * value / sum,
            _ => 1.0,
        };
        Some(spectrum.singular_values.iter().take(spectrum.rank).enumerate().map(weight).collect())
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
        Self { rules: 7.0, words: 10.0, classes: 10.0 }
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

/// Models in another normal form than the main ones.
#[derive(Clone, Debug)]
pub struct Companion {
    /// Their normal form.
    pub normal_form: NormalForm,
    /// The models.
    pub members: Vec<Method>,
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
    /// Models of the same trees in other normal forms, whose posteriors of constituents are multiplied in.
    pub companions: Vec<Companion>,
    /// Smoothing of all of them.
    pub smoothing: SmoothingConfig,
}

impl Default for LpcfgConfig {
    fn default() -> Self {
        Self {
            grammar: PcfgConfig {
                rule_smoothing: RuleSmoothing::Siblings(SiblingSmoothing::default()),
                ..PcfgConfig::default()
            },
            heads: HeadRules::english(),
            members: vec![Method::Spectral(SpectralConfig::default())],
            companions: Vec::new(),
            smoothing: SmoothingConfig::default(),
        }
    }
}

impl Method {
    /// The projection that it starts from, if it does from one.
    pub(super) fn projection(&self) -> Option<&SpectralConfig> {
        match self {
            Method::Spectral(spectral) | Method::Cluster { spectral, .. } => Some(spectral),
            Method::Em { .. } => None,
        }
    }
}

/// A recipe by one word: how much time accuracy is worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Quality {
    /// One spectral model of 8 states.
    Fast,
    /// One spectral model and one of clustered nodes, of 16 states.
    #[default]
    Balanced,
    /// Six models that differ in their normal form, in the features they see and in how states are found: for each of left and
    /// right binarisation a spectral one of 24 states and two of clustered nodes.
    Best,
}

impl LpcfgConfig {
    /// The recipe of that name.
    pub fn quality(quality: Quality) -> Self {
        let spectral = |states, dropout| SpectralConfig { states, dropout, ..SpectralConfig::default() };
        let diverse = || {
            let mut members = vec![Method::Spectral(spectral(24, 0.1))];
            members.resize(3, Method::Cluster { spectral: spectral(16, 0.1), steps: 8 });
            members
        };
        let (members, companions) = match quality {
            Quality::Fast => (vec![Method::Spectral(spectral(8, 0.0))], Vec::new()),
            Quality::Balanced => {
                let clusters = Method::Cluster { spectral: spectral(16, 0.0), steps: 8 };
                (vec![Method::Spectral(spectral(16, 0.0)), clusters], Vec::new())
            }
            Quality::Best => {
                let normal_form = NormalForm { direction: Direction::Right, ..NormalForm::default() };
                (diverse(), vec![Companion { normal_form, members: diverse() }])
            }
        };
        Self { members, companions, ..Self::default() }.with_seed(0)
    }

    /// The same with seeds that follow from this one, another for each member.
    pub fn with_seed(mut self, seed: u64) -> Self {
        let companions = self.companions.iter_mut().flat_map(|companion| &mut companion.members);
        for (number, member) in self.members.iter_mut().chain(companions).enumerate() {
            let own = seed.wrapping_add(number as u64);
            match member {
                Method::Spectral(spectral) | Method::Cluster { spectral, .. } => spectral.seed = own,
                Method::Em { seed, .. } => *seed = own,
            }
        }
        self
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

/// What becomes of posteriors that are negative, as estimates that are no probabilities may make them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Signs {
    /// Their absolute values count (Cohen et al. 2013, section 3.3): in a sentence where most are negative they are as a rule
    /// right but for the sign.
    #[default]
    Mended,
    /// They count as they come out, with the sign that Z has, too: less than any positive one. For comparison.
    Kept,
}

/// How sentences are parsed.
#[derive(Clone, PartialEq, Debug)]
pub struct ParserConfig {
    /// The objective.
    pub decoding: Decoding,
    /// Negative posteriors.
    pub signs: Signs,
    /// A constituent that a companion's forest lacks is taken to have this posterior there.
    pub least_vote: f32,
    /// What the grammar without states leaves; if not given, little for one model and more for several, whose product is the
    /// better judge of what looks improbable.
    pub pruner: Option<PrunerConfig>,
    /// How the grammar without states is searched where it has to do alone.
    pub base: crate::pcfg::ParserConfig,
}

impl ParserConfig {
    /// What the grammar without states leaves to so many models.
    pub fn pruner(&self, members: usize) -> PrunerConfig {
        let strict = PrunerConfig { coarse_threshold: 1e-4, estimate_threshold: 1e-5, edge_threshold: 1e-4 };
        let wide = PrunerConfig::default();
        self.pruner.unwrap_or(if members > STRICT_UP_TO { wide } else { strict })
    }
}

/// So many models need no wide search: on GUM it gains them nothing.
const STRICT_UP_TO: usize = 2;

impl Default for ParserConfig {
    fn default() -> Self {
        Self {
            decoding: Decoding::default(),
            signs: Signs::default(),
            least_vote: 0.1,
            pruner: None,
            base: crate::pcfg::ParserConfig::default(),
        }
    }
}

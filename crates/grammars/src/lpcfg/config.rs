//! Configuration of learning and parsing.

use std::collections::BTreeMap;

use corpus::tree::heads::HeadRules;
use corpus::tree::normal_form::NormalForm;
use spectral::SpectrumReport;
use spectral::moments::Scaling;

use super::features::FeatureSet;
use crate::pcfg::{PcfgConfig, PrunerConfig};
use crate::spans::SpanConfig;

/// Projection of nodes to latent states.
#[derive(Clone, PartialEq, Debug)]
pub struct SpectralConfig {
    /// Maximum number of states per symbol.
    pub states: usize,
    /// Symbols that have fewer states than others.
    pub limits: StateLimits,
    /// Minimum number of nodes per state: symbols with fewer nodes get fewer states.
    pub nodes_per_state: f64,
    /// States are limited to singular values above this share of the largest.
    pub min_singular_ratio: f64,
    /// The features that describe a node.
    pub features: FeatureSet,
    /// The form of the features that count words.
    pub widths: Widths,
    /// The scaling of features.
    pub scaling: Scaling,
    /// The shrinkage of directions that chance explains.
    pub shrinkage: Shrinkage,
    /// The share of features hidden from the model. Different seeds then give diverse models.
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
            limits: StateLimits::default(),
            nodes_per_state: 30.0,
            min_singular_ratio: 0.01,
            features: FeatureSet::default(),
            widths: Widths::default(),
            scaling: Scaling::default(),
            shrinkage: Shrinkage::default(),
            dropout: 0.0,
            tolerance: 1e-2,
            seed: 0,
        }
    }
}

impl SpectralConfig {
    /// The method of Cohen et al. (2013) with this number of states: their features, κ = 5, and `states` for every
    /// symbol whose moment has that rank; no shrinkage, no limit by the number of nodes.
    pub fn paper(states: usize) -> Self {
        Self {
            states,
            limits: StateLimits::default(),
            nodes_per_state: 0.0,
            min_singular_ratio: 0.0,
            features: FeatureSet::Paper,
            widths: Widths::Numbers,
            scaling: Scaling::DiagonalCca { pseudo_count: 5.0 },
            shrinkage: Shrinkage::None,
            dropout: 0.0,
            tolerance: 1e-3,
            seed: 0,
        }
    }

    /// The maximum number of states of a symbol with this many nodes.
    pub(super) fn rank(&self, nodes: f64) -> usize {
        // The cast saturates and rounds down, as intended.
        self.states.min((nodes / self.nodes_per_state) as usize).max(1)
    }
}

/// Maximum numbers of states by label, for symbols that differ from the rest; see [`search_states`](super::search_states).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct StateLimits {
    by_label: BTreeMap<String, usize>,
}

impl StateLimits {
    /// No label may have more states than this says; others as many as there are.
    pub fn new(by_label: impl IntoIterator<Item = (String, usize)>) -> Self {
        Self { by_label: by_label.into_iter().map(|(label, most)| (label, most.max(1))).collect() }
    }

    /// The limit of a label, if it has one.
    pub fn of(&self, label: &str) -> Option<usize> {
        self.by_label.get(label).copied()
    }

    /// All labels that have a limit, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, usize)> {
        self.by_label.iter().map(|(label, &most)| (label.as_str(), most))
    }
}

/// The form of the features that count words: the width of a node, and of what lies to its left and right.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Widths {
    /// One indicator per range of numbers.
    #[default]
    Ranges,
    /// One feature whose value is the number, as in the paper. It is scaled by its own second moment.
    Numbers,
}

/// Treatment of directions of the state space whose singular value is no larger than chance would make it.
///
/// An observed singular value has two parts: what the two views really have in common, and what they have in common by
/// chance in this treebank. The second part is about the same for all directions of a symbol, so the last directions
/// are mostly chance, and taking them at face value costs accuracy: without shrinkage 32 states are worse than 16.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Shrinkage {
    /// No shrinkage, as in the paper.
    None,
    /// Direction i is weighted by `σ_i² / (σ_i² + (factor · noise)²)`, as in a Wiener filter, where the noise is the
    /// estimated norm of the sampling error of the decomposed moment. The first direction, which all nodes share, keeps
    /// its weight.
    Noise {
        /// Multiplier of the estimated noise.
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

/// Smoothing of the estimates.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SmoothingConfig {
    /// C for binary rules: a rule seen n times keeps `λ = √n / (C + √n)` of its own moments.
    pub rules: f64,
    /// A word seen n times with a preterminal keeps `n / (n + words)` of its own estimate.
    pub words: f64,
    /// A class of rare words seen n times with a preterminal keeps `n / (n + classes)` of its own estimate.
    pub classes: f64,
    /// The back-off of words.
    pub lexical: LexicalSmoothing,
}

/// The back-off of the estimates of words.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub enum LexicalSmoothing {
    /// By the count of the word, from the word to its class and from there to its preterminal; see
    /// [`SmoothingConfig::words`] and [`SmoothingConfig::classes`].
    #[default]
    ByCount,
    /// `ν E[Z | s, w] + (1 − ν) E[Z | s]` for words seen less often than `below` with the preterminal s, and their own
    /// estimate for all others (Cohen et al. 2013, section 3.2). There are no classes.
    Constant {
        /// ν.
        own: f64,
        /// The count limit.
        below: f64,
    },
}

impl Default for SmoothingConfig {
    fn default() -> Self {
        Self { rules: 7.0, words: 10.0, classes: 10.0, lexical: LexicalSmoothing::ByCount }
    }
}

impl SmoothingConfig {
    /// No smoothing: moments as they are.
    pub fn none() -> Self {
        Self { rules: 0.0, words: 0.0, classes: 0.0, lexical: LexicalSmoothing::ByCount }
    }

    /// The smoothing of Cohen et al. (2013). The paper tunes C, ν and the count limit on a development set and does not
    /// give them; these are starting points, to be tuned on the data at hand.
    pub fn paper() -> Self {
        Self {
            rules: 10.0,
            words: 0.0,
            classes: 0.0,
            lexical: LexicalSmoothing::Constant { own: 0.5, below: 10.0 },
        }
    }
}

impl SmoothingConfig {
    /// The share of its own estimate that a word seen `weight` times with a preterminal keeps.
    pub(super) fn own_of_word(&self, weight: f64) -> f64 {
        match self.lexical {
            LexicalSmoothing::ByCount => weight / (weight + self.words),
            LexicalSmoothing::Constant { own, below } => {
                if weight < below {
                    own
                } else {
                    1.0
                }
            }
        }
    }

    /// The same for a class of rare words; without classes there is nothing to keep.
    pub(super) fn own_of_class(&self, weight: f64) -> f64 {
        match self.lexical {
            LexicalSmoothing::ByCount => weight / (weight + self.classes),
            LexicalSmoothing::Constant { .. } => 0.0,
        }
    }
}

/// The precision of tensors.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Precision {
    /// 24 significant bits.
    #[default]
    Single,
    /// 8 significant bits: half the size in a file.
    Half,
}

/// The learner of the latent states.
#[derive(Clone, PartialEq, Debug)]
pub enum Method {
    /// Moments of projected nodes (Cohen et al. 2013).
    Spectral(SpectralConfig),
    /// Clusters of projected nodes, counted, then refined by some EM steps.
    Cluster {
        /// The projection.
        spectral: SpectralConfig,
        /// Number of EM steps.
        steps: usize,
    },
    /// EM from a random start (Matsuzaki et al. 2005).
    Em {
        /// Number of states per symbol.
        states: usize,
        /// Number of EM steps.
        steps: usize,
        /// Seed of the random start.
        seed: u64,
    },
}

/// Models in a normal form other than the main one.
#[derive(Clone, Debug)]
pub struct Companion {
    /// Their normal form.
    pub normal_form: NormalForm,
    /// The models.
    pub members: Vec<Method>,
}

/// Configuration of an L-PCFG learner. The default has the grammars of [`Quality::Balanced`](super::Quality::Balanced),
/// without a span model; [`Recipe`](super::Recipe) adds it.
#[derive(Clone, Debug)]
pub struct LpcfgConfig {
    /// Binarisation, Markov orders, lexicon: the grammar that the latent states refine.
    pub grammar: PcfgConfig,
    /// Head rules.
    pub heads: HeadRules,
    /// The models whose posteriors are multiplied; at least one.
    pub members: Vec<Method>,
    /// Models of the same trees in other normal forms, whose posteriors of constituents are multiplied in.
    pub companions: Vec<Companion>,
    /// Smoothing of all models.
    pub smoothing: SmoothingConfig,
    /// The precision of the tensors of all models.
    pub precision: Precision,
    /// The states of the sketch that prunes before the models run, of those grammars whose first model is spectral.
    pub sketch: Option<u32>,
    /// The span model that chooses among the trees of the grammars. Without one the grammars alone choose.
    pub spans: Option<SpanConfig>,
}

impl LpcfgConfig {
    /// The states of the sketch of a grammar with these members, if it has one.
    pub(super) fn sketch_of(&self, members: &[Method]) -> Option<u32> {
        self.sketch.filter(|_| matches!(members.first(), Some(Method::Spectral(_))))
    }
}

impl Method {
    /// The projection that the method starts from, if any.
    pub fn projection(&self) -> Option<&SpectralConfig> {
        match self {
            Method::Spectral(spectral) | Method::Cluster { spectral, .. } => Some(spectral),
            Method::Em { .. } => None,
        }
    }
}

/// The objective that the chosen tree maximises.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Decoding {
    /// The largest sum of absolute rule posteriors (Goodman 1996; absolute values as in Cohen et al. 2013).
    RuleSum,
    /// The largest product of absolute rule posteriors.
    #[default]
    RuleProduct,
    /// The largest sum of absolute posteriors of symbols over spans (Goodman 1996, as the papers write it; footnote 3 of Cohen
    /// et al. 2013 takes rules instead).
    ConstituentSum,
}

/// Treatment of negative posteriors, which occur because spectral estimates are not probabilities.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Signs {
    /// Take absolute values (Cohen et al. 2013, section 3.3): in a sentence where most posteriors are negative, they
    /// are usually right except for the sign.
    #[default]
    Mended,
    /// Keep them as they are, including the sign of Z: they rank below any positive one. For comparison.
    Kept,
}

/// Configuration of a parser.
#[derive(Clone, PartialEq, Debug)]
pub struct ParserConfig {
    /// The objective of decoding.
    pub decoding: Decoding,
    /// Treatment of negative posteriors.
    pub signs: Signs,
    /// The posterior assumed for a constituent that is missing from a companion's forest.
    pub least_vote: f32,
    /// What the sketch of a model finds less probable than this is not considered.
    pub sketch_threshold: f32,
    /// Pruning by the grammar without states. If `None`, strict for one model and looser for several, whose product
    /// judges improbable constituents better.
    pub pruner: Option<PrunerConfig>,
    /// The search of the grammar without states where it has to parse alone.
    pub base: crate::pcfg::ParserConfig,
}

impl ParserConfig {
    /// The parser of Cohen et al. (2013): the largest sum of absolute rule posteriors, over what a PCFG gives a posterior
    /// of at least 0.00005.
    pub fn paper() -> Self {
        let pruner = PrunerConfig {
            coarse_threshold: 1e-7,
            estimate_threshold: 1e-8,
            boundary_threshold: 0.0,
            edge_threshold: 5e-5,
        };
        Self { decoding: Decoding::RuleSum, pruner: Some(pruner), ..Self::default() }
    }

    /// The pruning configuration for this number of models.
    pub fn pruner(&self, members: usize) -> PrunerConfig {
        let wide = PrunerConfig::default();
        self.pruner.unwrap_or(if members > STRICT_UP_TO { wide } else { STRICT })
    }

    /// The configuration of the parser below a span model, which looks at nothing improbable: pruning is strict, unless
    /// it was configured.
    pub(super) fn below_spans(mut self) -> Self {
        self.pruner.get_or_insert(STRICT);
        self
    }

    /// The same while a span model is learnt, with more cells open. On GUM, weights learnt from trees in cells that are open
    /// where both ends have a probability of 0.01 cost 0.2 points from words.
    pub(super) fn for_judging() -> Self {
        Self { pruner: Some(PrunerConfig { boundary_threshold: 0.001, ..STRICT }), ..Self::default() }
    }
}

/// Strict pruning.
const STRICT: PrunerConfig = PrunerConfig {
    coarse_threshold: 1e-4,
    estimate_threshold: 1e-5,
    boundary_threshold: 0.003,
    edge_threshold: 1e-4,
};

/// Up to this many models the strict search is enough: on GUM a wider one gains nothing.
const STRICT_UP_TO: usize = 2;

impl Default for ParserConfig {
    fn default() -> Self {
        Self {
            decoding: Decoding::default(),
            signs: Signs::default(),
            least_vote: 0.1,
            sketch_threshold: 1e-3,
            pruner: None,
            base: crate::pcfg::ParserConfig::default(),
        }
    }
}

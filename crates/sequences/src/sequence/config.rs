//! Configuration of sequence models.

use spectral::Rank;
use spectral::moments::Scaling;

use crate::automaton::{BasisConfig, EmConfig, Estimator, Hankel};

/// The model learnt in addition to the n-gram model.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Method {
    /// None: the n-gram model alone.
    Ngram,
    /// An automaton by decomposition of prefixes and suffixes (Luque et al. 2012; Balle et al. 2014).
    #[default]
    Spectral,
    /// A hidden Markov model in its fully reduced form (Foster et al. 2012).
    ReducedHmm,
    /// A probabilistic automaton by EM from random starts.
    Em,
    /// A probabilistic automaton by EM, starting from the states found by decomposition.
    SpectralEm,
    /// All of them, mixed: spectral, EM from its states and EM from random starts.
    All,
}

/// How the number of states is chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RankChoice {
    /// It is given.
    Fixed(Rank),
    /// Up to this many, by the likelihood of held-out sequences.
    HeldOut(Rank),
    /// Up to this many, by the singular values: those above a hundredth of the first. EM uses the same number of
    /// states.
    Spectrum(Rank),
}

impl RankChoice {
    /// The maximum number of states.
    pub fn most(self) -> Rank {
        match self {
            RankChoice::Fixed(rank) | RankChoice::HeldOut(rank) | RankChoice::Spectrum(rank) => rank,
        }
    }
}

/// Configuration of a sequence model.
#[derive(Clone, PartialEq, Debug)]
pub struct SequenceConfig {
    /// The learner.
    pub method: Method,
    /// The number of states.
    pub rank: RankChoice,
    /// The prefixes and suffixes to decompose.
    pub basis: BasisConfig,
    /// The scaling of these features.
    pub scaling: Scaling,
    /// Configuration of EM.
    pub em: EmConfig,
    /// Number of EM runs from random starts; the best one on held-out sequences is kept.
    pub restarts: usize,
    /// Maximum length of n-grams; the order is chosen by held-out likelihood.
    pub order: usize,
    /// The share of the sequences that is held out, unless a development set is given.
    pub held_out: f64,
    /// Multiplications that the choice of the number of states may take. Beyond, fewer numbers of states are tried, and
    /// on a part of the held-out sequences: with thousands of symbols, each prediction is a sum over all of them.
    pub work: f64,
    /// Seed of all random choices.
    pub seed: u64,
}

impl Default for SequenceConfig {
    fn default() -> Self {
        Self {
            method: Method::default(),
            rank: RankChoice::HeldOut(Rank::new(60).unwrap_or(Rank::ONE)),
            basis: BasisConfig { limit: Some(2000), ..BasisConfig::length(Hankel::Marked, 4) },
            // Held-out sequences are a little more probable than with the usual 5, as long features are rare.
            scaling: Scaling::DiagonalCca { pseudo_count: 50.0 },
            em: EmConfig {
                steps: 150,
                least_gain: 2e-6,
                estimator: Estimator::Variational { pseudo_count: 0.02 },
            },
            restarts: 1,
            order: 6,
            held_out: 0.1,
            work: 3e10,
            seed: 1,
        }
    }
}

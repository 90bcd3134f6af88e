//! The spectral learner of automata.
//!
//! The operators are averages of projected features at the positions of the sequences ([`Basis`]), as in Luque et al.
//! (2012), equations 11–13; see [`spectral::operators`]. START and STOP are outside the operators: `α₁` averages the
//! suffix features of whole sequences, which with START among the prefixes is the column `Uᵀ P[:, START]`; `α∞` is
//! regressed on the prefix features of whole sequences, which with STOP among the suffixes is the row `U[STOP]`.

use spectral::moments::Scaling;
use spectral::operators::{AutomatonConfig, SiteEstimate, estimate_automaton_from_sites};
use spectral::{DecomposeConfig, Rank, RankConfig};

use super::basis::{Basis, BasisConfig};
use super::counts::SequenceCounts;
use super::places::places;
use models::learn::LearnError;

/// Configuration of the spectral learner.
#[derive(Clone, PartialEq, Debug)]
pub struct SpectralConfig {
    /// The number of states, unless the matrix has lower rank.
    pub rank: RankConfig,
    /// The prefixes and suffixes that describe a position.
    pub basis: BasisConfig,
    /// The scaling of features before the decomposition.
    pub scaling: Scaling,
    /// Accuracy of the singular vectors of large bases: the largest residual, relative to the first singular value.
    pub tolerance: f64,
    /// The seed of the decomposition of large bases.
    pub seed: u64,
}

impl SpectralConfig {
    /// The method of Luque et al. (2012) with this number of states: bigrams and trigrams, no scaling.
    pub fn paper(states: Rank) -> Self {
        Self {
            rank: RankConfig::fixed(states),
            basis: BasisConfig::bigrams(),
            scaling: Scaling::None,
            tolerance: 1e-4,
            seed: 0,
        }
    }
}

/// Learns an automaton from sequences. [`SiteEstimate::truncated`] gives automata with fewer states.
///
/// ```
/// use eigentree_sequences::automaton::{SequenceCounts, SpectralConfig, evaluate, learn_spectral};
/// use spectral::Rank;
/// // Half of the sequences are empty, and each symbol is followed by another with probability 1/2: one state.
/// let counts = SequenceCounts::new(1, (0..50).map(|n| (vec![0; n], 0.5_f64.powi(n as i32 + 1))))?;
/// let config = SpectralConfig::paper(Rank::new(1).unwrap());
/// let automaton = learn_spectral(&counts, &config)?.automaton;
/// assert!((evaluate(&automaton, &[0, 0, 0]).value() - 1.0 / 16.0).abs() < 1e-9);
/// # Ok::<(), models::learn::LearnError>(())
/// ```
pub fn learn_spectral(counts: &SequenceCounts, config: &SpectralConfig) -> Result<SiteEstimate, LearnError> {
    if counts.is_empty() {
        return Err(LearnError::bad_data("no sequences to learn from; give at least one"));
    }
    let basis = Basis::new(counts, &config.basis);
    if basis.prefixes.is_empty() || basis.suffixes.is_empty() {
        return Err(LearnError::bad_config("the basis has no features; allow longer or more features"));
    }
    let failed = |error| LearnError::failed("spectral estimate", error);
    let sites = places(counts, &basis).map_err(failed)?;
    let decompose = DecomposeConfig {
        scaling: config.scaling,
        tolerance: config.tolerance,
        seed: config.seed,
        ..DecomposeConfig::new(config.rank.clone())
    };
    let config = AutomatonConfig { decompose, cutoff: 1e-12 };
    estimate_automaton_from_sites(&sites, &config).map_err(failed)
}

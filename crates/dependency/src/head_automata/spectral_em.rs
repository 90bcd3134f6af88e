//! Hidden states by EM that starts from the spectral method: prefixes of modifiers are clustered by the state in which the
//! spectral automaton is after them, moves between clusters are counted, and a few EM steps follow. The result is a
//! probability distribution, and one start suffices.

use spectral::Rank;

use super::config::SpectralEmConfig;
use super::latent::learn_all;
use super::operators::LatentAutomaton;
use super::sequences::ModifierCounts;
use models::learn::{LearnError, Progress};
use sequences::automaton::{self, Estimator, learn_spectral, refine};
use sequences::sequence::spectral_start;

pub(super) fn learn(
    counts: &ModifierCounts,
    config: &SpectralEmConfig,
    progress: &mut Progress<'_>,
) -> Result<Vec<LatentAutomaton>, LearnError> {
    progress.stage("spectral automata, then EM", Some(2 * counts.symbols() as u64))?;
    let most = Rank::new(config.states)
        .ok_or_else(|| LearnError::bad_config("the number of states must be at least 1"))?;
    let estimator = match config.pseudo_count {
        count if count > 0.0 => Estimator::Variational { pseudo_count: count },
        _ => Estimator::MaximumLikelihood,
    };
    let run = automaton::EmConfig { steps: config.steps, least_gain: 0.0, estimator };
    learn_all(counts, 1.0, progress, |number, sequences| {
        // The cast saturates and rounds down, as intended.
        let supported = (sequences.total() / config.sequences_per_state.max(1.0)) as usize;
        let states = Rank::new(supported).map_or(Rank::ONE, |supported| supported.min(most));
        let estimate = learn_spectral(sequences, &automaton::SpectralConfig::paper(states))?;
        let spectrum = estimate.report.singular_values.clone();
        let start = spectral_start(estimate, sequences, states, config.seed.wrapping_add(number as u64))?;
        Ok((refine(&start, sequences, &run)?.automaton, spectrum))
    })
}

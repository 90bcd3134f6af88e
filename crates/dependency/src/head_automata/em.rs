//! Hidden states by EM, initialised as in Luque et al. (2012), section 5.1. The learner itself is that of
//! [`automaton`](sequences::automaton).

use spectral::Rank;

use super::config::EmConfig;
use super::latent::learn_all;
use super::operators::LatentAutomaton;
use super::sequences::ModifierCounts;
use models::learn::{LearnError, Progress};
use sequences::automaton::{self, EmStart, learn_em};

pub(super) fn learn(
    counts: &ModifierCounts,
    config: &EmConfig,
    progress: &mut Progress<'_>,
) -> Result<Vec<LatentAutomaton>, LearnError> {
    progress.stage("expectation–maximisation", Some(2 * counts.symbols() as u64))?;
    let states = Rank::new(config.states)
        .ok_or_else(|| LearnError::bad_config("the number of states must be at least 1"))?;
    let run = automaton::EmConfig { steps: config.steps, least_gain: 0.0, ..automaton::EmConfig::default() };
    learn_all(counts, 1.0, progress, |number, sequences| {
        // Each automaton has its own random numbers.
        let start = EmStart { states, seed: config.seed.wrapping_add(number as u64) };
        Ok((learn_em(sequences, start, &run)?.automaton, Vec::new()))
    })
}

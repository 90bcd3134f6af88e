//! Hidden states by EM, initialised as in Luque et al. (2012), section 5.1. The learner itself is that of
//! [`automaton`](sequences::automaton).

use spectral::Rank;

use super::config::EmConfig;
use super::latent::learn_all;
use super::operators::LatentAutomaton;
use super::sequences::ModifierCounts;
use models::learn::{LearnError, Progress};
use sequences::automaton::{self, EmStart, learn_em};

/// Distance between the seeds of two starts, above the number of automata.
const RESTART: u64 = 1 << 32;

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
        // Each automaton has its own random numbers, and so has each start.
        let seed =
            |restart: usize| config.seed.wrapping_add(number as u64).wrapping_add(restart as u64 * RESTART);
        let mut best = learn_em(sequences, EmStart { states, seed: seed(0) }, &run)?;
        for restart in 1..config.restarts {
            let other = learn_em(sequences, EmStart { states, seed: seed(restart) }, &run)?;
            if other.log_likelihoods.last() > best.log_likelihoods.last() {
                best = other;
            }
        }
        Ok((best.automaton, Vec::new()))
    })
}

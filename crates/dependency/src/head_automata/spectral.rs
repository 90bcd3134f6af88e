//! Hidden states by the spectral method: for every head and direction the operators of Luque et al. (2012), algorithm
//! 1, from bigrams and trigrams of modifiers between START and STOP. The learner itself is that of
//! [`automaton`](sequences::automaton).

use spectral::Rank;

use super::config::SpectralConfig;
use super::latent::learn_all;
use super::operators::LatentAutomaton;
use super::sequences::ModifierCounts;
use models::learn::{LearnError, Progress};
use sequences::automaton::{self, learn_spectral};

pub(super) fn learn(
    counts: &ModifierCounts,
    config: &SpectralConfig,
    progress: &mut Progress<'_>,
) -> Result<Vec<LatentAutomaton>, LearnError> {
    progress.stage("spectral automata", Some(2 * counts.symbols() as u64))?;
    let rank = Rank::new(config.states)
        .ok_or_else(|| LearnError::bad_config("the number of states must be at least 1"))?;
    let least = config.min_sequences;
    let config = automaton::SpectralConfig::paper(rank);
    learn_all(counts, least, progress, |_, sequences| {
        let estimate = learn_spectral(sequences, &config)?;
        Ok((estimate.automaton, estimate.report.singular_values))
    })
}

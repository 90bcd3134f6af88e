//! Hidden states by the spectral method: for every head and direction the operators of Luque et al. (2012), algorithm
//! 1, from bigrams and trigrams of modifiers between START and STOP. The learner itself is that of
//! [`automaton`](sequences::automaton).

use spectral::Rank;

use super::config::SpectralConfig;
use super::latent::learn_all;
use super::operators::LatentAutomaton;
use super::sequences::ModifierCounts;
use models::learn::{LearnError, Progress};
use sequences::automaton::{self, Automaton, BasisConfig, Hankel, SiteEstimate, learn_spectral};

pub(super) fn learn(
    counts: &ModifierCounts,
    config: &SpectralConfig,
    progress: &mut Progress<'_>,
) -> Result<Vec<LatentAutomaton>, LearnError> {
    progress.stage("spectral automata", Some(2 * counts.symbols() as u64))?;
    let rank = Rank::new(config.states)
        .ok_or_else(|| LearnError::bad_config("the number of states must be at least 1"))?;
    let (least, shrinkage) = (config.min_sequences, config.shrinkage);
    let basis =
        BasisConfig { limit: config.basis_size, ..BasisConfig::length(Hankel::Marked, config.basis.max(1)) };
    let config = automaton::SpectralConfig { basis, ..automaton::SpectralConfig::paper(rank) };
    learn_all(counts, least, progress, |_, sequences| {
        let estimate = learn_spectral(sequences, &config)?;
        let automaton = shrunken(&estimate, shrinkage)?;
        Ok((automaton, estimate.report.singular_values))
    })
}

/// The automaton with its directions weighted by how far their singular values exceed chance. Column i of an operator was
/// divided by σ_i, so that the weight makes it a ridge regression on the past.
fn shrunken(estimate: &SiteEstimate, shrinkage: f64) -> Result<Automaton, LearnError> {
    let (found, report) = (&estimate.automaton, &estimate.report);
    let noise = (shrinkage * report.noise).powi(2);
    let weight = |at: usize| match report.singular_values.get(at) {
        Some(value) if at > 0 && value * value + noise > 0.0 => value * value / (value * value + noise),
        _ => 1.0,
    };
    let weights: Vec<f64> = (0..found.states()).map(weight).collect();
    let weighted = |rows: &[f64]| -> Vec<f64> {
        rows.iter().zip(weights.iter().cycle()).map(|(entry, weight)| entry * weight).collect()
    };
    let alphabet = found.operators().len() / found.states().pow(2).max(1);
    Automaton::new(
        found.initial().to_vec(),
        weighted(found.terminal()),
        weighted(found.operators()),
        alphabet,
    )
    .map_err(|error| LearnError::failed("spectral automata", error))
}

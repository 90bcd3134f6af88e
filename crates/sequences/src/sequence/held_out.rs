//! Held-out sequences.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::automaton::SequenceCounts;
use models::learn::LearnError;

/// Holds out about this share of the sequences; returns the rest and the held-out part. Each occurrence is drawn
/// separately; the fractional part of a weight stays with the rest.
pub fn split(
    counts: &SequenceCounts,
    share: f64,
    seed: u64,
) -> Result<(SequenceCounts, SequenceCounts), LearnError> {
    if !(share > 0.0 && share < 1.0) {
        return Err(LearnError::bad_config("the share that is held out must lie between 0 and 1"));
    }
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let aside: Vec<f64> = counts
        .iter()
        .map(|(_, weight)| (0..weight as u64).filter(|_| rng.random::<f64>() < share).count() as f64)
        .collect();
    let rest = counts.iter().zip(&aside).map(|((sequence, weight), aside)| (sequence, weight - aside));
    let rest = SequenceCounts::new(counts.alphabet(), rest)?;
    let aside = counts.iter().zip(&aside).map(|((sequence, _), &aside)| (sequence, aside));
    let aside = SequenceCounts::new(counts.alphabet(), aside)?;
    if rest.is_empty() || aside.is_empty() {
        return Err(LearnError::bad_data(
            "too few sequences to hold some out; give more, or a development set",
        ));
    }
    Ok((rest, aside))
}

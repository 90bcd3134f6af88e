//! Learns the weights of decisions by AdaGrad on their likelihood.

use super::config::TokenizerConfig;
use crate::passes::Passes;
use models::learn::{LearnError, Progress};
use models::log_linear::{Cases, Rows};

/// Number of decisions processed in the order in which they are stored.
const BLOCK: usize = 64;
/// Number of decisions between two calls of the observer.
const CHUNK: usize = 1 << 14;

/// Updates the weights of decisions with `N` outcomes, and returns the number of passes in their sums.
pub(super) fn descend<const N: usize>(
    cases: &Cases,
    config: &TokenizerConfig,
    rows: &mut Rows,
    progress: &mut Progress<'_>,
) -> Result<usize, LearnError> {
    let passes = Passes { passes: config.passes, certain: config.certain, block: BLOCK, chunk: CHUNK };
    passes.descend(cases.len(), rows, progress, |number, rows| visit::<N>(cases, number, config, rows))
}

/// Learns from one decision; returns how far it was from certain.
fn visit<const N: usize>(cases: &Cases, number: usize, config: &TokenizerConfig, rows: &mut Rows) -> f32 {
    let features = cases.features(number);
    let right = usize::from(cases.label(number));
    let mut slopes = [0.0f32; N];
    features.iter().for_each(|&row| rows.add_weights(row, &mut slopes));
    let most = slopes.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    slopes.iter_mut().for_each(|score| *score = (*score - most).exp());
    let total: f32 = slopes.iter().sum();
    slopes.iter_mut().for_each(|power| *power /= total);
    let doubt = 1.0 - slopes[right];
    slopes[right] -= 1.0;
    if doubt > config.certain {
        let active: [(u16, f32); N] = std::array::from_fn(|label| (label as u16, slopes[label]));
        for &row in features {
            rows.descend(row, &slopes, &active, config.rate, config.damping);
        }
    }
    doubt
}

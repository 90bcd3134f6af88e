//! The M-step: from expected counts to parameters.

use spectral::SpectralError;

use super::expectation::Expectations;
use crate::automaton::Automaton;

/// The estimator applied to expected counts.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub enum Estimator {
    /// Relative frequencies: the likelihood never decreases.
    #[default]
    MaximumLikelihood,
    /// Every outcome of a state (a symbol with a next state, or the end) has this prior count; the parameters are those
    /// of variational Bayes, `exp ψ(c + a) / exp ψ(Σ(c + a))` (MacKay 1997; Beal 2003). Counts well below one lose to
    /// larger ones, so states that the data does not support fall out of use.
    Variational {
        /// a, above zero.
        pseudo_count: f64,
    },
}

/// The parameters for the next E-step.
pub(super) fn update(counts: &Expectations, estimator: Estimator) -> Result<Automaton, SpectralError> {
    match estimator {
        Estimator::MaximumLikelihood => assemble(counts, |count, total, _| ratio(count, total)),
        Estimator::Variational { pseudo_count } => assemble(counts, |count, total, outcomes| {
            (digamma(count + pseudo_count) - digamma(total + outcomes * pseudo_count)).exp()
        }),
    }
}

/// The parameters of the final model: probabilities that sum to one.
pub(super) fn finish(counts: &Expectations, estimator: Estimator) -> Result<Automaton, SpectralError> {
    match estimator {
        Estimator::MaximumLikelihood => update(counts, estimator),
        Estimator::Variational { pseudo_count } => assemble(counts, |count, total, outcomes| {
            (count + pseudo_count) / (total + outcomes * pseudo_count)
        }),
    }
}

fn ratio(count: f64, total: f64) -> f64 {
    if total > 0.0 { count / total } else { 0.0 }
}

/// Applies `parameter(count, sum of the counts, number of outcomes)` to the outcomes of each state.
fn assemble(
    counts: &Expectations,
    parameter: impl Fn(f64, f64, f64) -> f64,
) -> Result<Automaton, SpectralError> {
    let n = counts.initial.len();
    let mut totals = counts.stop.clone();
    for row in counts.moves.chunks_exact(n) {
        totals.iter_mut().zip(row).for_each(|(total, count)| *total += count);
    }
    let outcomes = (counts.moves.len() / n + 1) as f64;
    let begun = counts.initial.iter().sum();
    let initial = counts.initial.iter().map(|&count| parameter(count, begun, n as f64)).collect();
    let stop = counts.stop.iter().zip(&totals).map(|(&count, &total)| parameter(count, total, outcomes));
    let moves = counts
        .moves
        .chunks_exact(n)
        .flat_map(|row| row.iter().zip(&totals).map(|(&count, &total)| parameter(count, total, outcomes)));
    Automaton::new(initial, stop.collect(), moves.collect(), counts.moves.len() / (n * n))
}

/// ψ, the derivative of ln Γ, for positive arguments: the recurrence up to 6 and the asymptotic series beyond.
fn digamma(mut x: f64) -> f64 {
    let mut sum = 0.0;
    while x < 6.0 {
        sum -= 1.0 / x;
        x += 1.0;
    }
    let inverse = 1.0 / (x * x);
    let series = inverse * (1.0 / 12.0 - inverse * (1.0 / 120.0 - inverse * (1.0 / 252.0 - inverse / 240.0)));
    sum + x.ln() - 0.5 / x - series
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digamma_has_its_known_values() {
        let euler = 0.577_215_664_901_532_9;
        assert!((digamma(1.0) + euler).abs() < 1e-9);
        assert!((digamma(0.5) + euler + 2.0 * 2.0_f64.ln()).abs() < 1e-9);
        assert!((digamma(10.0) - 2.251_752_589_066_721).abs() < 1e-9);
    }
}

//! Significance of a difference between two systems: the paired bootstrap.
//!
//! Two systems A and B are scored on the same `n` sentences. The difference is δ = score(B) - score(A), each score a ratio
//! of sums over sentences. A resample draws `n` sentences with replacement, the same for both systems, and gives δ*.
//!
//! - The interval contains the middle 95 % (by default) of the δ*: the percentile interval of Efron and Tibshirani
//!   (1993, chapter 13).
//! - The p-value is that of the two-sided test of δ = 0, with δ* - δ as the null distribution of the difference:
//!   p = (1 + #{|δ* - δ| ≥ |δ|}) / (1 + B) (Efron and Tibshirani 1993, chapter 16; for the added ones, which keep p
//!   above 0, Davison and Hinkley 1997, section 4.4).
//! - `second_better` is the share of resamples in which B is better, with ties counted half, as reported by Koehn
//!   (2004).

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::counts::Ratio;
use crate::error::EvalError;

/// Configuration of the bootstrap.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BootstrapConfig {
    /// Number of resamples.
    pub resamples: usize,
    /// Confidence level of the interval, between 0 and 1.
    pub confidence: f64,
    /// Random seed; the same seed gives the same result.
    pub seed: u64,
}

impl Default for BootstrapConfig {
    /// With 10,000 resamples, a p-value near 0.05 has a standard error of 0.002.
    fn default() -> Self {
        Self { resamples: 10_000, confidence: 0.95, seed: 1 }
    }
}

/// Result of a comparison. Scores and differences are on the scale of the ratios, usually shares from 0 to 1.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Comparison {
    /// The score of the first system.
    pub first: f64,
    /// The score of the second system.
    pub second: f64,
    /// Second minus first.
    pub difference: f64,
    /// Confidence interval of the difference.
    pub interval: (f64, f64),
    /// Two-sided p-value for no difference.
    pub p_value: f64,
    /// Share of the resamples in which the second system is better.
    pub second_better: f64,
    /// Number of resamples.
    pub resamples: usize,
    /// Confidence level of the interval.
    pub confidence: f64,
}

/// Compares two systems on the same sentences in the same order.
///
/// ```
/// use eigentree_eval::{counts::Ratio, significance::{BootstrapConfig, paired_bootstrap}};
/// let worse: Vec<Ratio> = (0..200).map(|i| Ratio::of(if i % 5 == 0 { 7 } else { 8 }, 10)).collect();
/// let better: Vec<Ratio> = (0..200).map(|i| Ratio::of(if i % 7 == 0 { 8 } else { 9 }, 10)).collect();
/// let result = paired_bootstrap(&worse, &better, &BootstrapConfig::default())?;
/// assert!(result.p_value < 0.001 && result.interval.0 > 0.05);
/// # Ok::<(), eigentree_eval::error::EvalError>(())
/// ```
pub fn paired_bootstrap(
    first: &[Ratio],
    second: &[Ratio],
    config: &BootstrapConfig,
) -> Result<Comparison, EvalError> {
    check(first, second, config)?;
    let score = |ratios: &[Ratio]| ratios.iter().copied().sum::<Ratio>().value();
    let (first_score, second_score) = (score(first), score(second));
    let difference = second_score - first_score;
    let pairs: Vec<(Ratio, Ratio)> = first.iter().copied().zip(second.iter().copied()).collect();
    // Draw 32-bit indices, so that the result does not depend on the word size of the machine.
    let count = u32::try_from(pairs.len()).unwrap_or(u32::MAX);
    let mut rng = ChaCha8Rng::seed_from_u64(config.seed);
    let mut differences: Vec<f64> = (0..config.resamples)
        .map(|_| {
            let (mut one, mut other) = (Ratio::default(), Ratio::default());
            for _ in 0..pairs.len() {
                let (a, b) = pairs[rng.random_range(0..count) as usize];
                one += a;
                other += b;
            }
            other.value() - one.value()
        })
        .collect();
    // Sums in a different order differ in the last digits. Such differences do not count.
    let noise = 1e-12 * (first_score.abs() + second_score.abs() + 1.0);
    let extreme = differences.iter().filter(|d| (*d - difference).abs() >= difference.abs() - noise).count();
    let ahead = differences.iter().filter(|&&d| d > noise).count() as f64;
    let ties = differences.iter().filter(|d| d.abs() <= noise).count() as f64;
    differences.sort_unstable_by(f64::total_cmp);
    let tail = (1.0 - config.confidence) / 2.0;
    Ok(Comparison {
        first: first_score,
        second: second_score,
        difference,
        interval: (quantile(&differences, tail), quantile(&differences, 1.0 - tail)),
        p_value: (1 + extreme) as f64 / (1 + config.resamples) as f64,
        second_better: (ahead + ties / 2.0) / config.resamples as f64,
        resamples: config.resamples,
        confidence: config.confidence,
    })
}

fn check(first: &[Ratio], second: &[Ratio], config: &BootstrapConfig) -> Result<(), EvalError> {
    let refuse =
        |setting: String, reason: &str| Err(EvalError::Setting { setting, reason: reason.to_owned() });
    if first.len() != second.len() {
        return Err(EvalError::Unpaired { what: "sentences", first: first.len(), second: second.len() });
    }
    if first.is_empty() {
        return refuse("a corpus of no sentences".to_owned(), "there is nothing to resample");
    }
    if config.resamples == 0 {
        return refuse("resamples = 0".to_owned(), "use at least 1; 10,000 is usual");
    }
    if !(config.confidence > 0.0 && config.confidence < 1.0) {
        return refuse(
            format!("confidence = {}", config.confidence),
            "it must lie between 0 and 1; 0.95 is usual",
        );
    }
    Ok(())
}

/// Quantile of sorted values, interpolated between neighbours.
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let at = share * (sorted.len() - 1) as f64;
    let below = (at.floor() as usize).min(sorted.len() - 1);
    let above = (below + 1).min(sorted.len() - 1);
    sorted[below] + (at - below as f64) * (sorted[above] - sorted[below])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn coin(seed: u64, chance: f64, sentences: usize) -> Vec<Ratio> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        (0..sentences)
            .map(|_| Ratio::of((0..10).filter(|_| rng.random_bool(chance)).count() as u64, 10))
            .collect()
    }

    fn config(resamples: usize) -> BootstrapConfig {
        BootstrapConfig { resamples, ..BootstrapConfig::default() }
    }

    #[test]
    fn a_system_does_not_differ_from_itself() {
        let scores = coin(1, 0.8, 50);
        let result = paired_bootstrap(&scores, &scores, &config(500)).unwrap();
        assert_eq!((result.difference, result.interval), (0.0, (0.0, 0.0)));
        assert_eq!((result.p_value, result.second_better), (1.0, 0.5));
    }

    #[test]
    fn a_constant_gain_is_certain() {
        let first: Vec<Ratio> = (0..40).map(|_| Ratio::of(7, 10)).collect();
        let second: Vec<Ratio> = (0..40).map(|_| Ratio::of(8, 10)).collect();
        let result = paired_bootstrap(&first, &second, &config(999)).unwrap();
        assert!((result.interval.0 - 0.1).abs() < 1e-12 && (result.interval.1 - 0.1).abs() < 1e-12);
        assert_eq!((result.p_value, result.second_better), (0.001, 1.0));
    }

    #[test]
    fn exchanging_the_systems_mirrors_the_result() {
        let (first, second) = (coin(1, 0.8, 80), coin(2, 0.83, 80));
        let one = paired_bootstrap(&first, &second, &config(2_000)).unwrap();
        let other = paired_bootstrap(&second, &first, &config(2_000)).unwrap();
        assert_eq!(one.difference, -other.difference);
        assert!((one.interval.0 + other.interval.1).abs() < 1e-12);
        assert_eq!(one.p_value, other.p_value);
        assert!((one.second_better + other.second_better - 1.0).abs() < 1e-12);
        assert_eq!(one, paired_bootstrap(&first, &second, &config(2_000)).unwrap());
    }

    #[test]
    fn the_interval_is_that_of_the_normal_distribution() {
        // Independent per-sentence differences: the standard error of their mean is s / √n.
        let (first, second) = (coin(3, 0.5, 2_000), coin(4, 0.5, 2_000));
        let deltas: Vec<f64> = first.iter().zip(&second).map(|(a, b)| b.value() - a.value()).collect();
        let mean = deltas.iter().sum::<f64>() / 2_000.0;
        let variance = deltas.iter().map(|d| (d - mean).powi(2)).sum::<f64>() / 2_000.0;
        let half = 1.96 * (variance / 2_000.0).sqrt();
        let result = paired_bootstrap(&first, &second, &config(4_000)).unwrap();
        assert!((result.interval.1 - mean - half).abs() < 0.1 * half, "{result:?} {half}");
        assert!((mean - result.interval.0 - half).abs() < 0.1 * half, "{result:?} {half}");
    }

    #[test]
    fn under_no_difference_small_p_values_are_rare() {
        let rejected = (0..200)
            .filter(|&trial| {
                let (first, second) = (coin(10 + 2 * trial, 0.7, 60), coin(11 + 2 * trial, 0.7, 60));
                paired_bootstrap(&first, &second, &config(400)).unwrap().p_value < 0.05
            })
            .count();
        // Ten are expected; the standard deviation is three.
        assert!((2..=22).contains(&rejected), "{rejected} of 200");
    }

    #[test]
    fn bad_settings_are_refused() {
        let one = coin(1, 0.5, 3);
        assert!(paired_bootstrap(&one, &one[1..], &config(10)).is_err());
        assert!(paired_bootstrap(&[], &[], &config(10)).is_err());
        assert!(paired_bootstrap(&one, &one, &config(0)).is_err());
        let confidence = BootstrapConfig { confidence: f64::NAN, ..BootstrapConfig::default() };
        assert!(paired_bootstrap(&one, &one, &confidence).is_err());
    }
}

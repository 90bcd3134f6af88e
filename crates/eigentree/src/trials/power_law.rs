//! The power law of learning curves.
//!
//! *y*(*n*) = *a* − *b* *n*^−*c*, with the asymptote *a*, the loss *b* at *n* = 1 and the rate *c* > 0. For fixed *c*
//! this is linear in *a* and *b*, so the fit searches over *c* and solves for the others by least squares. Uncertainty
//! is that of a residual bootstrap (Efron 1979): the curve is fitted again to itself plus residuals drawn with
//! replacement, enlarged by √(N / (N − 3)) for the three parameters.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

/// The highest value that there can be.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Ceiling {
    /// No limit.
    None,
    /// A limit, such as 100 percent.
    At(f64),
}

/// A fitted curve.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PowerLaw {
    /// *a*, what infinitely much data would give.
    pub asymptote: f64,
    /// *b*; negative for figures that fall, such as perplexity.
    pub loss: f64,
    /// *c*.
    pub rate: f64,
}

/// Rates that are tried.
const RATES: usize = 60;
const SLOWEST: f64 = 0.03;
const FASTEST: f64 = 2.0;

impl PowerLaw {
    /// The value at `n`.
    pub fn at(&self, n: f64) -> f64 {
        self.asymptote - self.loss * n.powf(-self.rate)
    }

    /// The `n` at which the curve reaches `value`; `None` if it never does.
    pub fn reaches(&self, value: f64) -> Option<f64> {
        let share = (self.asymptote - value) / self.loss;
        (share > 0.0).then(|| share.powf(-1.0 / self.rate)).filter(|n| n.is_finite())
    }

    /// Fits points `(n, y)`, which must have at least four different `n`.
    ///
    /// ```
    /// use eigentree::trials::{Ceiling, PowerLaw};
    /// let law = PowerLaw { asymptote: 90.0, loss: 200.0, rate: 0.4 };
    /// let points: Vec<(f64, f64)> = [500.0, 1000.0, 2000.0, 4000.0, 8000.0].map(|n| (n, law.at(n))).to_vec();
    /// let fitted = PowerLaw::fit(&points, Ceiling::At(100.0)).unwrap();
    /// assert!((fitted.at(64_000.0) - law.at(64_000.0)).abs() < 0.2);
    /// ```
    pub fn fit(points: &[(f64, f64)], ceiling: Ceiling) -> Option<Self> {
        let mut sizes: Vec<f64> = points.iter().map(|&(n, _)| n).collect();
        sizes.sort_by(f64::total_cmp);
        sizes.dedup();
        if sizes.len() < 4 || sizes[0] <= 0.0 || points.iter().any(|(n, y)| !n.is_finite() || !y.is_finite())
        {
            return None;
        }
        let step = (FASTEST / SLOWEST).powf(1.0 / (RATES - 1) as f64);
        let rates = (0..RATES).map(|at| SLOWEST * step.powi(at as i32));
        let fitted = rates.map(|rate| Self::of_rate(points, rate, ceiling));
        fitted.min_by(|one, other| one.error(points).total_cmp(&other.error(points)))
    }

    /// The best curve of this rate.
    fn of_rate(points: &[(f64, f64)], rate: f64, ceiling: Ceiling) -> Self {
        let count = points.len() as f64;
        let x = |n: f64| n.powf(-rate);
        let (mean_x, mean_y) = (
            points.iter().map(|&(n, _)| x(n)).sum::<f64>() / count,
            points.iter().map(|&(_, y)| y).sum::<f64>() / count,
        );
        let (mut xx, mut xy) = (0.0, 0.0);
        for &(n, y) in points {
            xx += (x(n) - mean_x).powi(2);
            xy += (x(n) - mean_x) * (y - mean_y);
        }
        let loss = if xx > 0.0 { -xy / xx } else { 0.0 };
        let asymptote = mean_y + loss * mean_x;
        match ceiling {
            Ceiling::At(limit) if asymptote > limit => {
                let through: f64 = points.iter().map(|&(n, y)| x(n) * (limit - y)).sum();
                let squares: f64 = points.iter().map(|&(n, _)| x(n).powi(2)).sum();
                Self { asymptote: limit, loss: through / squares, rate }
            }
            _ => Self { asymptote, loss, rate },
        }
    }

    fn error(&self, points: &[(f64, f64)]) -> f64 {
        points.iter().map(|&(n, y)| (y - self.at(n)).powi(2)).sum()
    }

    /// Curves fitted to resampled data, for intervals.
    pub fn resamples(&self, points: &[(f64, f64)], ceiling: Ceiling, samples: usize, seed: u64) -> Vec<Self> {
        let count = points.len();
        let enlarged = (count as f64 / count.saturating_sub(3).max(1) as f64).sqrt();
        let residuals: Vec<f64> = points.iter().map(|&(n, y)| enlarged * (y - self.at(n))).collect();
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut draw = || {
            let resampled: Vec<(f64, f64)> = points
                .iter()
                .map(|&(n, _)| {
                    let residual = residuals[(rng.next_u64() % count as u64) as usize];
                    (n, self.at(n) + residual)
                })
                .collect();
            PowerLaw::fit(&resampled, ceiling)
        };
        (0..samples).filter_map(|_| draw()).collect()
    }
}

/// The interval that holds 95 % of some values.
pub(super) fn interval(mut values: Vec<f64>) -> Option<(f64, f64)> {
    values.retain(|value| value.is_finite());
    values.sort_by(f64::total_cmp);
    let at = |share: f64| values[((values.len() - 1) as f64 * share).round() as usize];
    (!values.is_empty()).then(|| (at(0.025), at(0.975)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noisy_curves_are_extrapolated_within_their_band() {
        let law = PowerLaw { asymptote: 88.0, loss: 150.0, rate: 0.35 };
        let mut inside = 0;
        for seed in 0..20 {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let mut points = Vec::new();
            for size in [500.0, 1000.0, 2000.0, 4000.0, 8000.0, 16_000.0] {
                for _ in 0..3 {
                    let noise = (rng.next_u64() % 1000) as f64 / 1000.0 - 0.5;
                    points.push((size, law.at(size) + 0.6 * noise));
                }
            }
            let fitted = PowerLaw::fit(&points, Ceiling::At(100.0)).unwrap();
            let samples = fitted.resamples(&points, Ceiling::At(100.0), 200, seed);
            let (low, high) = interval(samples.iter().map(|sample| sample.at(64_000.0)).collect()).unwrap();
            inside += usize::from(low <= law.at(64_000.0) && law.at(64_000.0) <= high);
        }
        // 95 % of 20, with room for chance.
        assert!(inside >= 16, "{inside} of 20");
    }

    #[test]
    fn three_sizes_are_too_few_and_targets_beyond_the_asymptote_are_never_reached() {
        assert_eq!(PowerLaw::fit(&[(1.0, 1.0), (2.0, 2.0), (3.0, 2.5)], Ceiling::None), None);
        let law = PowerLaw { asymptote: 90.0, loss: 100.0, rate: 0.5 };
        assert_eq!(law.reaches(91.0), None);
        assert!((law.reaches(89.0).unwrap() - 10_000.0).abs() < 1e-6);
    }
}

//! Sampling from finite distributions.

use rand::Rng;

/// A finite distribution, sampled by bisection of its cumulative weights.
#[derive(Clone, Debug)]
pub(crate) struct Choice {
    /// `cumulative[i]` is the weight of the outcomes `0..=i`; increasing; the last one is the total.
    cumulative: Vec<f64>,
}

impl Choice {
    /// The distribution proportional to `weights`, which must not be negative and not all zero.
    pub(crate) fn new(weights: impl IntoIterator<Item = f64>) -> Self {
        let mut total = 0.0;
        let cumulative = weights
            .into_iter()
            .map(|weight| {
                total += weight;
                total
            })
            .collect();
        Self { cumulative }
    }

    /// Draws an outcome; 0 if there are none.
    pub(crate) fn draw<R: Rng + ?Sized>(&self, rng: &mut R) -> usize {
        let total = self.cumulative.last().copied().unwrap_or(0.0);
        let point = rng.random::<f64>() * total;
        let index = self.cumulative.partition_point(|&c| c <= point);
        // Rounding may yield the total itself.
        index.min(self.cumulative.len().saturating_sub(1))
    }
}

/// A point drawn uniformly from the simplex of `n` outcomes: exponential variables divided by their sum.
pub(crate) fn random_simplex<R: Rng + ?Sized>(n: usize, rng: &mut R) -> Vec<f64> {
    let mut point: Vec<f64> = (0..n).map(|_| -(1.0 - rng.random::<f64>()).ln() + f64::MIN_POSITIVE).collect();
    let total: f64 = point.iter().sum();
    point.iter_mut().for_each(|p| *p /= total);
    point
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn frequencies_follow_the_weights() {
        let choice = Choice::new([1.0, 0.0, 3.0]);
        let mut rng = ChaCha8Rng::seed_from_u64(7);
        let mut counts = [0usize; 3];
        for _ in 0..40_000 {
            counts[choice.draw(&mut rng)] += 1;
        }
        assert_eq!(counts[1], 0);
        // Five standard deviations of a binomial with p = 1/4.
        assert!((counts[0] as f64 - 10_000.0).abs() < 5.0 * (40_000.0f64 * 0.25 * 0.75).sqrt());
    }

    #[test]
    fn a_simplex_point_sums_to_one() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let point = random_simplex(9, &mut rng);
        assert!(point.iter().all(|&p| p > 0.0));
        assert!((point.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    }
}

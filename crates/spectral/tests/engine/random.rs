//! Random probabilities and matrices for small models.

use faer::Mat;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use spectral::view::{FeatureDim, FeatureId};

pub(crate) fn rng(seed: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed)
}

/// A random distribution, uneven enough for hidden states to differ.
pub(crate) fn distribution(rng: &mut ChaCha8Rng, size: usize) -> Vec<f64> {
    let draws: Vec<f64> = (0..size).map(|_| 0.02 + rng.random::<f64>().powi(3)).collect();
    let sum: f64 = draws.iter().sum();
    draws.into_iter().map(|draw| draw / sum).collect()
}

/// `rows` random distributions.
pub(crate) fn distributions(rng: &mut ChaCha8Rng, rows: usize, size: usize) -> Vec<Vec<f64>> {
    (0..rows).map(|_| distribution(rng, size)).collect()
}

/// An index drawn from a distribution.
pub(crate) fn draw(rng: &mut ChaCha8Rng, distribution: &[f64]) -> usize {
    let mut left: f64 = rng.random();
    for (index, probability) in distribution.iter().enumerate() {
        left -= probability;
        if left < 0.0 {
            return index;
        }
    }
    distribution.len() - 1
}

/// A square matrix with entries in [−1, 1] and 2 added on the diagonal: invertible in all seeds used here.
pub(crate) fn invertible(rng: &mut ChaCha8Rng, size: usize) -> Mat<f64> {
    Mat::from_fn(size, size, |i, j| rng.random_range(-1.0..1.0) + if i == j { 2.0 } else { 0.0 })
}

pub(crate) fn id(index: usize) -> FeatureId {
    FeatureId::new(index).unwrap()
}

pub(crate) fn dim(size: usize) -> FeatureDim {
    FeatureDim::new(size).unwrap()
}

//! Weights by hashed feature during training, and their average.

use models::log_linear::RoundedWeights;

/// A weight during training, beside the sum of its squared slopes: both are read together.
#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    weight: f32,
    squares: f32,
}

/// Weights during training, changed by AdaGrad (Duchi, Hazan and Singer 2011).
///
/// ```text
/// h ← h + g²,   θ ← θ − η g / √(h + δ)
/// ```
#[derive(Clone, Debug)]
pub(super) struct Training {
    entries: Vec<Entry>,
    sums: Vec<f32>,
    summed: usize,
    rate: f32,
    damping: f32,
}

impl Training {
    pub(super) fn new(bits: u32, rate: f32, damping: f32) -> Self {
        let size = 1 << bits;
        Self { entries: vec![Entry::default(); size], sums: vec![0.0; size], summed: 0, rate, damping }
    }

    /// The sum of the weights at some places.
    #[inline]
    pub(super) fn sum(&self, places: &[u32]) -> f32 {
        places.iter().map(|&place| self.entries[place as usize].weight).sum()
    }

    /// Takes a step against the slope at some places.
    #[inline]
    pub(super) fn descend(&mut self, places: &[u32], slope: f32) {
        for &place in places {
            let Entry { weight, squares } = &mut self.entries[place as usize];
            *squares += slope * slope;
            *weight -= self.rate * slope / (*squares + self.damping).sqrt();
        }
    }

    /// Adds the current weights to the average.
    pub(super) fn remember(&mut self) {
        self.summed += 1;
        self.sums.iter_mut().zip(&self.entries).for_each(|(sum, entry)| *sum += entry.weight);
    }

    /// The average of the weights remembered.
    pub(super) fn average(mut self) -> RoundedWeights {
        let share = 1.0 / self.summed.max(1) as f32;
        self.sums.iter_mut().for_each(|sum| *sum *= share);
        RoundedWeights::round(&self.sums)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_shrink_and_the_average_is_that_of_what_was_remembered() {
        let mut training = Training::new(12, 0.5, 0.0);
        // Without damping the first step has the size of the rate, the second 1/√2 of it.
        training.descend(&[7], 2.0);
        training.remember();
        training.descend(&[7], 2.0);
        training.remember();
        assert!((training.sum(&[7]) + 0.5 + 0.5 / 2.0_f32.sqrt()).abs() < 1e-6);
        let weights = training.average();
        assert!((weights.sum(&[7]) + 0.5 + 0.25 / 2.0_f32.sqrt()).abs() < 1e-4);
        assert_eq!(weights.sum(&[8, 9]), 0.0);
    }
}

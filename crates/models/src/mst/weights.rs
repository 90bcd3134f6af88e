//! Weights by hashed feature, and their average over training.

use crate::persist::Storage;

/// Floats of one line of the cache: the features of one template and arc that differ in distance only lie within one.
const LINE: u64 = 16;

/// Where the weight of a feature is, in a table of 2ᵇ.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Bits(pub(super) u32);

impl Bits {
    /// The place of a hash.
    #[inline]
    pub(super) fn place(self, hash: u64) -> u32 {
        (hash & ((1 << self.0) - 1)) as u32
    }

    /// Another place on the same line of the cache, for the `variant` of a feature.
    #[inline]
    pub(super) fn beside(self, hash: u64, variant: u64) -> u32 {
        let place = hash & ((1 << self.0) - 1);
        let shifted = (place + 1 + variant) % LINE;
        ((place & !(LINE - 1)) | shifted) as u32
    }

    pub(super) fn len(self) -> usize {
        1 << self.0
    }
}

/// The weights of a learnt model.
#[derive(Clone, Debug)]
pub(super) struct Weights {
    pub(super) values: Storage<f32>,
}

impl Weights {
    /// The sum of the weights at `places`, which must be below the size of the table.
    #[inline]
    pub(super) fn sum(&self, places: &[u32]) -> f32 {
        sum(&self.values, places)
    }
}

/// The sum of the values at `places`: four sums, so that additions need not wait for one another.
#[inline]
pub(super) fn sum(values: &[f32], places: &[u32]) -> f32 {
    let mut sums = [0.0_f32; 4];
    let (chunks, rest) = places.as_chunks::<4>();
    for chunk in chunks {
        for (sum, &place) in sums.iter_mut().zip(chunk) {
            *sum += values[place as usize];
        }
    }
    let rest: f32 = rest.iter().map(|&place| values[place as usize]).sum();
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest
}

/// Weights in training: what they are now, and their average over all steps so far.
///
/// With `u` the sum of changes, each times the step it happened at, the average after `T` steps is `w − u/T`.
#[derive(Clone, Debug)]
pub(super) struct Averaged {
    pub(super) now: Vec<f32>,
    changes: Vec<f32>,
    steps: f64,
}

impl Averaged {
    pub(super) fn new(length: usize) -> Self {
        Self { now: vec![0.0; length], changes: vec![0.0; length], steps: 0.0 }
    }

    /// Changes one weight.
    #[inline]
    pub(super) fn change(&mut self, place: u32, by: f32) {
        self.now[place as usize] += by;
        self.changes[place as usize] += (f64::from(by) * self.steps) as f32;
    }

    /// One step is over.
    pub(super) fn step(&mut self) {
        self.steps += 1.0;
    }

    /// The average over all steps.
    pub(super) fn average(mut self) -> Weights {
        if self.steps > 0.0 {
            for (now, change) in self.now.iter_mut().zip(&self.changes) {
                *now -= (f64::from(*change) / self.steps) as f32;
            }
        }
        Weights { values: self.now.into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_average_is_that_of_all_steps() {
        let mut weights = Averaged::new(2);
        // w₀ is 1, 1, 3, 3 after the four steps: on average 2.
        weights.change(0, 1.0);
        weights.step();
        weights.step();
        weights.change(0, 2.0);
        weights.change(1, -4.0);
        weights.step();
        weights.step();
        assert_eq!(weights.average().values[..], [2.0, -2.0]);
    }

    #[test]
    fn variants_stay_on_their_line() {
        let bits = Bits(10);
        for hash in [0, 17, 1023, u64::MAX] {
            let line = bits.place(hash) / 16;
            for variant in 0..16 {
                assert_eq!(bits.beside(hash, variant) / 16, line);
            }
            assert_ne!(bits.beside(hash, 3), bits.place(hash));
        }
    }
}

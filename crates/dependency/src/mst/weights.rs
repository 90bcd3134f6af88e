//! Weights by hashed feature, and their average over training.

use super::prefetch::prefetch;
use models::log_linear::RoundedWeights;

/// Number of `f32` values per cache line: the features of one template and arc that differ only in distance share a
/// line.
const LINE: u64 = 16;

/// Number of quantised weights per cache line: features that differ only in the tag of one word share a line.
pub(super) const GROUP: u64 = 32;

/// The position of a feature's weight in a table of size 2ᵇ.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Bits(pub(super) u32);

impl Bits {
    /// The table position of a hash.
    #[inline]
    pub(super) fn place(self, hash: u64) -> u32 {
        (hash & ((1 << self.0) - 1)) as u32
    }

    /// Another position on the same cache line, for the `variant` of a feature.
    #[inline]
    pub(super) fn beside(self, hash: u64, variant: u64) -> u32 {
        let place = hash & ((1 << self.0) - 1);
        let shifted = (place + 1 + variant) % LINE;
        ((place & !(LINE - 1)) | shifted) as u32
    }

    /// A position in the group selected by `hash`, at `slot` within it: weights that are requested together are stored
    /// together.
    #[inline]
    pub(super) fn in_group(self, hash: u64, slot: u32) -> u32 {
        (hash & ((1 << self.0) - 1) & !(GROUP - 1)) as u32 | (slot & (GROUP as u32 - 1))
    }

    pub(super) fn len(self) -> usize {
        1 << self.0
    }
}

/// Weights by table position, whatever their storage.
pub(super) trait Table {
    /// The sum of the weights at `places`, which must be below the size of the table.
    fn sum(&self, places: &[u32]) -> f32;

    /// Prefetches the weights at `places`, which will be needed soon.
    fn ask(&self, places: impl IntoIterator<Item = u32>);
}

impl Table for RoundedWeights {
    #[inline]
    fn sum(&self, places: &[u32]) -> f32 {
        RoundedWeights::sum(self, places)
    }

    #[inline]
    fn ask(&self, places: impl IntoIterator<Item = u32>) {
        prefetch(&self.values, places);
    }
}

impl Table for [f32] {
    /// Four partial sums, to hide the latency of the additions.
    #[inline]
    fn sum(&self, places: &[u32]) -> f32 {
        let mut sums = [0.0_f32; 4];
        let (chunks, rest) = places.as_chunks::<4>();
        for chunk in chunks {
            for (sum, &place) in sums.iter_mut().zip(chunk) {
                *sum += self[place as usize];
            }
        }
        for (sum, &place) in sums.iter_mut().zip(rest) {
            *sum += self[place as usize];
        }
        (sums[0] + sums[1]) + (sums[2] + sums[3])
    }

    #[inline]
    fn ask(&self, places: impl IntoIterator<Item = u32>) {
        prefetch(self, places);
    }
}

/// Weights during training: current values, and their average over all steps so far.
///
/// With `u` the sum of changes, each times the step at which it happened, the average after `T` steps is `w − u/T`.
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

    /// Ends a step.
    pub(super) fn step(&mut self) {
        self.steps += 1.0;
    }

    /// The average over all steps.
    pub(super) fn average(mut self) -> Vec<f32> {
        if self.steps > 0.0 {
            for (now, change) in self.now.iter_mut().zip(&self.changes) {
                *now -= (f64::from(*change) / self.steps) as f32;
            }
        }
        self.now
    }
}

/// Rounds the mean of tables of the same length, which are made one after another; the first failure ends it.
pub(super) fn mean<E>(
    mut tables: impl ExactSizeIterator<Item = Result<Vec<f32>, E>>,
) -> Result<RoundedWeights, E> {
    let share = 1.0 / tables.len().max(1) as f32;
    let Some(first) = tables.next() else { return Ok(RoundedWeights::round(&[])) };
    let mut sum = first?;
    for table in tables {
        for (sum, value) in sum.iter_mut().zip(&table?) {
            *sum += value;
        }
    }
    // A single table stays what it is to the last bit.
    sum.iter_mut().for_each(|sum| *sum *= share);
    Ok(RoundedWeights::round(&sum))
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
        let average = weights.average();
        assert!((average[0] - 2.0).abs() < 1e-4 && (average[1] + 2.0).abs() < 1e-4);
    }

    #[test]
    fn the_mean_of_tables_is_that_of_their_weights() {
        let tables = |list: Vec<Vec<f32>>| mean(list.into_iter().map(Ok::<_, ()>)).unwrap();
        let two = tables(vec![vec![1.0, -3.0], vec![3.0, 1.0]]);
        assert!((two.sum(&[0]) - 2.0).abs() < 1e-3 && (two.sum(&[1]) + 1.0).abs() < 1e-3);
        let alone = tables(vec![vec![0.1, -0.7]]);
        assert_eq!(alone.values[..], RoundedWeights::round(&[0.1, -0.7]).values[..]);
        assert_eq!(mean([Ok(vec![1.0]), Err("stop")].into_iter()).unwrap_err(), "stop");
    }

    #[test]
    fn sums_in_four_parts_are_close_to_sums() {
        let values: Vec<f32> = (0..64).map(|at| ((at * 37 % 64) as f32 - 30.0) / 17.0).collect();
        for length in 0..64 {
            let places: Vec<u32> = (0..length).map(|at| at * 7 % 64).collect();
            let expected: f32 = places.iter().map(|&place| values[place as usize]).sum();
            assert!((values.sum(&places) - expected).abs() < 1e-4);
        }
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
            for slot in 0..32 {
                assert_eq!(bits.in_group(hash, slot) / 32, bits.place(hash) / 32);
                assert_eq!(bits.in_group(hash, slot) % 32, slot);
            }
        }
    }
}

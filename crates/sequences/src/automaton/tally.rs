//! Sums of weights by key.

use std::hash::Hash;

use foldhash::fast::FixedState;
use hashbrown::HashMap;

/// Sums of weights by key. The weights of a key are added in the order of their arrival, so that sums are reproducible.
#[derive(Clone, Debug)]
pub struct Tally<K> {
    sums: HashMap<K, f64, FixedState>,
}

impl<K> Default for Tally<K> {
    fn default() -> Self {
        Self { sums: HashMap::default() }
    }
}

impl<K: Hash + Eq + Ord + Copy> Tally<K> {
    /// Adds a weight to the sum of a key.
    pub fn add(&mut self, key: K, weight: f64) {
        *self.sums.entry(key).or_insert(0.0) += weight;
    }

    /// The keys in ascending order, with their sums.
    pub fn sorted(self) -> Vec<(K, f64)> {
        let mut all: Vec<(K, f64)> = self.sums.into_iter().collect();
        all.sort_unstable_by_key(|entry| entry.0);
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn like_keys_are_one() {
        let mut tally = Tally::default();
        for (key, weight) in [(3, 1.0), (1, 0.5), (3, 2.0), (2, 1.0), (1, 0.25)] {
            tally.add(key, weight);
        }
        assert_eq!(tally.sorted(), [(1, 0.75), (2, 1.0), (3, 3.0)]);
    }
}

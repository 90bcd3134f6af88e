//! Maps keys to dense feature ids: grows while data is read, then is frozen.

use std::hash::Hash;

use foldhash::fast::FixedState;
use hashbrown::HashMap;
use hashbrown::hash_map::Entry;

use super::feature::{FeatureDim, FeatureId};
use crate::error::SpectralError;

/// Assigns every new key the next feature id, in order of first appearance.
///
/// Keys are whatever identifies a feature in a family, often a `u64` that packs a template and its arguments. Ids
/// depend only on the order of the keys, never on the hash function.
///
/// ```
/// # use spectral::view::FeatureIndexBuilder;
/// let mut builder = FeatureIndexBuilder::new();
/// let first = builder.intern((3_u8, 700_u32))?;
/// assert_eq!(builder.intern((3, 700))?, first);
/// let index = builder.freeze();
/// assert_eq!((index.dim().size(), index.get(&(3, 700)), index.get(&(4, 1))), (1, Some(first), None));
/// # Ok::<(), spectral::SpectralError>(())
/// ```
#[derive(Clone, Debug)]
pub struct FeatureIndexBuilder<K> {
    ids: HashMap<K, FeatureId, FixedState>,
}

impl<K: Hash + Eq> FeatureIndexBuilder<K> {
    /// Creates an empty index.
    pub fn new() -> Self {
        FeatureIndexBuilder { ids: HashMap::with_hasher(FixedState::default()) }
    }

    /// The id of a key; a new key gets a new id.
    pub fn intern(&mut self, key: K) -> Result<FeatureId, SpectralError> {
        let next = self.ids.len();
        match self.ids.entry(key) {
            Entry::Occupied(entry) => Ok(*entry.get()),
            Entry::Vacant(entry) => {
                let id = FeatureId::new(next).ok_or(SpectralError::TooManyFeatures)?;
                Ok(*entry.insert(id))
            }
        }
    }

    /// Number of keys so far.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether there are no keys.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// Freezes the index: keys not seen so far have no id.
    pub fn freeze(self) -> FeatureIndex<K> {
        FeatureIndex { ids: self.ids }
    }
}

impl<K: Hash + Eq> Default for FeatureIndexBuilder<K> {
    fn default() -> Self {
        Self::new()
    }
}

/// A frozen map from keys to feature ids.
#[derive(Clone, Debug)]
pub struct FeatureIndex<K> {
    ids: HashMap<K, FeatureId, FixedState>,
}

impl<K: Hash + Eq> FeatureIndex<K> {
    /// The id of a key, if it was seen before freezing.
    pub fn get(&self, key: &K) -> Option<FeatureId> {
        self.ids.get(key).copied()
    }

    /// The number of features.
    pub fn dim(&self) -> FeatureDim {
        FeatureDim::new(self.ids.len()).expect("ids are 32-bit, so their number fits")
    }

    /// The keys in order of their ids.
    pub fn keys(&self) -> Vec<&K> {
        let mut pairs: Vec<_> = self.ids.iter().collect();
        pairs.sort_unstable_by_key(|(_, id)| **id);
        pairs.into_iter().map(|(key, _)| key).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_follow_first_appearance() {
        let mut builder = FeatureIndexBuilder::new();
        let ids: Vec<usize> =
            [90_u64, 7, 90, 1 << 60, 7].iter().map(|&key| builder.intern(key).unwrap().index()).collect();
        assert_eq!(ids, [0, 1, 0, 2, 1]);
        let index = builder.freeze();
        assert_eq!(index.keys(), [&90, &7, &(1 << 60)]);
        assert_eq!(index.dim().size(), 3);
    }
}

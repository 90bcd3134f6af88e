//! Feature ids, dimensions and sparse feature vectors.

/// One feature of a view: a column of its matrix.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(transparent)]
pub struct FeatureId(u32);

impl FeatureId {
    /// The id of column `index`, or `None` if it exceeds 32 bits.
    #[inline]
    pub fn new(index: usize) -> Option<Self> {
        u32::try_from(index).ok().filter(|&raw| raw != u32::MAX).map(Self)
    }

    /// The column of this id.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }

    #[inline]
    pub(crate) fn raw(self) -> u32 {
        self.0
    }
}

/// The number of features of a view; ids below it are valid.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(transparent)]
pub struct FeatureDim(u32);

impl FeatureDim {
    /// A dimension of `size` features, or `None` if it exceeds 32 bits.
    pub fn new(size: usize) -> Option<Self> {
        u32::try_from(size).ok().map(Self)
    }

    /// The number of features.
    #[inline]
    pub fn size(self) -> usize {
        self.0 as usize
    }

    /// Whether the id is below the dimension.
    #[inline]
    pub fn contains(self, id: FeatureId) -> bool {
        id.0 < self.0
    }

    /// All ids of the view, ascending.
    pub fn ids(self) -> impl ExactSizeIterator<Item = FeatureId> {
        (0..self.0).map(FeatureId)
    }
}

/// The features of one view of one site.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct SparseVector {
    /// Strictly ascending by id.
    entries: Vec<(FeatureId, f64)>,
}

impl SparseVector {
    /// Collects entries in any order; duplicates are summed.
    pub fn new(entries: impl IntoIterator<Item = (FeatureId, f64)>) -> Self {
        let mut entries: Vec<_> = entries.into_iter().collect();
        entries.sort_by_key(|entry| entry.0);
        entries.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 += next.1;
            }
            same
        });
        SparseVector { entries }
    }

    /// Features of value 1 each; a repeated feature gets the value 2.
    pub fn indicators(ids: impl IntoIterator<Item = FeatureId>) -> Self {
        Self::new(ids.into_iter().map(|id| (id, 1.0)))
    }

    /// The entries, in ascending order of ids.
    pub fn entries(&self) -> &[(FeatureId, f64)] {
        &self.entries
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_and_dimensions_stay_in_range() {
        assert!(FeatureId::new(u32::MAX as usize).is_none());
        let dim = FeatureDim::new(3).unwrap();
        assert_eq!(dim.ids().map(FeatureId::index).collect::<Vec<_>>(), [0, 1, 2]);
        assert!(!dim.contains(FeatureId::new(3).unwrap()));
    }

    #[test]
    fn duplicates_are_summed_and_ids_sorted() {
        let id = |index| FeatureId::new(index).unwrap();
        let vector = SparseVector::new([(id(5), 1.0), (id(2), 3.0), (id(5), 0.5)]);
        assert_eq!(vector.entries(), [(id(2), 3.0), (id(5), 1.5)]);
    }
}

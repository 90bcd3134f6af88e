//! Two views of the same sites, row by row.

use linalg::{CsrMatrix, Scalar};

use super::feature::{FeatureDim, FeatureId};
use crate::error::{SpectralError, check_weights};

/// Weights of the sites.
#[derive(Clone, PartialEq, Debug)]
pub enum SiteWeights {
    /// Every site has weight 1.
    Unit {
        /// Number of sites.
        sites: usize,
    },
    /// One finite, non-negative weight per site.
    PerSite(Vec<f64>),
}

impl SiteWeights {
    /// Number of sites.
    pub fn len(&self) -> usize {
        match self {
            SiteWeights::Unit { sites } => *sites,
            SiteWeights::PerSite(weights) => weights.len(),
        }
    }

    /// Whether there are no sites.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The weight of a site.
    #[inline]
    pub fn weight(&self, site: usize) -> f64 {
        match self {
            SiteWeights::Unit { .. } => 1.0,
            SiteWeights::PerSite(weights) => weights[site],
        }
    }

    /// The sum of all weights, `M`.
    pub fn total(&self) -> f64 {
        match self {
            SiteWeights::Unit { sites } => *sites as f64,
            SiteWeights::PerSite(weights) => weights.iter().sum(),
        }
    }
}

/// Sites with their features on both sides: Φ (M×d) and Ψ (M×d′), row s of each for site s.
#[derive(Clone, PartialEq, Debug)]
pub struct ViewPair<T> {
    left: CsrMatrix<T>,
    right: CsrMatrix<T>,
    weights: SiteWeights,
}

impl<T: Scalar> ViewPair<T> {
    /// Pairs two matrices that have one row per site.
    pub fn new(left: CsrMatrix<T>, right: CsrMatrix<T>, weights: SiteWeights) -> Result<Self, SpectralError> {
        let attempt = "pair two views";
        for (what, found) in
            [("the right view", right.nrows()), ("the vector of site weights", weights.len())]
        {
            if found != left.nrows() {
                return Err(SpectralError::SizeMismatch { attempt, what, expected: left.nrows(), found });
            }
        }
        if let SiteWeights::PerSite(weights) = &weights {
            check_weights(attempt, "the weight of site", weights.iter().copied())?;
        }
        Ok(ViewPair { left, right, weights })
    }

    /// Φ, the left (inside) view.
    pub fn left(&self) -> &CsrMatrix<T> {
        &self.left
    }

    /// Ψ, the right (outside) view.
    pub fn right(&self) -> &CsrMatrix<T> {
        &self.right
    }

    /// The weights of the sites.
    pub fn weights(&self) -> &SiteWeights {
        &self.weights
    }

    /// The number of sites.
    pub fn sites(&self) -> usize {
        self.left.nrows()
    }
}

/// One side of a [`ViewPairBuilder`].
#[derive(Clone, Debug)]
struct Rows<T> {
    indptr: Vec<usize>,
    indices: Vec<u32>,
    values: Vec<T>,
    /// The current row, kept to reuse its memory.
    row: Vec<(FeatureId, T)>,
}

impl<T: Scalar> Rows<T> {
    fn new() -> Self {
        Rows { indptr: vec![0], indices: Vec::new(), values: Vec::new(), row: Vec::new() }
    }

    fn push(&mut self, features: impl IntoIterator<Item = (FeatureId, T)>) {
        self.row.clear();
        self.row.extend(features);
        // Stable, so that duplicates are summed in the order given.
        self.row.sort_by_key(|entry| entry.0);
        let start = self.indices.len();
        for &(id, value) in &self.row {
            if self.indices.len() > start && self.indices.last() == Some(&id.raw()) {
                let last = self.values.len() - 1;
                self.values[last] += value;
            } else {
                self.indices.push(id.raw());
                self.values.push(value);
            }
        }
        self.indptr.push(self.indices.len());
    }

    fn append(&mut self, other: Self) {
        let offset = self.indices.len();
        self.indptr.extend(other.indptr[1..].iter().map(|end| end + offset));
        self.indices.extend(other.indices);
        self.values.extend(other.values);
    }

    fn finish(self, dim: FeatureDim) -> Result<CsrMatrix<T>, SpectralError> {
        let sites = self.indptr.len() - 1;
        Ok(CsrMatrix::from_raw_parts(sites, dim.size(), self.indptr, self.indices, self.values)?)
    }
}

/// Collects sites one by one; the dimensions are declared at the end, when the feature indexes are frozen.
///
/// ```
/// # use spectral::view::{FeatureDim, FeatureId, ViewPairBuilder};
/// let id = |index| FeatureId::new(index).expect("small");
/// let dim = |size| FeatureDim::new(size).expect("small");
/// let mut builder = ViewPairBuilder::<f32>::new();
/// builder.push_indicators([id(0), id(2)], [id(1)]);
/// builder.push([(id(1), 0.5)], [(id(0), 1.0)], 2.0);
/// let views = builder.finish(dim(3), dim(2))?;
/// assert_eq!((views.sites(), views.weights().total()), (2, 3.0));
/// # Ok::<(), spectral::SpectralError>(())
/// ```
#[derive(Clone, Debug)]
pub struct ViewPairBuilder<T> {
    left: Rows<T>,
    right: Rows<T>,
    weights: Vec<f64>,
}

impl<T: Scalar> ViewPairBuilder<T> {
    /// Creates a builder without sites.
    pub fn new() -> Self {
        ViewPairBuilder { left: Rows::new(), right: Rows::new(), weights: Vec::new() }
    }

    /// Adds a site. Features may be in any order; duplicates are summed.
    pub fn push(
        &mut self,
        left: impl IntoIterator<Item = (FeatureId, T)>,
        right: impl IntoIterator<Item = (FeatureId, T)>,
        weight: f64,
    ) {
        self.left.push(left);
        self.right.push(right);
        self.weights.push(weight);
    }

    /// Adds a site of weight 1 whose features all have value 1.
    pub fn push_indicators(
        &mut self,
        left: impl IntoIterator<Item = FeatureId>,
        right: impl IntoIterator<Item = FeatureId>,
    ) {
        let one = T::from_f64(1.0);
        self.push(left.into_iter().map(|id| (id, one)), right.into_iter().map(|id| (id, one)), 1.0);
    }

    /// Number of sites so far.
    pub fn sites(&self) -> usize {
        self.weights.len()
    }

    /// Appends the sites of another builder, in its order. Both must use the same feature ids.
    pub fn append(&mut self, other: Self) {
        self.left.append(other.left);
        self.right.append(other.right);
        self.weights.extend(other.weights);
    }

    /// Checks the input and builds the pair.
    pub fn finish(self, left: FeatureDim, right: FeatureDim) -> Result<ViewPair<T>, SpectralError> {
        let sites = self.weights.len();
        let weights = if self.weights.iter().all(|&weight| weight == 1.0) {
            SiteWeights::Unit { sites }
        } else {
            SiteWeights::PerSite(self.weights)
        };
        ViewPair::new(self.left.finish(left)?, self.right.finish(right)?, weights)
    }
}

impl<T: Scalar> Default for ViewPairBuilder<T> {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(index: usize) -> FeatureId {
        FeatureId::new(index).unwrap()
    }

    fn dim(size: usize) -> FeatureDim {
        FeatureDim::new(size).unwrap()
    }

    #[test]
    fn rows_are_sorted_and_duplicates_summed() {
        let mut builder = ViewPairBuilder::<f64>::new();
        builder.push_indicators([id(3), id(1), id(3)], []);
        builder.push_indicators([id(3)], [id(0)]);
        let views = builder.finish(dim(4), dim(1)).unwrap();
        assert_eq!(views.left().row(0).collect::<Vec<_>>(), [(1, 1.0), (3, 2.0)]);
        assert_eq!(views.left().row(1).collect::<Vec<_>>(), [(3, 1.0)]);
        assert_eq!(views.right().row(0).count(), 0);
        assert_eq!(views.weights(), &SiteWeights::Unit { sites: 2 });
    }

    #[test]
    fn appending_shards_is_the_same_as_reading_in_one_go() {
        let sites = [(vec![id(0), id(2)], 1.0), (vec![], 0.5), (vec![id(1)], 2.0)];
        let build = |range: std::ops::Range<usize>| {
            let mut builder = ViewPairBuilder::<f32>::new();
            for (features, weight) in &sites[range] {
                builder.push(features.iter().map(|&id| (id, 1.0)), [(id(0), 1.0)], *weight);
            }
            builder
        };
        let mut parts = build(0..1);
        parts.append(build(1..3));
        assert_eq!(parts.finish(dim(3), dim(1)).unwrap(), build(0..3).finish(dim(3), dim(1)).unwrap());
    }

    #[test]
    fn bad_sites_are_refused_with_their_kind() {
        let mut outside = ViewPairBuilder::<f64>::new();
        outside.push_indicators([id(2)], []);
        assert!(matches!(outside.finish(dim(2), dim(1)), Err(SpectralError::Sparse(_))));
        let mut nan = ViewPairBuilder::<f64>::new();
        nan.push([(id(0), f64::NAN)], [], 1.0);
        assert!(matches!(nan.finish(dim(2), dim(1)), Err(SpectralError::Sparse(_))));
        let mut negative = ViewPairBuilder::<f64>::new();
        negative.push([(id(0), 1.0)], [], -1.0);
        assert!(matches!(negative.finish(dim(2), dim(1)), Err(SpectralError::Negative { index: 0, .. })));
    }
}

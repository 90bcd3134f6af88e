//! Projection of sparse features to m dimensions.
//!
//! A projection is a d×m matrix stored by feature, with the feature scaling folded in. Projecting a sparse vector sums
//! the rows of its features:
//!
//! ```text
//!     Y = Uᵀ S φ   with rows  s_i U_i,          Z = Σ⁻¹ Vᵀ S′ ψ   with rows  s′_j V_j Σ⁻¹.
//! ```

use faer::MatRef;
use linalg::{CsrMatrix, Panel, Scalar};

use crate::error::SpectralError;
use crate::rank::Rank;
use crate::view::{FeatureDim, FeatureId, SparseVector, ViewPair};

/// A linear map from the features of one view to m dimensions.
#[derive(Clone, PartialEq, Debug)]
pub struct Projection<T: Scalar> {
    /// One row per feature.
    weights: Panel<T>,
}

impl<T: Scalar> Projection<T> {
    /// Creates a projection from the rows of its features.
    pub fn new(weights: Panel<T>) -> Result<Self, SpectralError> {
        let attempt = "make a projection";
        if weights.width() == 0 {
            return Err(SpectralError::Empty { attempt, missing: "dimensions" });
        }
        match weights.as_slice().iter().position(|value| !value.is_finite()) {
            None => Ok(Projection { weights }),
            Some(index) => {
                let index = index / weights.width();
                Err(SpectralError::NonFinite { attempt, what: "the row of feature", index })
            }
        }
    }

    /// Number of features.
    pub fn dim(&self) -> FeatureDim {
        FeatureDim::new(self.weights.nrows()).expect("views have 32-bit dimensions")
    }

    /// m
    pub fn rank(&self) -> Rank {
        Rank::new(self.weights.width()).expect("a projection has at least one dimension")
    }

    /// The image of a single feature of value 1.
    ///
    /// # Panics
    /// If the feature is outside the view.
    pub fn feature(&self, id: FeatureId) -> &[T] {
        self.weights.row(id.index())
    }

    /// The rows of all features.
    pub fn weights(&self) -> &Panel<T> {
        &self.weights
    }

    /// Returns the rows of all features.
    pub fn into_weights(self) -> Panel<T> {
        self.weights
    }

    /// Projects one vector. Features outside the view contribute nothing.
    pub fn project(&self, features: &SparseVector) -> Vec<T> {
        let mut result = vec![T::default(); self.weights.width()];
        for &(id, value) in features.entries() {
            if id.index() < self.weights.nrows() {
                let value = T::from_f64(value);
                for (sum, &weight) in result.iter_mut().zip(self.weights.row(id.index())) {
                    *sum += weight * value;
                }
            }
        }
        result
    }

    /// Projects every row of a view, on the current rayon pool.
    ///
    /// Each row is summed by one thread in storage order, so the result does not depend on the number of threads.
    pub fn project_rows(&self, view: &CsrMatrix<T>) -> Result<Panel<T>, SpectralError> {
        if view.ncols() != self.weights.nrows() {
            return Err(SpectralError::SizeMismatch {
                attempt: "project the sites of a view",
                what: "the dimension of the view",
                expected: self.weights.nrows(),
                found: view.ncols(),
            });
        }
        let mut result = Panel::zeros(0, 0);
        view.multiply(&self.weights, &mut result);
        Ok(result)
    }

    /// The projection followed by a matrix: `x ↦ M · project(x)`.
    pub fn transform(&self, matrix: MatRef<'_, f64>) -> Result<Self, SpectralError> {
        if matrix.ncols() != self.weights.width() {
            return Err(SpectralError::SizeMismatch {
                attempt: "transform a projection",
                what: "the number of columns of the matrix",
                expected: self.weights.width(),
                found: matrix.ncols(),
            });
        }
        Projection::new(Panel::from_fn(self.weights.nrows(), matrix.nrows(), |feature, i| {
            let row = self.weights.row(feature).iter().enumerate();
            T::from_f64(row.map(|(l, weight)| matrix[(i, l)] * weight.to_f64()).sum())
        }))
    }
}

/// Projections of both views to the same hidden space.
#[derive(Clone, PartialEq, Debug)]
pub struct ProjectionPair<T: Scalar> {
    /// φ ↦ Y
    pub left: Projection<T>,
    /// ψ ↦ Z
    pub right: Projection<T>,
}

impl<T: Scalar> ProjectionPair<T> {
    /// Y and Z of every site, one row per site.
    pub fn project_sites(&self, views: &ViewPair<T>) -> Result<(Panel<T>, Panel<T>), SpectralError> {
        Ok((self.left.project_rows(views.left())?, self.right.project_rows(views.right())?))
    }
}

#[cfg(test)]
mod tests {
    use faer::mat;

    use super::*;

    fn id(index: usize) -> FeatureId {
        FeatureId::new(index).unwrap()
    }

    #[test]
    fn one_vector_and_a_matrix_of_rows_agree() {
        let projection = Projection::new(Panel::from_fn(4, 3, |i, j| (i * i) as f64 - j as f64)).unwrap();
        let rows = [vec![(id(3), 1.0), (id(0), 2.0)], vec![], vec![(id(2), -0.5)]];
        let triplets =
            rows.iter().enumerate().flat_map(|(s, row)| row.iter().map(move |&(i, x)| (s, i.index(), x)));
        let matrix = CsrMatrix::from_triplets(3, 4, triplets).unwrap();
        let projected = projection.project_rows(&matrix).unwrap();
        for (s, row) in rows.iter().enumerate() {
            assert_eq!(projected.row(s), projection.project(&SparseVector::new(row.iter().copied())));
        }
        // A feature outside the view changes nothing.
        let unseen = SparseVector::new([(id(2), -0.5), (id(9), 7.0)]);
        assert_eq!(projected.row(2), projection.project(&unseen));
        assert!(projection.project_rows(&CsrMatrix::from_triplets(1, 3, []).unwrap()).is_err());
    }

    #[test]
    fn a_transformed_projection_multiplies_its_image() {
        let projection = Projection::new(Panel::from_fn(2, 2, |i, j| (1 + 2 * i + j) as f32)).unwrap();
        let changed = projection.transform(mat![[1.0, 1.0], [0.0, -1.0], [2.0, 0.0]].as_ref()).unwrap();
        assert_eq!(changed.feature(id(0)), [3.0, -2.0, 2.0]);
        assert_eq!(changed.feature(id(1)), [7.0, -4.0, 6.0]);
    }

    #[test]
    fn nan_and_empty_are_refused() {
        assert!(matches!(
            Projection::new(Panel::from_fn(3, 2, |i, _| if i == 2 { f32::NAN } else { 0.0 })),
            Err(SpectralError::NonFinite { index: 2, .. })
        ));
        assert!(matches!(Projection::new(Panel::<f32>::zeros(3, 0)), Err(SpectralError::Empty { .. })));
    }
}

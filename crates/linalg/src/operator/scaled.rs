//! An operator between two diagonal matrices.

use super::linear::LinearOperator;
use crate::panel::Panel;
use crate::scalar::Scalar;
use crate::sparse::SparseError;

/// `diag(l) A diag(r)`.
///
/// If a sparse matrix is not needed unscaled, it is better to scale it in place
/// ([`CsrMatrix::scale_rows`](crate::CsrMatrix::scale_rows)). This form is for operators that have no stored values, or
/// that must stay unscaled.
#[derive(Debug, Clone)]
pub struct ScaledOperator<T, O> {
    inner: O,
    left: Vec<T>,
    right: Vec<T>,
}

impl<T: Scalar, O: LinearOperator<T>> ScaledOperator<T, O> {
    /// Scales row i of `inner` by `left[i]` and column j by `right[j]`.
    pub fn new(inner: O, left: Vec<T>, right: Vec<T>) -> Result<Self, SparseError> {
        for (factors, size) in [(left.len(), inner.nrows()), (right.len(), inner.ncols())] {
            if factors != size {
                return Err(SparseError::FactorCount { factors, size });
            }
        }
        Ok(ScaledOperator { inner, left, right })
    }

    /// The operator without its scaling.
    pub fn inner(&self) -> &O {
        &self.inner
    }
}

impl<T: Scalar, O: LinearOperator<T>> LinearOperator<T> for ScaledOperator<T, O> {
    fn nrows(&self) -> usize {
        self.inner.nrows()
    }

    fn ncols(&self) -> usize {
        self.inner.ncols()
    }

    fn apply(&self, x: &Panel<T>, y: &mut Panel<T>) {
        let mut scaled = x.clone();
        scaled.scale_rows(&self.right);
        self.inner.apply(&scaled, y);
        y.scale_rows(&self.left);
    }

    fn apply_transpose(&self, x: &Panel<T>, y: &mut Panel<T>) {
        let mut scaled = x.clone();
        scaled.scale_rows(&self.left);
        self.inner.apply_transpose(&scaled, y);
        y.scale_rows(&self.right);
    }
}

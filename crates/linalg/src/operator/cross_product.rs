//! The cross moment of two views, applied without being formed.

use super::linear::LinearOperator;
use super::sparse::SparseOperator;
use crate::panel::Panel;
use crate::scalar::Scalar;
use crate::sparse::{CsrMatrix, SparseError};

/// `Φᵀ Ψ` for sparse view matrices Φ (samples × left features) and Ψ (samples × right features).
///
/// A sample with p left and q right features adds p·q entries to the product but costs only p + q here, so this form is
/// faster if samples have many features on both sides.
#[derive(Debug, Clone)]
pub struct CrossProduct<T> {
    left: SparseOperator<T>,
    right: SparseOperator<T>,
}

impl<T: Scalar> CrossProduct<T> {
    /// Pairs two view matrices with one row per sample.
    pub fn new(left: CsrMatrix<T>, right: CsrMatrix<T>) -> Result<Self, SparseError> {
        if left.nrows() != right.nrows() {
            return Err(SparseError::SampleMismatch { left: left.nrows(), right: right.nrows() });
        }
        Ok(CrossProduct { left: SparseOperator::new(left), right: SparseOperator::new(right) })
    }

    /// The number of samples.
    pub fn samples(&self) -> usize {
        self.left.nrows()
    }

    /// The left view Φ.
    pub fn left(&self) -> &CsrMatrix<T> {
        self.left.matrix()
    }

    /// The right view Ψ.
    pub fn right(&self) -> &CsrMatrix<T> {
        self.right.matrix()
    }
}

impl<T: Scalar> LinearOperator<T> for CrossProduct<T> {
    fn nrows(&self) -> usize {
        self.left.ncols()
    }

    fn ncols(&self) -> usize {
        self.right.ncols()
    }

    fn apply(&self, x: &Panel<T>, y: &mut Panel<T>) {
        let mut samples = Panel::zeros(0, 0);
        self.right.apply(x, &mut samples);
        self.left.apply_transpose(&samples, y);
    }

    fn apply_transpose(&self, x: &Panel<T>, y: &mut Panel<T>) {
        let mut samples = Panel::zeros(0, 0);
        self.left.apply(x, &mut samples);
        self.right.apply_transpose(&samples, y);
    }
}

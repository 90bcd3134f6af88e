//! A sparse matrix as an operator.

use super::linear::LinearOperator;
use crate::panel::Panel;
use crate::scalar::Scalar;
use crate::sparse::{Bands, CsrMatrix};

/// A sparse matrix together with its transpose, so that both products are gathers over rows.
///
/// Scattering `Aᵀ X` from the rows of `A` would save the second copy, but it needs either atomics or one result per
/// thread. Both cost more than the memory, and the latter makes the sum depend on the number of threads.
#[derive(Debug, Clone)]
pub struct SparseOperator<T> {
    matrix: CsrMatrix<T>,
    transposed: CsrMatrix<T>,
    bands: Bands,
    transposed_bands: Bands,
}

impl<T: Scalar> SparseOperator<T> {
    /// Takes the matrix and transposes it once.
    pub fn new(matrix: CsrMatrix<T>) -> Self {
        let transposed = matrix.transpose();
        let (bands, transposed_bands) = (Bands::new(&matrix), Bands::new(&transposed));
        SparseOperator { matrix, transposed, bands, transposed_bands }
    }

    /// The matrix by rows.
    pub fn matrix(&self) -> &CsrMatrix<T> {
        &self.matrix
    }

    /// The transpose by rows.
    pub fn transposed(&self) -> &CsrMatrix<T> {
        &self.transposed
    }

    /// Returns the matrix without its transpose.
    pub fn into_matrix(self) -> CsrMatrix<T> {
        self.matrix
    }
}

impl<T: Scalar> From<CsrMatrix<T>> for SparseOperator<T> {
    fn from(matrix: CsrMatrix<T>) -> Self {
        Self::new(matrix)
    }
}

impl<T: Scalar> LinearOperator<T> for SparseOperator<T> {
    fn nrows(&self) -> usize {
        self.matrix.nrows()
    }

    fn ncols(&self) -> usize {
        self.matrix.ncols()
    }

    fn apply(&self, x: &Panel<T>, y: &mut Panel<T>) {
        self.matrix.multiply_by_bands(&self.bands, x, y);
    }

    fn apply_transpose(&self, x: &Panel<T>, y: &mut Panel<T>) {
        self.transposed.multiply_by_bands(&self.transposed_bands, x, y);
    }
}

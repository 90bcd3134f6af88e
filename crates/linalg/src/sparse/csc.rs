//! The compressed sparse column matrix.

use super::csr::CsrMatrix;
use crate::scalar::Scalar;

/// A sparse matrix stored column by column: the [`CsrMatrix`] of its transpose.
#[derive(Debug, Clone, PartialEq)]
pub struct CscMatrix<T> {
    transposed: CsrMatrix<T>,
}

impl<T: Scalar> CscMatrix<T> {
    /// Interprets a row matrix as the columns of its transpose; nothing is copied.
    pub fn from_transposed(transposed: CsrMatrix<T>) -> Self {
        CscMatrix { transposed }
    }

    /// The same matrix stored by columns.
    pub fn from_csr(matrix: &CsrMatrix<T>) -> Self {
        CscMatrix { transposed: matrix.transpose() }
    }

    /// The same matrix stored by rows.
    pub fn to_csr(&self) -> CsrMatrix<T> {
        self.transposed.transpose()
    }

    /// The transpose, stored by rows.
    pub fn as_transposed(&self) -> &CsrMatrix<T> {
        &self.transposed
    }

    /// The number of rows.
    pub fn nrows(&self) -> usize {
        self.transposed.ncols()
    }

    /// The number of columns.
    pub fn ncols(&self) -> usize {
        self.transposed.nrows()
    }

    /// The number of stored entries.
    pub fn nnz(&self) -> usize {
        self.transposed.nnz()
    }

    /// The (row, value) entries of a column, rows ascending.
    pub fn column(&self, column: usize) -> impl ExactSizeIterator<Item = (usize, T)> + '_ {
        self.transposed.row(column)
    }
}

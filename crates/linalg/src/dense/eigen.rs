//! The eigenproblem of a small symmetric matrix.

use faer::diag::Diag;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::evd::{ComputeEigenvectors, self_adjoint_evd, self_adjoint_evd_scratch};
use faer::{Mat, MatRef, Par};

use super::error::DenseError;
use super::svd::check_finite;

/// Eigenvalues and eigenvectors of a symmetric matrix.
#[derive(Debug, Clone)]
pub(crate) struct Eigen {
    /// Eigenvalues, descending.
    pub(crate) values: Vec<f64>,
    /// Eigenvectors as columns, in the order of the values.
    pub(crate) vectors: Mat<f64>,
}

/// Decomposes a symmetric matrix, of which only the lower triangle is read.
pub(crate) fn symmetric_eigen(matrix: MatRef<'_, f64>) -> Result<Eigen, DenseError> {
    check_finite(matrix)?;
    let size = matrix.nrows();
    let mut vectors = Mat::zeros(size, size);
    let mut values = Diag::<f64>::zeros(size);
    let scratch =
        self_adjoint_evd_scratch::<f64>(size, ComputeEigenvectors::Yes, Par::Seq, Default::default());
    self_adjoint_evd(
        matrix,
        values.as_mut(),
        Some(vectors.as_mut()),
        Par::Seq,
        MemStack::new(&mut MemBuffer::new(scratch)),
        Default::default(),
    )
    .map_err(|_| DenseError::NoConvergence { problem: "eigenproblem", nrows: size, ncols: size })?;
    // faer orders ascending.
    let values = values.column_vector().iter().rev().copied().collect();
    let vectors = vectors.reverse_cols().to_owned();
    Ok(Eigen { values, vectors })
}

//! A dense matrix as an operator.

use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, MatMut, MatRef, Par};
use rayon::prelude::*;

use super::linear::LinearOperator;
use crate::panel::Panel;
use crate::scalar::Scalar;

/// Rows of the result that one task computes.
const CHUNK_ROWS: usize = 256;

/// A dense matrix.
#[derive(Debug, Clone)]
pub struct DenseOperator<T> {
    matrix: Mat<T>,
}

impl<T: Scalar> DenseOperator<T> {
    /// Takes the matrix.
    pub fn new(matrix: Mat<T>) -> Self {
        DenseOperator { matrix }
    }

    /// The matrix.
    pub fn matrix(&self) -> &Mat<T> {
        &self.matrix
    }
}

impl<T: Scalar> LinearOperator<T> for DenseOperator<T> {
    fn nrows(&self) -> usize {
        self.matrix.nrows()
    }

    fn ncols(&self) -> usize {
        self.matrix.ncols()
    }

    fn apply(&self, x: &Panel<T>, y: &mut Panel<T>) {
        multiply(self.matrix.as_ref(), x, y);
    }

    fn apply_transpose(&self, x: &Panel<T>, y: &mut Panel<T>) {
        multiply(self.matrix.transpose(), x, y);
    }
}

/// `y = a x` in fixed chunks of rows, each computed by one sequential product.
fn multiply<T: Scalar>(a: MatRef<'_, T>, x: &Panel<T>, y: &mut Panel<T>) {
    let width = x.width();
    y.reshape(a.nrows(), width);
    if width == 0 {
        return;
    }
    y.as_mut_slice().par_chunks_mut(CHUNK_ROWS * width).enumerate().for_each(|(chunk, out)| {
        let rows = out.len() / width;
        matmul(
            MatMut::from_row_major_slice_mut(out, rows, width),
            Accum::Replace,
            a.subrows(chunk * CHUNK_ROWS, rows),
            x.as_mat(),
            T::one_impl(),
            Par::Seq,
        );
    });
}

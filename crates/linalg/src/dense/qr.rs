//! The thin QR decomposition of a tall matrix.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::householder::{
    apply_block_householder_sequence_on_the_left_in_place_scratch,
    apply_block_householder_sequence_on_the_left_in_place_with_conj,
};
use faer::linalg::qr::no_pivoting::factor::{qr_in_place, qr_in_place_scratch, recommended_block_size};
use faer::{Conj, Mat, Par};

use crate::scalar::Scalar;

/// `A = Q R` of a tall matrix, with `Q` kept as Householder reflections.
pub(crate) struct Qr<T> {
    /// R above the diagonal, the reflections below.
    factors: Mat<T>,
    coefficients: Mat<T>,
}

/// Factorises a matrix with at least as many rows as columns, in place.
pub(crate) fn qr<T: Scalar>(mut matrix: Mat<T>) -> Qr<T> {
    let (nrows, ncols) = (matrix.nrows(), matrix.ncols());
    let block = recommended_block_size::<T>(nrows, ncols);
    let mut coefficients = Mat::zeros(block, ncols.min(nrows));
    let scratch = qr_in_place_scratch::<T>(nrows, ncols, block, Par::Seq, Default::default());
    qr_in_place(
        matrix.as_mut(),
        coefficients.as_mut(),
        Par::Seq,
        MemStack::new(&mut MemBuffer::new(scratch)),
        Default::default(),
    );
    Qr { factors: matrix, coefficients }
}

impl<T: Scalar> Qr<T> {
    /// The square upper triangular factor.
    pub(crate) fn r(&self) -> Mat<T> {
        let size = self.factors.ncols();
        Mat::from_fn(size, size, |i, j| if i <= j { self.factors[(i, j)] } else { T::default() })
    }

    /// `Q X` for a square `X`.
    pub(crate) fn q_times(&self, x: &Mat<T>) -> Mat<T> {
        let (nrows, ncols) = (self.factors.nrows(), self.factors.ncols());
        let mut result =
            Mat::from_fn(nrows, x.ncols(), |i, j| if i < ncols { x[(i, j)] } else { T::default() });
        let scratch = apply_block_householder_sequence_on_the_left_in_place_scratch::<T>(
            nrows,
            self.coefficients.nrows(),
            x.ncols(),
        );
        apply_block_householder_sequence_on_the_left_in_place_with_conj(
            self.factors.as_ref(),
            self.coefficients.as_ref(),
            Conj::No,
            result.as_mut(),
            Par::Seq,
            MemStack::new(&mut MemBuffer::new(scratch)),
        );
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn multiplies_back() {
        let matrix = Mat::<f64>::from_fn(40, 6, |i, j| ((7 * i + 3 * j * j) as f64).cos());
        let factor = qr(matrix.clone());
        assert!((factor.q_times(&factor.r()) - &matrix).norm_max() < 1e-13);
        let q = factor.q_times(&Mat::identity(6, 6));
        assert!((q.transpose() * &q - Mat::<f64>::identity(6, 6)).norm_max() < 1e-13);
    }
}

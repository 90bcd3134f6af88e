//! The thin singular value decomposition of a dense matrix.

use faer::diag::Diag;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::svd::{ComputeSvdVectors, svd, svd_scratch};
use faer::{Mat, MatRef, Par};

use super::error::DenseError;
use crate::scalar::Scalar;
use crate::svd::fix_signs;

/// `A = U diag(s) Vᵀ` with min(m, n) columns in `U` and `V`, `s` descending.
#[derive(Debug, Clone)]
pub struct ThinSvd<T> {
    /// Left singular vectors as columns.
    pub u: Mat<T>,
    /// Singular values, descending.
    pub s: Vec<T>,
    /// Right singular vectors as columns.
    pub v: Mat<T>,
}

/// The thin SVD of a dense matrix, with the sign convention of [`crate::svd`].
///
/// ```
/// let matrix = faer::mat![[0.0, -2.0], [1.0, 0.0]];
/// let svd = linalg::thin_svd(matrix.as_ref())?;
/// assert!((svd.s[0] - 2.0_f64).abs() < 1e-14 && svd.u[(0, 0)] > 0.0);
/// # Ok::<(), linalg::DenseError>(())
/// ```
pub fn thin_svd<T: Scalar>(matrix: MatRef<'_, T>) -> Result<ThinSvd<T>, DenseError> {
    let mut result = T::unsigned_thin_svd(matrix)?;
    fix_signs(result.u.as_mut(), result.v.as_mut());
    Ok(result)
}

/// The thin SVD with whatever signs the factorisation gives.
pub(crate) fn factorise<T: Scalar>(matrix: MatRef<'_, T>) -> Result<ThinSvd<T>, DenseError> {
    check_finite(matrix)?;
    let (nrows, ncols) = (matrix.nrows(), matrix.ncols());
    let size = nrows.min(ncols);
    let mut u = Mat::zeros(nrows, size);
    let mut v = Mat::zeros(ncols, size);
    let mut s = Diag::<T>::zeros(size);
    let thin = ComputeSvdVectors::Thin;
    let scratch = svd_scratch::<T>(nrows, ncols, thin, thin, Par::Seq, Default::default());
    svd(
        matrix,
        s.as_mut(),
        Some(u.as_mut()),
        Some(v.as_mut()),
        Par::Seq,
        MemStack::new(&mut MemBuffer::new(scratch)),
        Default::default(),
    )
    .map_err(|_| DenseError::NoConvergence { problem: "SVD", nrows, ncols })?;
    let s = s.column_vector().iter().copied().collect();
    Ok(ThinSvd { u, s, v })
}

pub(super) fn check_finite<T: Scalar>(matrix: MatRef<'_, T>) -> Result<(), DenseError> {
    for column in 0..matrix.ncols() {
        for row in 0..matrix.nrows() {
            if !matrix[(row, column)].is_finite() {
                return Err(DenseError::NonFinite { row, column });
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn multiplies_back_and_is_sign_fixed() {
        let matrix = Mat::<f64>::from_fn(7, 4, |i, j| ((3 * i + 5 * j) as f64).sin());
        let svd = thin_svd(matrix.as_ref()).unwrap();
        let scaled = Mat::from_fn(7, 4, |i, j| svd.u[(i, j)] * svd.s[j]);
        let back = scaled * svd.v.transpose();
        assert!((back - &matrix).norm_max() < 1e-13);
        for j in 0..4 {
            let largest = (0..7).map(|i| svd.u[(i, j)]).max_by(|a, b| a.abs().total_cmp(&b.abs())).unwrap();
            assert!(largest > 0.0);
        }
    }

    #[test]
    fn refuses_nan() {
        let mut matrix = Mat::<f32>::zeros(3, 2);
        matrix[(2, 1)] = f32::NAN;
        assert_eq!(thin_svd(matrix.as_ref()).unwrap_err(), DenseError::NonFinite { row: 2, column: 1 });
    }
}

//! The Moore–Penrose inverse of a small dense matrix.
//!
//! `A⁺ = V diag(1/σ_i) Uᵀ` over the singular values with `σ_i > cutoff · σ_1`; the rest count as zero.

use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, MatRef, Par};

use super::error::DenseError;
use crate::scalar::Scalar;

/// A pseudo-inverse, with the figures needed to judge it.
#[derive(Debug, Clone)]
pub struct PseudoInverse {
    /// `A⁺`, with as many rows as `A` has columns.
    pub matrix: Mat<f64>,
    /// The number of singular values kept.
    pub rank: usize,
    /// `σ_1 / σ_min(m, n)` over all singular values, before the cutoff; infinite for a singular matrix.
    pub condition: f64,
}

impl PseudoInverse {
    /// The least-squares solution of least norm: `A⁺ b` for every column b.
    pub fn solve(&self, right_hand_side: MatRef<'_, f64>) -> Mat<f64> {
        product(self.matrix.as_ref(), right_hand_side)
    }

    /// `B A⁺`, the solution of `X A = B` from the right.
    pub fn solve_right(&self, left_hand_side: MatRef<'_, f64>) -> Mat<f64> {
        product(left_hand_side, self.matrix.as_ref())
    }
}

/// Inverts the matrix on the singular values above `cutoff` times the largest.
///
/// ```
/// let matrix = faer::mat![[2.0, 0.0], [0.0, 0.0], [0.0, 0.5]];
/// let inverse = linalg::pseudo_inverse(matrix.as_ref(), 1e-12)?;
/// assert_eq!((inverse.rank, inverse.condition), (2, 4.0));
/// assert!((inverse.matrix[(1, 2)] - 2.0).abs() < 1e-15);
/// # Ok::<(), linalg::DenseError>(())
/// ```
pub fn pseudo_inverse(matrix: MatRef<'_, f64>, cutoff: f64) -> Result<PseudoInverse, DenseError> {
    if !(0.0..1.0).contains(&cutoff) {
        return Err(DenseError::Cutoff);
    }
    let svd = f64::unsigned_thin_svd(matrix)?;
    let largest = svd.s.first().copied().unwrap_or(0.0);
    let smallest = svd.s.last().copied().unwrap_or(0.0);
    let condition = if smallest > 0.0 { largest / smallest } else { f64::INFINITY };
    let rank = svd.s.iter().take_while(|&&value| value > 0.0 && value > cutoff * largest).count();
    let scaled = Mat::from_fn(matrix.ncols(), rank, |i, j| svd.v[(i, j)] / svd.s[j]);
    let inverse = product(scaled.as_ref(), svd.u.subcols(0, rank).transpose());
    Ok(PseudoInverse { matrix: inverse, rank, condition })
}

fn product(left: MatRef<'_, f64>, right: MatRef<'_, f64>) -> Mat<f64> {
    let mut result = Mat::zeros(left.nrows(), right.ncols());
    matmul(result.as_mut(), Accum::Replace, left, right, 1.0, Par::Seq);
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The four conditions that define the inverse (Penrose 1955).
    fn assert_penrose(a: &Mat<f64>, inverse: &Mat<f64>) {
        let left = a * inverse;
        let right = inverse * a;
        assert!((&left * a - a).norm_max() < 1e-10);
        assert!((&right * inverse - inverse).norm_max() < 1e-10);
        assert!((left.transpose() - &left).norm_max() < 1e-10);
        assert!((right.transpose() - &right).norm_max() < 1e-10);
    }

    #[test]
    fn satisfies_penrose_conditions_at_any_shape_and_rank() {
        for (m, n, rank) in [(5, 5, 5), (6, 3, 3), (3, 6, 3), (7, 5, 2), (1, 4, 1)] {
            let left = Mat::from_fn(m, rank, |i, j| ((1 + i * i * (j + 1) + 5 * j * j) as f64).sin());
            let right = Mat::from_fn(rank, n, |i, j| ((2 + j * j * (i + 1) + 3 * i) as f64).cos());
            let matrix = left * right;
            let inverse = pseudo_inverse(matrix.as_ref(), 1e-11).unwrap();
            assert_eq!(inverse.rank, rank);
            assert_penrose(&matrix, &inverse.matrix);
        }
    }

    #[test]
    fn zero_matrix_inverts_to_zero() {
        let inverse = pseudo_inverse(Mat::zeros(2, 3).as_ref(), 1e-10).unwrap();
        assert_eq!((inverse.rank, inverse.matrix.nrows(), inverse.matrix.ncols()), (0, 3, 2));
        assert!(inverse.condition.is_infinite());
        assert_eq!(inverse.matrix.norm_max(), 0.0);
    }

    #[test]
    fn cutoff_is_checked() {
        let matrix = Mat::<f64>::identity(2, 2);
        for cutoff in [-0.1, 1.0, f64::NAN] {
            assert_eq!(pseudo_inverse(matrix.as_ref(), cutoff).unwrap_err(), DenseError::Cutoff);
        }
    }

    #[test]
    fn solves_from_both_sides() {
        let matrix = Mat::from_fn(4, 4, |i, j| if i == j { 3.0 } else { 1.0 / (1 + i + 2 * j) as f64 });
        let inverse = pseudo_inverse(matrix.as_ref(), 0.0).unwrap();
        let x = Mat::from_fn(4, 2, |i, j| (i + 4 * j) as f64);
        assert!((inverse.solve((&matrix * &x).as_ref()) - &x).norm_max() < 1e-12);
        let y = x.transpose().to_owned();
        assert!((inverse.solve_right((&y * &matrix).as_ref()) - &y).norm_max() < 1e-12);
    }
}

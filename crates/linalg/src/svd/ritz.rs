//! Rayleigh–Ritz pairs and tests of convergence.

use faer::MatRef;

use super::error::SvdError;
use crate::dense::{Eigen, symmetric_eigen};

/// The eigenpairs `T y = θ y` of the projected Gram operator, with the residuals of the lifted pairs.
pub(super) struct Ritz {
    eigen: Eigen,
    /// `‖R y_last‖ = ‖G Q y − θ Q y‖`.
    residuals: Vec<f64>,
}

impl Ritz {
    /// `projected` is T (its lower triangle), `coupling` the factor R of the next block.
    pub(super) fn new(projected: MatRef<'_, f64>, coupling: MatRef<'_, f64>) -> Result<Self, SvdError> {
        let eigen = symmetric_eigen(projected)?;
        let size = projected.nrows();
        let last = eigen.vectors.subrows(size - coupling.ncols(), coupling.ncols());
        let residuals = (0..size).map(|j| (coupling * last.col(j)).norm_l2()).collect();
        Ok(Ritz { eigen, residuals })
    }

    /// θ, descending: estimates of σ².
    pub(super) fn values(&self) -> &[f64] {
        &self.eigen.values
    }

    /// The `count` leading eigenvectors as columns.
    pub(super) fn vectors(&self, count: usize) -> MatRef<'_, f64> {
        self.eigen.vectors.subcols(0, count)
    }

    /// The largest ratio of a residual `‖A v − σ u‖` to the accepted one over the `rank` leading pairs; at most 1 means
    /// converged.
    pub(super) fn excess(&self, rank: usize, tolerance: f64, epsilon: f64) -> f64 {
        let top = self.eigen.values[0].max(0.0).sqrt();
        let mut worst = 0.0_f64;
        for (&value, &residual) in self.eigen.values.iter().zip(&self.residuals).take(rank) {
            // Below this, σ² is rounding error, and there is nothing to converge to.
            if value > epsilon * self.eigen.values[0] {
                let sigma = value.sqrt();
                worst = worst.max(residual / (sigma * top) / accepted(tolerance, epsilon, sigma / top));
            }
        }
        worst
    }

    /// Whether `block` or more of the `rank` leading values are equal up to rounding, with a smaller one after them.
    /// Then there may be more such values than a Krylov space of this block size can show.
    pub(super) fn may_hide_copies(&self, rank: usize, block: usize, epsilon: f64) -> bool {
        let values = &self.eigen.values[..rank.min(self.eigen.values.len())];
        let same = 64.0 * epsilon * values[0];
        (0..values.len().saturating_sub(block))
            .any(|i| values[i + block - 1] > same && values[i] - values[i + block - 1] <= same)
    }
}

/// The accepted residual of a singular value, relative to the largest: the tolerance, or the limit of rounding. `ratio`
/// is `σ_i / σ_1`.
pub(super) fn accepted(tolerance: f64, epsilon: f64, ratio: f64) -> f64 {
    tolerance.max(16.0 * epsilon / ratio)
}

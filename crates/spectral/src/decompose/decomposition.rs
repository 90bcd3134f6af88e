//! The decomposed cross moment.

use linalg::{Panel, Scalar};

use super::config::Path;
use crate::diagnostics::SpectrumReport;
use crate::error::SpectralError;
use crate::projection::{Projection, ProjectionPair};
use crate::rank::Rank;

/// `diag(s) E[φ ψᵀ] diag(s′) ≈ U Σ Vᵀ`, cut to the chosen rank.
#[derive(Clone, Debug)]
pub struct Decomposition<T: Scalar> {
    /// U, one row per left feature.
    pub(super) left: Panel<T>,
    /// σ_1 ≥ … ≥ σ_m > 0.
    pub(super) singular_values: Vec<f64>,
    /// V, one row per right feature.
    pub(super) right: Panel<T>,
    /// s
    pub(super) left_factors: Vec<f64>,
    /// s′
    pub(super) right_factors: Vec<f64>,
    pub(super) path: Path,
    pub(super) converged: bool,
    pub(super) report: SpectrumReport,
}

impl<T: Scalar> Decomposition<T> {
    /// m
    pub fn rank(&self) -> Rank {
        Rank::new(self.singular_values.len()).expect("a rank of at least 1 was chosen")
    }

    /// U, one row per left feature, without the feature scaling.
    pub fn left(&self) -> &Panel<T> {
        &self.left
    }

    /// V, one row per right feature, without the feature scaling.
    pub fn right(&self) -> &Panel<T> {
        &self.right
    }

    /// σ_1 ≥ … ≥ σ_m.
    pub fn singular_values(&self) -> &[f64] {
        &self.singular_values
    }

    /// s, the factor of each left feature.
    pub fn left_factors(&self) -> &[f64] {
        &self.left_factors
    }

    /// s′, the factor of each right feature.
    pub fn right_factors(&self) -> &[f64] {
        &self.right_factors
    }

    /// How the cross moment was represented.
    pub fn path(&self) -> Path {
        self.path
    }

    /// Whether the SVD reached its tolerance. If not, it is still usable with
    /// [`Correction::Solve`](crate::operators::Correction::Solve).
    pub fn converged(&self) -> bool {
        self.converged
    }

    /// Diagnostics of the spectrum.
    pub fn report(&self) -> &SpectrumReport {
        &self.report
    }

    /// The projections `Y = Uᵀ S φ` and `Z = Σ⁻¹ Vᵀ S′ ψ` of raw feature vectors.
    ///
    /// Fails if a weight of Z overflows, which can happen if the moments themselves are vanishingly small.
    pub fn projections(&self) -> Result<ProjectionPair<T>, SpectralError> {
        let rank = self.singular_values.len();
        let left = Panel::from_fn(self.left.nrows(), rank, |i, j| {
            T::from_f64(self.left_factors[i] * self.left.row(i)[j].to_f64())
        });
        let right = Panel::from_fn(self.right.nrows(), rank, |i, j| {
            T::from_f64(self.right_factors[i] * self.right.row(i)[j].to_f64() / self.singular_values[j])
        });
        Ok(ProjectionPair { left: Projection::new(left)?, right: Projection::new(right)? })
    }
}

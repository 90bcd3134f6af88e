//! The SVD, and truncation to the chosen rank.

use faer::{Mat, MatRef};
use linalg::{
    CsrMatrix, LinearOperator, Panel, RankPolicy, Scalar, SvdConfig, SvdError, thin_svd, truncated_svd,
};

use super::config::{DecomposeConfig, Path};
use super::decomposition::Decomposition;
use crate::diagnostics::{SamplingError, SpectrumReport};
use crate::error::SpectralError;
use crate::rank::Spectrum;

/// Singular triplets before truncation.
pub(super) struct Triplets<T> {
    left: Mat<T>,
    right: Mat<T>,
    values: Vec<f64>,
    converged: bool,
    path: Path,
    /// Relative precision of the arithmetic.
    precision: f64,
}

/// All triplets of a sparse matrix, by a full SVD in double precision.
pub(super) fn solve_dense<T: Scalar>(omega: &CsrMatrix<f64>) -> Result<Triplets<T>, SpectralError> {
    let mut dense = Mat::<f64>::zeros(omega.nrows(), omega.ncols());
    for (row, column, value) in omega.iter() {
        dense[(row, column)] = value;
    }
    let svd = thin_svd(dense.as_ref())?;
    if svd.s.first().is_none_or(|&value| value == 0.0) {
        return Err(SpectralError::ZeroCrossMoment { sites: omega.nnz() });
    }
    let cast = |matrix: MatRef<'_, f64>| {
        Mat::from_fn(matrix.nrows(), matrix.ncols(), |i, j| T::from_f64(matrix[(i, j)]))
    };
    Ok(Triplets {
        left: cast(svd.u.as_ref()),
        right: cast(svd.v.as_ref()),
        values: svd.s,
        converged: true,
        path: Path::Dense,
        precision: f64::EPSILON,
    })
}

/// The leading triplets of an operator.
pub(super) fn solve_truncated<T: Scalar>(
    omega: &impl LinearOperator<T>,
    rank: usize,
    config: &DecomposeConfig,
    path: Path,
) -> Result<Triplets<T>, SpectralError> {
    let svd_config = SvdConfig {
        rank_policy: RankPolicy::AtMost,
        tolerance: config.tolerance,
        max_restarts: config.max_restarts,
        seed: config.seed,
        ..SvdConfig::with_rank(rank)
    };
    let svd = truncated_svd(omega, &svd_config).map_err(|error| match error {
        SvdError::ZeroMatrix { nrows, .. } => SpectralError::ZeroCrossMoment { sites: nrows },
        other => SpectralError::Svd(other),
    })?;
    Ok(Triplets {
        left: svd.u,
        right: svd.v,
        values: svd.s.iter().map(|value| value.to_f64()).collect(),
        converged: svd.converged,
        path,
        precision: T::EPSILON,
    })
}

/// What is known about a cross moment besides its triplets.
pub(super) struct Context {
    pub(super) left_factors: Vec<f64>,
    pub(super) right_factors: Vec<f64>,
    /// M
    pub(super) samples: f64,
    /// `‖Ω‖_F²`, if Ω was formed.
    pub(super) energy: Option<f64>,
    pub(super) error: SamplingError,
}

/// Chooses the rank and truncates.
pub(super) fn cut<T: Scalar>(
    triplets: Triplets<T>,
    context: Context,
    config: &DecomposeConfig,
) -> Result<Decomposition<T>, SpectralError> {
    let dims = [context.left_factors.len(), context.right_factors.len()];
    let mut spectrum = Spectrum {
        values: triplets.values,
        dimension: dims[0].min(dims[1]),
        energy: context.energy,
        precision: triplets.precision,
    };
    let choice = config.rank.choose(&spectrum, context.samples)?;
    let rank = choice.rank.get();
    // The dense path has all singular values; keep only as many as the other paths report.
    spectrum.values.truncate(config.rank.limit.get().saturating_add(1).max(rank + 1));
    let report = SpectrumReport::new(&spectrum, choice, context.samples, dims, context.error);
    let panel = |matrix: &Mat<T>| Panel::from_fn(matrix.nrows(), rank, |i, j| matrix[(i, j)]);
    Ok(Decomposition {
        left: panel(&triplets.left),
        right: panel(&triplets.right),
        singular_values: spectrum.values[..rank].to_vec(),
        left_factors: context.left_factors,
        right_factors: context.right_factors,
        path: triplets.path,
        converged: triplets.converged,
        report,
    })
}

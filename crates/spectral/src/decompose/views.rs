//! Decomposition of two views given as feature rows.

use linalg::{CsrMatrix, Scalar, SparseOperator};

use super::config::{DecomposeConfig, Path};
use super::decomposition::Decomposition;
use super::solve::{Context, cut, solve_dense, solve_truncated};
use super::{cross_moment, path};
use crate::diagnostics::{SamplingError, effective_dim};
use crate::error::SpectralError;
use crate::moments::{CountTransform, FeatureCounts};
use crate::view::ViewPair;

/// Decomposes the scaled cross moment of two views.
///
/// ```
/// # use spectral::{DecomposeConfig, Rank, RankConfig, decompose_views};
/// # use spectral::view::{FeatureDim, FeatureId, ViewPairBuilder};
/// let id = |index| FeatureId::new(index).expect("small");
/// let dim = FeatureDim::new(4).expect("small");
/// // Two hidden states: one shows features 0 and 1 on both sides, the other 2 and 3.
/// let mut sites = ViewPairBuilder::<f64>::new();
/// for (left, right) in [(0, 1), (1, 0), (0, 0), (1, 1), (2, 3), (3, 2), (2, 2), (3, 3)] {
///     sites.push_indicators([id(left)], [id(right)]);
/// }
/// let views = sites.finish(dim, dim)?;
/// let config = DecomposeConfig::new(RankConfig::fixed(Rank::new(4).expect("positive")));
/// let decomposition = decompose_views(&views, &config)?;
/// assert_eq!(decomposition.rank().get(), 2);
/// let projections = decomposition.projections()?;
/// assert_eq!(projections.left.feature(id(0)).len(), 2);
/// # Ok::<(), spectral::SpectralError>(())
/// ```
pub fn decompose_views<T: Scalar>(
    views: &ViewPair<T>,
    config: &DecomposeConfig,
) -> Result<Decomposition<T>, SpectralError> {
    config.rank.validate()?;
    let (left, right) = (views.left(), views.right());
    if left.ncols() == 0 || right.ncols() == 0 {
        return Err(SpectralError::Empty { attempt: "decompose two views", missing: "features" });
    }
    let left_counts = FeatureCounts::of_view(left, views.weights())?;
    let right_counts = FeatureCounts::of_view(right, views.weights())?;
    let left_factors = config.scaling.factors(&left_counts, CountTransform::Identity)?;
    let right_factors = config.scaling.factors(&right_counts, CountTransform::Identity)?;
    let samples = left_counts.total();
    let error = sampling_error(views, [&left_counts, &right_counts], [&left_factors, &right_factors]);
    let prior = config.rank.prior(left.ncols().min(right.ncols()), samples).rank.get();
    // One more than will be kept shows the gap.
    let computed = prior + 1;
    let (triplets, energy) = match path::choose_for_views(left, right, config, computed) {
        Path::Dense => {
            let omega: CsrMatrix<f64> = cross_moment::form(views, &left_factors, &right_factors)?;
            (solve_dense(&omega)?, Some(omega.frobenius_norm().powi(2)))
        }
        Path::Sparse => {
            let omega: CsrMatrix<T> = cross_moment::form(views, &left_factors, &right_factors)?;
            let energy = omega.frobenius_norm().powi(2);
            (solve_truncated(&SparseOperator::new(omega), computed, config, Path::Sparse)?, Some(energy))
        }
        Path::MatrixFree => {
            let omega = cross_moment::apply(views, &left_factors, &right_factors)?;
            (solve_truncated(&omega, computed, config, Path::MatrixFree)?, None)
        }
    };
    cut(triplets, Context { left_factors, right_factors, samples, energy, error }, config)
}

/// `E[‖φ‖²‖ψ‖²]` of the scaled features, and the effective number of features of each view.
fn sampling_error<T: Scalar>(
    views: &ViewPair<T>,
    counts: [&FeatureCounts; 2],
    factors: [&[f64]; 2],
) -> SamplingError {
    let squared_norm = |view: &CsrMatrix<T>, factors: &[f64], site: usize| -> f64 {
        view.row(site).map(|(feature, value)| (factors[feature] * value.to_f64()).powi(2)).sum()
    };
    let sum: f64 = (0..views.sites())
        .map(|site| {
            views.weights().weight(site)
                * squared_norm(views.left(), factors[0], site)
                * squared_norm(views.right(), factors[1], site)
        })
        .sum();
    let effective = |side: usize| {
        effective_dim(
            counts[side].masses().iter().zip(factors[side]).map(|(mass, factor)| mass * factor * factor),
        )
    };
    SamplingError { mean_square: sum / counts[0].total(), effective_dims: [effective(0), effective(1)] }
}

//! Decomposition of two views given as pair counts.

use linalg::{CsrMatrix, Scalar, SparseOperator};

use super::config::{DecomposeConfig, Path};
use super::decomposition::Decomposition;
use super::path;
use super::solve::{Context, cut, solve_dense, solve_truncated};
use crate::diagnostics::{SamplingError, effective_dim};
use crate::error::SpectralError;
use crate::moments::{CountTransform, CountWeight};
use crate::view::CountMatrix;

/// Decomposes the scaled cross moment of counts, `diag(u)^{-1/2} B diag(v)^{-1/2}`.
///
/// With [`CountTransform::Power`] every entry of that matrix is raised to that power (Stratos et al. 2015).
pub fn decompose_counts<T: Scalar, W: CountWeight>(
    counts: &CountMatrix<W>,
    transform: CountTransform,
    config: &DecomposeConfig,
) -> Result<Decomposition<T>, SpectralError> {
    config.rank.validate()?;
    let left_factors = config.scaling.factors(counts.left(), transform)?;
    let right_factors = config.scaling.factors(counts.right(), transform)?;
    let (table, total) = (counts.table(), counts.left().total());
    let dims = [table.nrows().size(), table.ncols().size()];
    let prior = config.rank.prior(dims[0].min(dims[1]), total).rank.get();
    let computed = prior + 1;
    let entry = |row: usize, column: usize, count: f64| {
        left_factors[row] * right_factors[column] * transform.of(count / total)
    };
    let (triplets, energy) = match path::choose_for_counts(dims[0], dims[1], config) {
        Path::Dense => {
            let omega: CsrMatrix<f64> = table.to_csr_with(entry)?;
            (solve_dense(&omega)?, omega.frobenius_norm().powi(2))
        }
        Path::Sparse | Path::MatrixFree => {
            let omega: CsrMatrix<T> = table.to_csr_with(entry)?;
            let energy = omega.frobenius_norm().powi(2);
            (solve_truncated(&SparseOperator::new(omega), computed, config, Path::Sparse)?, energy)
        }
    };
    let error = sampling_error(counts, transform, [&left_factors, &right_factors]);
    cut(
        triplets,
        Context { left_factors, right_factors, samples: total, energy: Some(energy), error },
        config,
    )
}

/// Sampling error of the cells as independent Poisson counts: the variance of a count `c` is `c`, that of `c^p` is
/// about `p² c^{2p-1}`, so a quarter for the square root.
fn sampling_error<W: CountWeight>(
    counts: &CountMatrix<W>,
    transform: CountTransform,
    factors: [&[f64]; 2],
) -> SamplingError {
    let total = counts.left().total();
    let sum: f64 = counts
        .table()
        .iter()
        .map(|(row, column, count)| {
            let power = transform.power();
            let variance = match transform {
                CountTransform::Identity => count.to_f64() / total,
                CountTransform::Power(_) => power * power * (count.to_f64() / total).powf(2.0 * power - 1.0),
            };
            variance * (factors[0][row] * factors[1][column]).powi(2)
        })
        .sum();
    let power = transform.power();
    let effective = |masses: &[f64], factors: &[f64]| {
        let moments = masses.iter().zip(factors).map(|(mass, factor)| mass.powf(power) * factor * factor);
        effective_dim(moments)
    };
    SamplingError {
        mean_square: sum,
        effective_dims: [
            effective(counts.left().masses(), factors[0]),
            effective(counts.right().masses(), factors[1]),
        ],
    }
}

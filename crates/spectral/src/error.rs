//! Errors of the engine, from counts to operators.

use linalg::{DenseError, SparseError, SvdError};
use thiserror::Error;

/// Why the engine failed.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum SpectralError {
    /// The input is empty.
    #[error("cannot {attempt}: there are no {missing}; check that the data was counted before this step")]
    Empty {
        /// What was attempted.
        attempt: &'static str,
        /// What is missing.
        missing: &'static str,
    },
    /// The two views never occur together, so their cross moment is zero.
    #[error(
        "cannot decompose the cross moment of two views: it is zero over {sites} sites; \
         the views share no feature pair, so no hidden state can be seen through them"
    )]
    ZeroCrossMoment {
        /// Number of sites or stored counts.
        sites: usize,
    },
    /// A number is NaN or infinite.
    #[error("cannot {attempt}: {what} {index} is NaN or infinite; check what it was computed from")]
    NonFinite {
        /// What was attempted.
        attempt: &'static str,
        /// Kind of number.
        what: &'static str,
        /// Its position.
        index: usize,
    },
    /// A count, weight or marginal is negative.
    #[error("cannot {attempt}: {what} {index} is {value}, but must not be negative")]
    Negative {
        /// What was attempted.
        attempt: &'static str,
        /// Kind of number.
        what: &'static str,
        /// Its position.
        index: usize,
        /// Its value.
        value: f64,
    },
    /// A feature id is outside the declared dimension.
    #[error(
        "cannot {attempt}: feature {id} is outside the declared dimension {dim}; declare a larger dimension"
    )]
    OutOfRange {
        /// What was attempted.
        attempt: &'static str,
        /// Feature id.
        id: usize,
        /// Declared dimension.
        dim: usize,
    },
    /// Two inputs that belong together differ in size.
    #[error("cannot {attempt}: {what} has size {found}, expected {expected}")]
    SizeMismatch {
        /// What was attempted.
        attempt: &'static str,
        /// What has the wrong size.
        what: &'static str,
        /// Expected size.
        expected: usize,
        /// Actual size.
        found: usize,
    },
    /// There are more features than ids.
    #[error(
        "cannot index another feature: all {} ids are taken; drop rare features before indexing",
        u32::MAX
    )]
    TooManyFeatures,
    /// An invalid configuration value.
    #[error("invalid configuration: {field} is {value}, but {requirement}")]
    Config {
        /// Field name.
        field: &'static str,
        /// Its value.
        value: f64,
        /// Requirement that the value violates.
        requirement: &'static str,
    },
    /// A matrix that must be inverted is (nearly) singular.
    #[error(
        "cannot {attempt}: the {size}×{size} moment matrix has only rank {rank} (condition {condition:.1e}); \
         choose a smaller rank or richer features"
    )]
    Singular {
        /// What was attempted.
        attempt: &'static str,
        /// Number of rows and columns.
        size: usize,
        /// Its numerical rank.
        rank: usize,
        /// Its condition number.
        condition: f64,
    },
    /// A sparse matrix could not be built.
    #[error("cannot build the matrix of a view")]
    Sparse(#[from] SparseError),
    /// The truncated SVD failed.
    #[error("cannot decompose the cross moment of two views")]
    Svd(#[from] SvdError),
    /// A dense factorisation failed.
    #[error("cannot solve a dense moment problem")]
    Dense(#[from] DenseError),
}

/// Fails at the first number that is not finite.
pub(crate) fn check_finite(
    attempt: &'static str,
    what: &'static str,
    values: impl IntoIterator<Item = f64>,
) -> Result<(), SpectralError> {
    match values.into_iter().position(|value| !value.is_finite()) {
        None => Ok(()),
        Some(index) => Err(SpectralError::NonFinite { attempt, what, index }),
    }
}

/// Fails at the first number that is negative or not finite.
pub(crate) fn check_weights(
    attempt: &'static str,
    what: &'static str,
    values: impl IntoIterator<Item = f64>,
) -> Result<(), SpectralError> {
    for (index, value) in values.into_iter().enumerate() {
        if !value.is_finite() {
            return Err(SpectralError::NonFinite { attempt, what, index });
        }
        if value < 0.0 {
            return Err(SpectralError::Negative { attempt, what, index, value });
        }
    }
    Ok(())
}

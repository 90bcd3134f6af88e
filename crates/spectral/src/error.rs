//! What can go wrong between counts and operators.

use linalg::{DenseError, SparseError, SvdError};
use thiserror::Error;

/// The engine could not do what it was asked.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum SpectralError {
    /// There is nothing to learn from.
    #[error("cannot {attempt}: there are no {missing}; check that the data was counted before this step")]
    Empty {
        /// What was attempted.
        attempt: &'static str,
        /// What there is none of.
        missing: &'static str,
    },
    /// The two views never occur together, so their cross moment is zero.
    #[error(
        "cannot decompose the cross moment of two views: it is zero over {sites} sites; \
         the views share no feature pair, so no hidden state can be seen through them"
    )]
    ZeroCrossMoment {
        /// The number of sites or stored counts looked at.
        sites: usize,
    },
    /// A number is NaN or infinite.
    #[error("cannot {attempt}: {what} {index} is NaN or infinite; check what it was computed from")]
    NonFinite {
        /// What was attempted.
        attempt: &'static str,
        /// Which kind of number.
        what: &'static str,
        /// Its position.
        index: usize,
    },
    /// A count, weight or marginal is negative.
    #[error("cannot {attempt}: {what} {index} is {value}, but must not be negative")]
    Negative {
        /// What was attempted.
        attempt: &'static str,
        /// Which kind of number.
        what: &'static str,
        /// Its position.
        index: usize,
        /// Its value.
        value: f64,
    },
    /// A feature id lies outside the declared dimension.
    #[error(
        "cannot {attempt}: feature {id} is outside the declared dimension {dim}; declare a larger dimension"
    )]
    OutOfRange {
        /// What was attempted.
        attempt: &'static str,
        /// The id.
        id: usize,
        /// The dimension.
        dim: usize,
    },
    /// Two things that belong together differ in size.
    #[error("cannot {attempt}: {what} has size {found}, expected {expected}")]
    SizeMismatch {
        /// What was attempted.
        attempt: &'static str,
        /// What has the wrong size.
        what: &'static str,
        /// The size it should have.
        expected: usize,
        /// The size it has.
        found: usize,
    },
    /// More features than ids can name.
    #[error(
        "cannot index another feature: all {} ids are taken; drop rare features before indexing",
        u32::MAX
    )]
    TooManyFeatures,
    /// A configured value makes no sense.
    #[error("invalid configuration: {field} is {value}, but {requirement}")]
    Config {
        /// The field.
        field: &'static str,
        /// Its value.
        value: f64,
        /// What it must satisfy.
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
        /// Rows and columns of the matrix.
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

/// Refuses the first number that is not finite.
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

/// Refuses the first number that is not finite or is negative.
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

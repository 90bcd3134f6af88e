//! Errors of the truncated SVD.

use thiserror::Error;

use crate::dense::DenseError;

/// Why a truncated SVD could not be computed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SvdError {
    /// The operator has no rows or no columns.
    #[error("cannot decompose an empty {nrows}×{ncols} matrix")]
    Empty {
        /// Rows of the operator.
        nrows: usize,
        /// Columns of the operator.
        ncols: usize,
    },
    /// A field of the configuration is out of range.
    #[error("cannot compute an SVD: `{field}` must be {expected}")]
    Config {
        /// Field name.
        field: &'static str,
        /// Valid values.
        expected: &'static str,
    },
    /// The shape has fewer triplets than requested.
    #[error(
        "cannot find {rank} singular triplets of a {nrows}×{ncols} matrix; lower the rank to {} or less",
        nrows.min(ncols)
    )]
    RankTooLarge {
        /// Requested rank.
        rank: usize,
        /// Rows of the operator.
        nrows: usize,
        /// Columns of the operator.
        ncols: usize,
    },
    /// A product with the operator has NaN or infinite values.
    #[error(
        "cannot decompose a {nrows}×{ncols} matrix: its products have NaN or infinite values; check the entries \
         and scalings of the matrix, and that their squares do not overflow"
    )]
    NonFinite {
        /// Rows of the operator.
        nrows: usize,
        /// Columns of the operator.
        ncols: usize,
    },
    /// Every product with the operator is zero.
    #[error(
        "cannot decompose a {nrows}×{ncols} matrix whose entries are all zero; check that anything was counted"
    )]
    ZeroMatrix {
        /// Rows of the operator.
        nrows: usize,
        /// Columns of the operator.
        ncols: usize,
    },
    /// The operator has fewer nonzero singular values than requested.
    #[error(
        "cannot find {requested} singular triplets: the numerical rank of the matrix is {found}; lower the rank to \
         {found} or add data"
    )]
    RankDeficient {
        /// Requested rank.
        requested: usize,
        /// Numerical rank.
        found: usize,
    },
    /// The observer stopped the computation.
    #[error("the truncated SVD was stopped")]
    Stopped,
    /// A dense subproblem failed.
    #[error("the projected problem of a truncated SVD failed")]
    Projected(#[from] DenseError),
}

//! Errors of small dense problems.

use thiserror::Error;

/// A dense factorisation failed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum DenseError {
    /// An entry is NaN or infinite.
    #[error(
        "cannot factorise a dense matrix: entry ({row}, {column}) is NaN or infinite; check what it was \
         computed from"
    )]
    NonFinite {
        /// Row of the entry.
        row: usize,
        /// Column of the entry.
        column: usize,
    },
    /// The iteration did not converge.
    #[error(
        "the dense {problem} of a {nrows}×{ncols} matrix did not converge; rescale its entries towards 1 in magnitude"
    )]
    NoConvergence {
        /// What was computed.
        problem: &'static str,
        /// Rows of the matrix.
        nrows: usize,
        /// Columns of the matrix.
        ncols: usize,
    },
    /// The relative cutoff is not a number in [0, 1).
    #[error("a relative cutoff must be at least 0 and below 1")]
    Cutoff,
}

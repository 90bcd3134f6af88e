//! Errors in the parts of a sparse matrix.

use thiserror::Error;

/// Why a sparse matrix could not be built from its parts.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SparseError {
    /// An entry lies outside the declared shape.
    #[error(
        "cannot build a {nrows}×{ncols} sparse matrix: entry ({row}, {column}) is outside; \
         declare a larger shape or drop the entry"
    )]
    OutOfBounds {
        /// Row of the entry.
        row: usize,
        /// Column of the entry.
        column: usize,
        /// Declared number of rows.
        nrows: usize,
        /// Declared number of columns.
        ncols: usize,
    },
    /// An entry is NaN or infinite.
    #[error(
        "cannot build a sparse matrix: entry ({row}, {column}) is NaN or infinite; check the counts and \
         scalings it was computed from"
    )]
    NonFinite {
        /// Row of the entry.
        row: usize,
        /// Column of the entry.
        column: usize,
    },
    /// More rows or columns than 32-bit indices can address.
    #[error("cannot build a sparse matrix with {size} rows or columns: at most {} are supported", u32::MAX)]
    TooLarge {
        /// The offending dimension.
        size: usize,
    },
    /// The row pointers do not describe the nonzeros.
    #[error("cannot build a sparse matrix: row pointers are malformed at position {position}: {expected}")]
    RowPointers {
        /// Index into the array of row pointers.
        position: usize,
        /// What was expected there.
        expected: &'static str,
    },
    /// The numbers of indices and values differ.
    #[error("cannot build a sparse matrix: {indices} column indices but {values} values")]
    LengthMismatch {
        /// Number of column indices.
        indices: usize,
        /// Number of values.
        values: usize,
    },
    /// The columns of a row are not strictly ascending.
    #[error(
        "cannot build a sparse matrix: the columns of row {row} are not strictly ascending at nonzero {position}; \
         sort them and sum duplicates, or build from triplets"
    )]
    Unsorted {
        /// The row.
        row: usize,
        /// Index into the array of column indices.
        position: usize,
    },
    /// The number of scaling factors is not the number of rows or columns.
    #[error("cannot scale a sparse matrix: {factors} factors for a dimension of {size}")]
    FactorCount {
        /// Number of factors given.
        factors: usize,
        /// Number of rows or columns.
        size: usize,
    },
    /// Two view matrices have different numbers of samples.
    #[error(
        "cannot pair two views: the left has {left} samples, the right {right}; each sample needs a row in both"
    )]
    SampleMismatch {
        /// Rows of the left view.
        left: usize,
        /// Rows of the right view.
        right: usize,
    },
}

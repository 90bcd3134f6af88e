//! The compressed sparse row matrix.

use std::ops::Range;

use super::bands::Bands;
use super::error::SparseError;
use super::kernel;
use crate::panel::Panel;
use crate::scalar::Scalar;

/// A sparse matrix stored row by row, columns ascending within a row.
///
/// Rows are addressed by `usize`, columns by `u32`. This halves the index traffic of 64-bit columns, which limits the
/// speed of a product with a panel.
#[derive(Debug, Clone, PartialEq)]
pub struct CsrMatrix<T> {
    ncols: usize,
    /// Row i has the nonzeros `indptr[i]..indptr[i + 1]`; ascending, first 0, last the number of nonzeros.
    indptr: Vec<usize>,
    /// Column of each nonzero, `< ncols`, strictly ascending within a row.
    indices: Vec<u32>,
    /// Value of each nonzero, finite.
    values: Vec<T>,
}

impl<T: Scalar> CsrMatrix<T> {
    /// Builds a matrix from (row, column, value) triplets in any order; duplicates are summed in the order given.
    ///
    /// Entries that are or sum to zero remain stored entries. Costs three counting sorts.
    ///
    /// ```
    /// # use linalg::CsrMatrix;
    /// let matrix = CsrMatrix::from_triplets(2, 3, [(1, 2, 1.0_f32), (0, 0, 2.0), (1, 2, 0.5)])?;
    /// assert_eq!(matrix.row(1).collect::<Vec<_>>(), [(2, 1.5)]);
    /// # Ok::<(), linalg::SparseError>(())
    /// ```
    pub fn from_triplets(
        nrows: usize,
        ncols: usize,
        triplets: impl IntoIterator<Item = (usize, usize, T)>,
    ) -> Result<Self, SparseError> {
        check_size(nrows)?;
        check_size(ncols)?;
        let mut entries: Vec<(u32, u32, T)> = Vec::new();
        for (row, column, value) in triplets {
            if row >= nrows || column >= ncols {
                return Err(SparseError::OutOfBounds { row, column, nrows, ncols });
            }
            // Both fit: they are below sizes that `check_size` has accepted.
            entries.push((row as u32, column as u32, value));
        }
        let starts = counting_sort_starts(nrows, entries.iter().map(|entry| entry.0));
        let mut next = starts.clone();
        let mut indices = vec![0_u32; entries.len()];
        let mut values = vec![T::default(); entries.len()];
        for (row, column, value) in entries {
            let slot = &mut next[row as usize];
            indices[*slot] = column;
            values[*slot] = value;
            *slot += 1;
        }
        // A transposition is a stable counting sort, so two of them sort each row and keep the order of duplicates.
        let mut matrix = CsrMatrix { ncols, indptr: starts, indices, values }.transpose().transpose();
        matrix.sum_duplicates();
        matrix.check_finite()?;
        Ok(matrix)
    }

    /// Builds a matrix from its arrays after checking every invariant.
    pub fn from_raw_parts(
        nrows: usize,
        ncols: usize,
        indptr: Vec<usize>,
        indices: Vec<u32>,
        values: Vec<T>,
    ) -> Result<Self, SparseError> {
        check_size(nrows)?;
        check_size(ncols)?;
        if indices.len() != values.len() {
            return Err(SparseError::LengthMismatch { indices: indices.len(), values: values.len() });
        }
        if indptr.len() != nrows + 1 {
            return Err(SparseError::RowPointers {
                position: indptr.len(),
                expected: "one pointer more than rows",
            });
        }
        if indptr[0] != 0 {
            return Err(SparseError::RowPointers { position: 0, expected: "zero first" });
        }
        if let Some(row) = (0..nrows).find(|&row| indptr[row] > indptr[row + 1]) {
            return Err(SparseError::RowPointers { position: row + 1, expected: "ascending pointers" });
        }
        if indptr[nrows] != indices.len() {
            return Err(SparseError::RowPointers {
                position: nrows,
                expected: "the number of nonzeros last",
            });
        }
        for row in 0..nrows {
            let range = indptr[row]..indptr[row + 1];
            for position in range.clone() {
                let column = indices[position] as usize;
                if column >= ncols {
                    return Err(SparseError::OutOfBounds { row, column, nrows, ncols });
                }
                if position > range.start && indices[position - 1] >= indices[position] {
                    return Err(SparseError::Unsorted { row, position });
                }
            }
        }
        let matrix = CsrMatrix { ncols, indptr, indices, values };
        matrix.check_finite()?;
        Ok(matrix)
    }

    /// The number of rows.
    pub fn nrows(&self) -> usize {
        self.indptr.len() - 1
    }

    /// The number of columns.
    pub fn ncols(&self) -> usize {
        self.ncols
    }

    /// The number of stored entries.
    pub fn nnz(&self) -> usize {
        self.indices.len()
    }

    /// Where each row starts and ends in [`indices`](Self::indices) and [`values`](Self::values).
    pub fn indptr(&self) -> &[usize] {
        &self.indptr
    }

    /// The column of each stored entry.
    pub fn indices(&self) -> &[u32] {
        &self.indices
    }

    /// The value of each stored entry.
    pub fn values(&self) -> &[T] {
        &self.values
    }

    /// The (column, value) entries of a row, columns ascending.
    pub fn row(&self, row: usize) -> impl ExactSizeIterator<Item = (usize, T)> + '_ {
        let range = self.row_range(row);
        self.indices[range.clone()]
            .iter()
            .zip(&self.values[range])
            .map(|(&column, &value)| (column as usize, value))
    }

    /// All (row, column, value) entries, row by row.
    pub fn iter(&self) -> impl Iterator<Item = (usize, usize, T)> + '_ {
        (0..self.nrows()).flat_map(move |row| self.row(row).map(move |(column, value)| (row, column, value)))
    }

    /// Frobenius norm, summed in double precision.
    pub fn frobenius_norm(&self) -> f64 {
        self.values.iter().map(|value| value.to_f64() * value.to_f64()).sum::<f64>().sqrt()
    }

    /// The transposed matrix, by a counting sort over the columns.
    pub fn transpose(&self) -> CsrMatrix<T> {
        let starts = counting_sort_starts(self.ncols, self.indices.iter().copied());
        let mut next = starts.clone();
        let mut indices = vec![0_u32; self.nnz()];
        let mut values = vec![T::default(); self.nnz()];
        for row in 0..self.nrows() {
            for position in self.row_range(row) {
                let slot = &mut next[self.indices[position] as usize];
                indices[*slot] = row as u32;
                values[*slot] = self.values[position];
                *slot += 1;
            }
        }
        CsrMatrix { ncols: self.nrows(), indptr: starts, indices, values }
    }

    /// Multiplies row i by `factors[i]`.
    pub fn scale_rows(&mut self, factors: &[T]) -> Result<(), SparseError> {
        if factors.len() != self.nrows() {
            return Err(SparseError::FactorCount { factors: factors.len(), size: self.nrows() });
        }
        for (row, &factor) in factors.iter().enumerate() {
            let range = self.row_range(row);
            for value in &mut self.values[range] {
                *value *= factor;
            }
        }
        self.check_finite()
    }

    /// Multiplies column j by `factors[j]`.
    pub fn scale_columns(&mut self, factors: &[T]) -> Result<(), SparseError> {
        if factors.len() != self.ncols {
            return Err(SparseError::FactorCount { factors: factors.len(), size: self.ncols });
        }
        for (value, &column) in self.values.iter_mut().zip(&self.indices) {
            *value *= factors[column as usize];
        }
        self.check_finite()
    }

    /// The same matrix in the other precision, or a copy in this one.
    pub fn cast<S: Scalar>(&self) -> Result<CsrMatrix<S>, SparseError> {
        let matrix = CsrMatrix {
            ncols: self.ncols,
            indptr: self.indptr.clone(),
            indices: self.indices.clone(),
            values: self.values.iter().map(|value| S::from_f64(value.to_f64())).collect(),
        };
        matrix.check_finite()?;
        Ok(matrix)
    }

    /// `y = A x`, on the current rayon pool; `y` gets the shape of the result.
    ///
    /// # Panics
    /// If `x` does not have one row per column of the matrix.
    pub fn multiply(&self, x: &Panel<T>, y: &mut Panel<T>) {
        kernel::multiply(self, &Bands::single(), x, y);
    }

    /// The same by bands of columns, which must be those of this matrix.
    pub(crate) fn multiply_by_bands(&self, bands: &Bands, x: &Panel<T>, y: &mut Panel<T>) {
        kernel::multiply(self, bands, x, y);
    }

    pub(super) fn row_range(&self, row: usize) -> Range<usize> {
        self.indptr[row]..self.indptr[row + 1]
    }

    /// Sums adjacent entries with the same column; rows must be sorted.
    fn sum_duplicates(&mut self) {
        let mut write = 0;
        let mut start = 0;
        for row in 0..self.nrows() {
            let end = self.indptr[row + 1];
            let first = write;
            for read in start..end {
                if write > first && self.indices[write - 1] == self.indices[read] {
                    let value = self.values[read];
                    self.values[write - 1] += value;
                } else {
                    self.indices[write] = self.indices[read];
                    self.values[write] = self.values[read];
                    write += 1;
                }
            }
            start = end;
            self.indptr[row + 1] = write;
        }
        self.indices.truncate(write);
        self.values.truncate(write);
    }

    fn check_finite(&self) -> Result<(), SparseError> {
        match self.values.iter().position(|value| !value.is_finite()) {
            None => Ok(()),
            Some(position) => {
                let row = self.indptr.partition_point(|&start| start <= position) - 1;
                Err(SparseError::NonFinite { row, column: self.indices[position] as usize })
            }
        }
    }
}

fn check_size(size: usize) -> Result<(), SparseError> {
    if size > u32::MAX as usize { Err(SparseError::TooLarge { size }) } else { Ok(()) }
}

/// For keys below `buckets`: the start of each bucket when the keys are sorted, and the total at the end.
fn counting_sort_starts(buckets: usize, keys: impl Iterator<Item = u32>) -> Vec<usize> {
    let mut starts = vec![0_usize; buckets + 1];
    for key in keys {
        starts[key as usize + 1] += 1;
    }
    for bucket in 0..buckets {
        starts[bucket + 1] += starts[bucket];
    }
    starts
}

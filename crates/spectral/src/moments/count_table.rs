//! Tables of pair counts.

use linalg::{CsrMatrix, Scalar};

use super::count_weight::CountWeight;
use crate::error::SpectralError;
use crate::view::{FeatureDim, FeatureId};

/// A sparse table of counts, with one row per left id.
#[derive(Clone, PartialEq, Debug)]
pub struct CountTable<W> {
    pub(super) nrows: FeatureDim,
    pub(super) ncols: FeatureDim,
    /// Row i has the cells `indptr[i]..indptr[i + 1]`.
    pub(super) indptr: Vec<usize>,
    /// Strictly ascending within a row, less than `ncols`.
    pub(super) indices: Vec<u32>,
    pub(super) counts: Vec<W>,
}

impl<W: CountWeight> CountTable<W> {
    /// Creates an empty table.
    pub fn empty(nrows: FeatureDim, ncols: FeatureDim) -> Self {
        let indptr = vec![0; nrows.size() + 1];
        CountTable { nrows, ncols, indptr, indices: Vec::new(), counts: Vec::new() }
    }

    /// Number of rows.
    pub fn nrows(&self) -> FeatureDim {
        self.nrows
    }

    /// Number of columns.
    pub fn ncols(&self) -> FeatureDim {
        self.ncols
    }

    /// Number of distinct pairs.
    pub fn cells(&self) -> usize {
        self.indices.len()
    }

    /// The count of a pair; zero if it never occurred or is outside the table.
    pub fn get(&self, row: FeatureId, column: FeatureId) -> W {
        if !self.nrows.contains(row) {
            return W::default();
        }
        let range = self.indptr[row.index()]..self.indptr[row.index() + 1];
        match self.indices[range.clone()].binary_search(&column.raw()) {
            Ok(position) => self.counts[range.start + position],
            Err(_) => W::default(),
        }
    }

    /// The cells as (row, column, count), row by row, columns ascending.
    pub fn iter(&self) -> impl Iterator<Item = (usize, usize, W)> + '_ {
        (0..self.nrows.size()).flat_map(move |row| {
            let range = self.indptr[row]..self.indptr[row + 1];
            self.indices[range.clone()]
                .iter()
                .zip(&self.counts[range])
                .map(move |(&column, &count)| (row, column as usize, count))
        })
    }

    /// Sums of the rows.
    pub fn row_sums(&self) -> Vec<f64> {
        self.indptr
            .windows(2)
            .map(|pair| self.counts[pair[0]..pair[1]].iter().map(|count| count.to_f64()).sum())
            .collect()
    }

    /// Sums of the columns.
    pub fn column_sums(&self) -> Vec<f64> {
        let mut sums = vec![0.0; self.ncols.size()];
        for (&column, count) in self.indices.iter().zip(&self.counts) {
            sums[column as usize] += count.to_f64();
        }
        sums
    }

    /// Sum of all cells.
    pub fn total(&self) -> f64 {
        self.counts.iter().map(|count| count.to_f64()).sum()
    }

    /// Adds two tables.
    pub fn merge(&self, other: &Self) -> Result<Self, SpectralError> {
        let attempt = "merge two count tables";
        for (what, expected, found) in [
            ("the number of rows of the second table", self.nrows, other.nrows),
            ("the number of columns of the second table", self.ncols, other.ncols),
        ] {
            if expected != found {
                let (expected, found) = (expected.size(), found.size());
                return Err(SpectralError::SizeMismatch { attempt, what, expected, found });
            }
        }
        let cells = self.cells() + other.cells();
        let mut merged = CountTable {
            nrows: self.nrows,
            ncols: self.ncols,
            indptr: Vec::with_capacity(self.indptr.len()),
            indices: Vec::with_capacity(cells),
            counts: Vec::with_capacity(cells),
        };
        merged.indptr.push(0);
        for row in 0..self.nrows.size() {
            let (mut i, end_i) = (self.indptr[row], self.indptr[row + 1]);
            let (mut j, end_j) = (other.indptr[row], other.indptr[row + 1]);
            while i < end_i || j < end_j {
                let left = if i < end_i { self.indices[i] } else { u32::MAX };
                let right = if j < end_j { other.indices[j] } else { u32::MAX };
                let mut count = W::default();
                if left <= right {
                    count = self.counts[i];
                    i += 1;
                }
                if right <= left {
                    // The default is zero, so this is an assignment if only the second table has the cell.
                    count = count.plus(other.counts[j]);
                    j += 1;
                }
                merged.indices.push(left.min(right));
                merged.counts.push(count);
            }
            merged.indptr.push(merged.indices.len());
        }
        Ok(merged)
    }

    /// Concatenates several tables with the same rows, each with its own block of columns.
    ///
    /// This is how contexts at several positions (for example left and right neighbours) form one view.
    pub fn beside(blocks: &[&Self]) -> Result<Self, SpectralError> {
        let attempt = "put count tables side by side";
        let first = blocks.first().ok_or(SpectralError::Empty { attempt, missing: "tables" })?;
        let mut offsets = vec![0_usize];
        for block in blocks {
            if block.nrows != first.nrows {
                let (expected, found) = (first.nrows.size(), block.nrows.size());
                let what = "the number of rows of a table";
                return Err(SpectralError::SizeMismatch { attempt, what, expected, found });
            }
            offsets.push(offsets[offsets.len() - 1] + block.ncols.size());
        }
        let ncols = FeatureDim::new(offsets[blocks.len()]).ok_or(SpectralError::TooManyFeatures)?;
        let mut table = CountTable { ncols, indptr: vec![0], ..Self::empty(first.nrows, ncols) };
        for row in 0..first.nrows.size() {
            for (block, &offset) in blocks.iter().zip(&offsets) {
                let range = block.indptr[row]..block.indptr[row + 1];
                // No overflow: the sum is below `ncols`, which is 32-bit.
                table
                    .indices
                    .extend(block.indices[range.clone()].iter().map(|&column| column + offset as u32));
                table.counts.extend_from_slice(&block.counts[range]);
            }
            table.indptr.push(table.indices.len());
        }
        Ok(table)
    }

    /// The counts as a sparse matrix, each mapped by `value(row, column, count)`.
    pub(crate) fn to_csr_with<T: Scalar>(
        &self,
        value: impl Fn(usize, usize, f64) -> f64,
    ) -> Result<CsrMatrix<T>, SpectralError> {
        let values =
            self.iter().map(|(row, column, count)| T::from_f64(value(row, column, count.to_f64()))).collect();
        Ok(CsrMatrix::from_raw_parts(
            self.nrows.size(),
            self.ncols.size(),
            self.indptr.clone(),
            self.indices.clone(),
            values,
        )?)
    }

    /// The counts as a sparse matrix.
    pub fn to_csr<T: Scalar>(&self) -> Result<CsrMatrix<T>, SpectralError> {
        self.to_csr_with(|_, _, count| count)
    }
}

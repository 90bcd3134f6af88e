//! Bands of columns, for products that stay in cache.
//!
//! A product reads one row of the operand per nonzero. An operand of hundreds of thousands of rows does not fit into
//! the cache, and each read waits for memory. Processed in bands of columns, the product reads from a small part of the
//! operand at a time, at the price of one more pass over the result per band. Columns are ascending within a row, so a
//! band of a row is a contiguous piece of it and nothing has to be moved: only the borders are stored. The order of
//! summation does not change.

use super::csr::CsrMatrix;
use crate::scalar::Scalar;

/// Columns per band: with 16 `f32` each, 4 MiB of the operand. Narrower bands fit the cache even better, but their
/// pieces of rows are so short that the loop overhead exceeds the gain (measured down to 8192).
const COLUMNS: usize = 1 << 16;

/// Fewest nonzeros per row and band, on average, for which bands pay.
const LEAST_NONZEROS: usize = 32;

/// Where each row crosses from one band of columns to the next.
#[derive(Debug, Clone)]
pub(crate) struct Bands {
    /// `borders[b][i]` is the first nonzero of row i beyond band b; the last band ends with the row.
    borders: Vec<Vec<usize>>,
}

impl Bands {
    /// One band of all columns.
    pub(super) fn single() -> Self {
        Bands { borders: Vec::new() }
    }

    /// As many bands as pay off for this matrix.
    pub(crate) fn new<T: Scalar>(matrix: &CsrMatrix<T>) -> Self {
        let dense_enough = matrix.nnz() / (LEAST_NONZEROS * matrix.nrows().max(1));
        let count = matrix.ncols().div_ceil(COLUMNS).min(dense_enough).max(1);
        let columns = matrix.ncols().div_ceil(count);
        let mut borders: Vec<Vec<usize>> = vec![Vec::with_capacity(matrix.nrows()); count - 1];
        for row in 0..matrix.nrows() {
            let range = matrix.row_range(row);
            let mut position = range.start;
            for (band, border) in borders.iter_mut().enumerate() {
                let beyond = (band + 1) * columns;
                while position < range.end && (matrix.indices()[position] as usize) < beyond {
                    position += 1;
                }
                border.push(position);
            }
        }
        Bands { borders }
    }

    /// For each band, its number and where its nonzeros start and end in each row.
    pub(super) fn iter<'a>(
        &'a self,
        indptr: &'a [usize],
    ) -> impl Iterator<Item = (usize, &'a [usize], &'a [usize])> + 'a {
        let rows = indptr.len() - 1;
        (0..=self.borders.len()).map(move |band| {
            let starts = if band == 0 { &indptr[..rows] } else { &self.borders[band - 1] };
            let ends = self.borders.get(band).map_or(&indptr[1..], Vec::as_slice);
            (band, starts, ends)
        })
    }
}

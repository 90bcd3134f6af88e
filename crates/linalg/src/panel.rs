//! A block of a few dense vectors, stored by rows.
//!
//! A sparse product touches one row of the operand per nonzero. Stored by rows, that is one contiguous read of
//! `width` numbers (one cache line for 16 `f32`), where column-major storage would take `width` scattered ones.

use faer::{Mat, MatMut, MatRef};

use crate::scalar::Scalar;

/// The first entry is at a multiple of this many bytes, so that a row of 16 `f32` is one cache line and not parts of
/// two. This saves about a sixth of the time of a sparse product.
const ALIGNMENT: usize = 64;

/// `nrows × width` numbers, row by row.
#[derive(Debug)]
pub struct Panel<T> {
    nrows: usize,
    width: usize,
    /// Entry (i, j) is at `start + i * width + j`.
    values: Vec<T>,
    /// Entries skipped for alignment.
    start: usize,
}

impl<T: Scalar> Panel<T> {
    /// A panel of zeros.
    pub fn zeros(nrows: usize, width: usize) -> Self {
        // Zeroed pages come untouched from the system and cost nothing until they are written.
        let values = vec![T::default(); nrows * width + spare::<T>()];
        let start = first_aligned(&values);
        Panel { nrows, width, values, start }
    }

    /// A panel whose entry (i, j) is `entry(i, j)`, called row by row.
    pub fn from_fn(nrows: usize, width: usize, mut entry: impl FnMut(usize, usize) -> T) -> Self {
        let mut panel = Self::zeros(nrows, width);
        for i in 0..nrows {
            for (j, value) in panel.row_mut(i).iter_mut().enumerate() {
                *value = entry(i, j);
            }
        }
        panel
    }

    /// The columns of a dense matrix as a panel.
    pub fn from_mat(matrix: MatRef<'_, T>) -> Self {
        Self::from_fn(matrix.nrows(), matrix.ncols(), |i, j| matrix[(i, j)])
    }

    /// Changes the shape and keeps the memory. The entries are unspecified afterwards.
    pub fn reshape(&mut self, nrows: usize, width: usize) {
        self.nrows = nrows;
        self.width = width;
        self.values.resize(nrows * width + spare::<T>(), T::default());
        self.start = first_aligned(&self.values);
    }

    /// The length of each vector.
    pub fn nrows(&self) -> usize {
        self.nrows
    }

    /// The number of vectors.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Entry `row` of every vector.
    pub fn row(&self, row: usize) -> &[T] {
        &self.as_slice()[row * self.width..(row + 1) * self.width]
    }

    /// Entry `row` of every vector, for writing.
    pub fn row_mut(&mut self, row: usize) -> &mut [T] {
        let width = self.width;
        &mut self.as_mut_slice()[row * width..(row + 1) * width]
    }

    /// All entries, row by row.
    pub fn as_slice(&self) -> &[T] {
        &self.values[self.start..self.start + self.nrows * self.width]
    }

    /// All entries, row by row, for writing.
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        &mut self.values[self.start..self.start + self.nrows * self.width]
    }

    /// The panel as a faer matrix view.
    pub fn as_mat(&self) -> MatRef<'_, T> {
        MatRef::from_row_major_slice(self.as_slice(), self.nrows, self.width)
    }

    /// The panel as a mutable faer matrix view.
    pub fn as_mat_mut(&mut self) -> MatMut<'_, T> {
        let (nrows, width) = (self.nrows, self.width);
        MatMut::from_row_major_slice_mut(self.as_mut_slice(), nrows, width)
    }

    /// A copy as an owned column-major matrix.
    pub fn to_mat(&self) -> Mat<T> {
        self.as_mat().to_owned()
    }

    /// Multiplies row i by `factors[i]`.
    ///
    /// # Panics
    /// If there is not one factor per row.
    pub fn scale_rows(&mut self, factors: &[T]) {
        assert_eq!(factors.len(), self.nrows, "one factor per row of the panel");
        for (row, &factor) in factors.iter().enumerate() {
            for value in self.row_mut(row) {
                *value *= factor;
            }
        }
    }
}

impl<T: Scalar> Clone for Panel<T> {
    fn clone(&self) -> Self {
        let mut copy = Self::zeros(self.nrows, self.width);
        copy.as_mut_slice().copy_from_slice(self.as_slice());
        copy
    }
}

impl<T: Scalar> PartialEq for Panel<T> {
    fn eq(&self, other: &Self) -> bool {
        (self.nrows, self.width) == (other.nrows, other.width) && self.as_slice() == other.as_slice()
    }
}

/// Extra entries to allocate, so that the first used one can be aligned.
fn spare<T>() -> usize {
    ALIGNMENT / size_of::<T>()
}

/// The first entry at an aligned address, or entry 0 if the platform cannot tell.
fn first_aligned<T>(values: &[T]) -> usize {
    let offset = values.as_ptr().align_offset(ALIGNMENT);
    if offset <= spare::<T>() { offset } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_contiguous_and_views_agree() {
        let panel = Panel::<f32>::from_fn(3, 2, |i, j| (10 * i + j) as f32);
        assert_eq!(panel.row(1), &[10.0, 11.0]);
        assert_eq!(panel.as_mat()[(2, 1)], 21.0);
        assert_eq!(Panel::from_mat(panel.to_mat().as_ref()), panel);
    }

    #[test]
    fn storage_stays_aligned() {
        let mut panel = Panel::<f32>::zeros(3, 16);
        for (nrows, width) in [(1, 1), (1000, 16), (7, 3), (20_000, 32)] {
            panel.reshape(nrows, width);
            assert_eq!(panel.as_slice().len(), nrows * width);
            assert_eq!(panel.clone().as_slice().as_ptr().align_offset(ALIGNMENT), 0);
            assert_eq!(panel.as_slice().as_ptr().align_offset(ALIGNMENT), 0);
        }
    }

    #[test]
    fn scaling_multiplies_rows() {
        let mut panel = Panel::<f64>::from_fn(2, 2, |_, j| 1.0 + j as f64);
        panel.scale_rows(&[3.0, -1.0]);
        assert_eq!(panel.as_slice(), &[3.0, 6.0, -1.0, -2.0]);
    }
}

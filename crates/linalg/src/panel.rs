//! A block of a few dense vectors, stored by rows.
//!
//! A sparse product touches one row of the operand per nonzero. Stored by rows, that is one contiguous read of
//! `width` numbers (one cache line for 16 `f32`), where column-major storage would take `width` scattered ones.

use faer::{Mat, MatMut, MatRef};

use crate::scalar::Scalar;

/// `nrows × width` numbers, row after row.
#[derive(Debug, Clone, PartialEq)]
pub struct Panel<T> {
    nrows: usize,
    width: usize,
    /// `values.len() == nrows * width`; entry (i, j) is at `i * width + j`.
    values: Vec<T>,
}

impl<T: Scalar> Panel<T> {
    /// A panel of zeros.
    pub fn zeros(nrows: usize, width: usize) -> Self {
        Panel { nrows, width, values: vec![T::default(); nrows * width] }
    }

    /// A panel whose entry (i, j) is `entry(i, j)`, called row by row.
    pub fn from_fn(nrows: usize, width: usize, mut entry: impl FnMut(usize, usize) -> T) -> Self {
        let mut values = Vec::with_capacity(nrows * width);
        for i in 0..nrows {
            for j in 0..width {
                values.push(entry(i, j));
            }
        }
        Panel { nrows, width, values }
    }

    /// The columns of a dense matrix as a panel.
    pub fn from_mat(matrix: MatRef<'_, T>) -> Self {
        Self::from_fn(matrix.nrows(), matrix.ncols(), |i, j| matrix[(i, j)])
    }

    /// Takes the given shape and keeps the memory; the entries are unspecified afterwards.
    pub fn reshape(&mut self, nrows: usize, width: usize) {
        self.nrows = nrows;
        self.width = width;
        self.values.resize(nrows * width, T::default());
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
        &self.values[row * self.width..(row + 1) * self.width]
    }

    /// Entry `row` of every vector, for writing.
    pub fn row_mut(&mut self, row: usize) -> &mut [T] {
        &mut self.values[row * self.width..(row + 1) * self.width]
    }

    /// All entries, row after row.
    pub fn as_slice(&self) -> &[T] {
        &self.values
    }

    /// All entries, row after row, for writing.
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        &mut self.values
    }

    /// The panel as a faer matrix view.
    pub fn as_mat(&self) -> MatRef<'_, T> {
        MatRef::from_row_major_slice(&self.values, self.nrows, self.width)
    }

    /// The panel as a mutable faer matrix view.
    pub fn as_mat_mut(&mut self) -> MatMut<'_, T> {
        MatMut::from_row_major_slice_mut(&mut self.values, self.nrows, self.width)
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
        if self.width == 0 {
            return;
        }
        for (row, &factor) in self.values.chunks_exact_mut(self.width).zip(factors) {
            for value in row {
                *value *= factor;
            }
        }
    }
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
    fn scaling_multiplies_rows() {
        let mut panel = Panel::<f64>::from_fn(2, 2, |_, j| 1.0 + j as f64);
        panel.scale_rows(&[3.0, -1.0]);
        assert_eq!(panel.as_slice(), &[3.0, 6.0, -1.0, -2.0]);
    }
}

//! Products of tall, narrow, row-major matrices in fixed chunks of rows.
//!
//! Inner products are computed chunk by chunk in the element type and summed in double precision, in the order of the
//! chunks. The chunk borders depend only on the number of rows, so the result does not depend on the number of threads.

use std::ops::Range;

use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, MatMut, MatRef, Par};
use rayon::prelude::*;

use crate::panel::Panel;
use crate::scalar::Scalar;

/// Minimum number of rows per chunk, enough to keep a matrix kernel busy.
const LEAST_ROWS: usize = 1024;

/// Maximum number of chunks, which bounds the memory for partial inner products.
const MOST_CHUNKS: usize = 64;

fn chunk_rows(nrows: usize) -> usize {
    nrows.div_ceil(MOST_CHUNKS).max(LEAST_ROWS)
}

fn chunks(nrows: usize) -> impl IndexedParallelIterator<Item = Range<usize>> {
    let size = chunk_rows(nrows);
    (0..nrows.div_ceil(size)).into_par_iter().map(move |chunk| chunk * size..((chunk + 1) * size).min(nrows))
}

/// `Aᵀ B`.
pub(super) fn inner<T: Scalar>(a: MatRef<'_, T>, b: MatRef<'_, T>) -> Mat<f64> {
    let partial: Vec<Mat<T>> = chunks(a.nrows())
        .map(|rows| {
            let mut product = Mat::zeros(a.ncols(), b.ncols());
            let (a, b) = (a.subrows(rows.start, rows.len()), b.subrows(rows.start, rows.len()));
            matmul(product.as_mut(), Accum::Replace, a.transpose(), b, T::one_impl(), Par::Seq);
            product
        })
        .collect();
    let mut sum = Mat::zeros(a.ncols(), b.ncols());
    for product in partial {
        for column in 0..b.ncols() {
            for row in 0..a.ncols() {
                sum[(row, column)] += product[(row, column)].to_f64();
            }
        }
    }
    sum
}

/// `Z ← Z − Q C`.
pub(super) fn subtract<T: Scalar>(z: &mut Panel<T>, q: MatRef<'_, T>, coefficients: MatRef<'_, f64>) {
    let coefficients = cast::<T>(coefficients);
    let (nrows, width) = (z.nrows(), z.width());
    let size = chunk_rows(nrows);
    z.as_mut_slice().par_chunks_mut(size * width).enumerate().for_each(|(chunk, out)| {
        let rows = out.len() / width;
        matmul(
            MatMut::from_row_major_slice_mut(out, rows, width),
            Accum::Add,
            q.subrows(chunk * size, rows),
            coefficients.as_ref(),
            -T::one_impl(),
            Par::Seq,
        );
    });
}

/// `Q C` as a panel.
pub(super) fn combine<T: Scalar>(q: MatRef<'_, T>, coefficients: MatRef<'_, f64>) -> Panel<T> {
    let coefficients = cast::<T>(coefficients);
    let width = coefficients.ncols();
    let mut result = Panel::zeros(q.nrows(), width);
    if width == 0 {
        return result;
    }
    let size = chunk_rows(q.nrows());
    result.as_mut_slice().par_chunks_mut(size * width).enumerate().for_each(|(chunk, out)| {
        let rows = out.len() / width;
        matmul(
            MatMut::from_row_major_slice_mut(out, rows, width),
            Accum::Replace,
            q.subrows(chunk * size, rows),
            coefficients.as_ref(),
            T::one_impl(),
            Par::Seq,
        );
    });
    result
}

pub(super) fn cast<T: Scalar>(matrix: MatRef<'_, f64>) -> Mat<T> {
    Mat::from_fn(matrix.nrows(), matrix.ncols(), |i, j| T::from_f64(matrix[(i, j)]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunked_products_equal_plain_ones() {
        let rows = 3 * LEAST_ROWS + 17;
        let a = Panel::<f64>::from_fn(rows, 5, |i, j| ((i * 7 + j) as f64).sin());
        let b = Panel::<f64>::from_fn(rows, 3, |i, j| ((i * 3 + j * j) as f64).cos());
        let expected = a.to_mat().transpose() * b.to_mat();
        assert!((inner(a.as_mat(), b.as_mat()) - &expected).norm_max() < 1e-10);
        let c = Mat::from_fn(5, 3, |i, j| (i as f64) - (j as f64));
        let combined = combine(a.as_mat(), c.as_ref());
        assert!((combined.as_mat() - a.to_mat() * &c).norm_max() < 1e-12);
        let mut z = b.clone();
        subtract(&mut z, a.as_mat(), c.as_ref());
        assert!((z.as_mat() - (b.to_mat() - a.to_mat() * &c)).norm_max() < 1e-12);
    }
}

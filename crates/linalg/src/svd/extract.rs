//! From a subspace to singular triplets.
//!
//! Given orthonormal columns U on the short side whose span contains the wanted vectors, the SVD of `W = B U` (B maps
//! the short side to the long) gives the best triplets within the span: `W = V Σ Yᵀ`, so `B (U Y) = V Σ`. For Ritz
//! vectors the columns of W are already orthogonal up to rounding, and scaling them suffices. Otherwise W goes through
//! a QR factorisation, which finds tiny singular values that a Gram matrix would lose.

use faer::Mat;

use super::oriented::Oriented;
use super::tall;
use crate::dense::{DenseError, qr};
use crate::panel::Panel;
use crate::scalar::Scalar;

/// Columns per product: the width at which the sparse kernel is fastest.
const PRODUCT_WIDTH: usize = 32;

/// Columns of W count as orthogonal if their cosines are below this many rounding units.
const ORTHOGONAL: f64 = 64.0;

/// Columns of W below this fraction of the largest, in square roots of the rounding unit, may be mostly error.
const DOUBTFUL: f64 = 16.0;

/// Triplets of the oriented and scaled operator.
pub(super) struct Triplets<T> {
    /// Vectors on the short side.
    pub(super) short: Panel<T>,
    /// Singular values of B, descending.
    pub(super) values: Vec<f64>,
    /// Vectors on the long side.
    pub(super) long: Panel<T>,
}

impl<T: Scalar> Triplets<T> {
    /// Orders the triplets by descending value. Ritz values are sorted, but rounding can swap close neighbours.
    fn sort(&mut self) {
        let mut order: Vec<usize> = (0..self.values.len()).collect();
        order.sort_by(|&a, &b| self.values[b].total_cmp(&self.values[a]));
        let reorder =
            |panel: &Panel<T>| Panel::from_fn(panel.nrows(), panel.width(), |i, j| panel.row(i)[order[j]]);
        self.short = reorder(&self.short);
        self.long = reorder(&self.long);
        self.values = order.iter().map(|&j| self.values[j]).collect();
    }
}

/// The triplets of B within the span of the columns of `short`.
pub(super) fn extract<T: Scalar>(
    operator: &Oriented<'_, T>,
    short: Panel<T>,
) -> Result<Triplets<T>, DenseError> {
    let long = product(&short, operator.long(), |x, y| operator.to_long(x, y));
    let gram = gram(&long);
    let norms: Vec<f64> = (0..short.width()).map(|j| gram[(j, j)].max(0.0).sqrt()).collect();
    let largest = norms.iter().copied().fold(0.0, f64::max);
    let doubtful = DOUBTFUL * T::EPSILON.sqrt() * largest;
    let mut cosine = 0.0_f64;
    for j in 0..short.width() {
        for i in 0..j {
            cosine = cosine.max(gram[(i, j)].abs() / (norms[i] * norms[j]).max(f64::MIN_POSITIVE));
        }
    }
    if norms.iter().any(|&norm| norm <= doubtful) || cosine > ORTHOGONAL * T::EPSILON {
        return rotate(short, long);
    }
    let mut triplets = Triplets { short, values: norms, long };
    for row in 0..triplets.long.nrows() {
        for (value, norm) in triplets.long.row_mut(row).iter_mut().zip(&triplets.values) {
            *value = T::from_f64(value.to_f64() / norm);
        }
    }
    if !triplets.values.is_sorted_by(|a, b| a >= b) {
        triplets.sort();
    }
    Ok(triplets)
}

/// All triplets of B: the span is the whole short side.
pub(super) fn extract_all<T: Scalar>(operator: &Oriented<'_, T>) -> Result<Triplets<T>, DenseError> {
    let size = operator.short();
    let identity = Panel::from_fn(size, size, |i, j| if i == j { T::one_impl() } else { T::default() });
    let long = product(&identity, operator.long(), |x, y| operator.to_long(x, y));
    rotate(identity, long)
}

/// `‖Bᵀ v_i − σ_i u_i‖ / σ_1` for every triplet, computed by multiplication.
pub(super) fn residuals<T: Scalar>(operator: &Oriented<'_, T>, triplets: &Triplets<T>) -> Vec<f64> {
    let back = product(&triplets.long, operator.short(), |x, y| operator.to_short(x, y));
    let mut squares = vec![0.0; triplets.values.len()];
    for row in 0..back.nrows() {
        let pairs = back.row(row).iter().zip(triplets.short.row(row)).zip(&triplets.values);
        for (square, ((value, u), sigma)) in squares.iter_mut().zip(pairs) {
            let difference = value.to_f64() - sigma * u.to_f64();
            *square += difference * difference;
        }
    }
    let top = triplets.values[0];
    squares.iter().map(|square| square.sqrt() / top).collect()
}

/// The SVD of W by QR: backward stable for any columns.
fn rotate<T: Scalar>(short: Panel<T>, long: Panel<T>) -> Result<Triplets<T>, DenseError> {
    let factor = qr(long.to_mat());
    drop(long);
    let r = factor.r();
    let r = Mat::from_fn(r.nrows(), r.ncols(), |i, j| r[(i, j)].to_f64());
    let svd = f64::unsigned_thin_svd(r.as_ref())?;
    let long = Panel::from_mat(factor.q_times(&tall::cast(svd.u.as_ref())).as_ref());
    let short = tall::combine(short.as_mat(), svd.v.as_ref());
    Ok(Triplets { short, values: svd.s, long })
}

/// Applies an operator to a wide panel, a few columns at a time.
fn product<T: Scalar>(x: &Panel<T>, nrows: usize, apply: impl Fn(&Panel<T>, &mut Panel<T>)) -> Panel<T> {
    let mut result = Panel::zeros(nrows, x.width());
    let mut part = Panel::zeros(0, 0);
    for first in (0..x.width()).step_by(PRODUCT_WIDTH) {
        let width = PRODUCT_WIDTH.min(x.width() - first);
        let mut operand = Panel::zeros(x.nrows(), width);
        for row in 0..x.nrows() {
            operand.row_mut(row).copy_from_slice(&x.row(row)[first..first + width]);
        }
        apply(&operand, &mut part);
        for row in 0..nrows {
            result.row_mut(row)[first..first + width].copy_from_slice(part.row(row));
        }
    }
    result
}

/// The upper triangle of `Wᵀ W`, by blocks of columns.
fn gram<T: Scalar>(panel: &Panel<T>) -> Mat<f64> {
    const COLUMNS: usize = 128;
    let width = panel.width();
    let mut result = Mat::zeros(width, width);
    for first in (0..width).step_by(COLUMNS) {
        let end = (first + COLUMNS).min(width);
        let part = tall::inner(panel.as_mat().subcols(0, end), panel.as_mat().subcols(first, end - first));
        result.as_mut().submatrix_mut(0, first, end, end - first).copy_from(&part);
    }
    result
}

//! The operator, oriented and scaled for the iteration.

use rand_chacha::ChaCha8Rng;

use super::basis::random_block;
use super::error::SvdError;
use crate::operator::LinearOperator;
use crate::panel::Panel;
use crate::scalar::Scalar;

/// Products within this power of two of 1 are left unscaled; their squares are far from the limits of `f32`.
const SAFE_EXPONENT: i32 = 24;

/// Which singular vectors are on the shorter side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ShortSide {
    Left,
    Right,
}

/// `B = scale · Aᵀ` if `A` has no more rows than columns, else `B = scale · A`; it maps the short side to the long.
///
/// The scale is a power of two, so it loses no accuracy. It is 1 unless squares of the products would leave the range
/// of the element type.
pub(super) struct Oriented<'a, T> {
    operator: &'a dyn LinearOperator<T>,
    side: ShortSide,
    scale: f64,
}

impl<'a, T: Scalar> Oriented<'a, T> {
    /// Chooses side and scale by a product with one random vector, which also detects zero and non-finite operators.
    pub(super) fn new(operator: &'a dyn LinearOperator<T>, rng: &mut ChaCha8Rng) -> Result<Self, SvdError> {
        let (nrows, ncols) = (operator.nrows(), operator.ncols());
        let side = if nrows <= ncols { ShortSide::Left } else { ShortSide::Right };
        let mut oriented = Oriented { operator, side, scale: 1.0 };
        let mut product = Panel::zeros(0, 0);
        oriented.to_long(&random_block(oriented.short(), 1, rng), &mut product);
        let mut largest = 0.0_f64;
        for value in product.as_slice() {
            if !value.is_finite() {
                return Err(oriented.non_finite());
            }
            largest = largest.max(value.to_f64().abs());
        }
        if largest == 0.0 {
            return Err(SvdError::ZeroMatrix { nrows, ncols });
        }
        let exponent = largest.log2().round() as i32;
        if exponent.abs() > SAFE_EXPONENT {
            // Limited to the range in which the scale and its application are exact.
            oriented.scale = 2.0_f64.powi((-exponent).clamp(-120, 120));
        }
        Ok(oriented)
    }

    pub(super) fn side(&self) -> ShortSide {
        self.side
    }

    pub(super) fn scale(&self) -> f64 {
        self.scale
    }

    pub(super) fn short(&self) -> usize {
        self.operator.nrows().min(self.operator.ncols())
    }

    pub(super) fn long(&self) -> usize {
        self.operator.nrows().max(self.operator.ncols())
    }

    pub(super) fn non_finite(&self) -> SvdError {
        SvdError::NonFinite { nrows: self.operator.nrows(), ncols: self.operator.ncols() }
    }

    /// `y = B x`.
    pub(super) fn to_long(&self, x: &Panel<T>, y: &mut Panel<T>) {
        match self.side {
            ShortSide::Left => self.operator.apply_transpose(x, y),
            ShortSide::Right => self.operator.apply(x, y),
        }
        self.rescale(y);
    }

    /// `y = Bᵀ x`.
    pub(super) fn to_short(&self, x: &Panel<T>, y: &mut Panel<T>) {
        match self.side {
            ShortSide::Left => self.operator.apply(x, y),
            ShortSide::Right => self.operator.apply_transpose(x, y),
        }
        self.rescale(y);
    }

    fn rescale(&self, y: &mut Panel<T>) {
        if self.scale != 1.0 {
            let scale = T::from_f64(self.scale);
            y.as_mut_slice().iter_mut().for_each(|value| *value *= scale);
        }
    }
}

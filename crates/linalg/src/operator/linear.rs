//! The trait of operators that multiply panels from both sides.

use crate::panel::Panel;
use crate::scalar::Scalar;

/// An `nrows × ncols` real matrix `A` that can be applied to panels.
///
/// Implementations must be deterministic: the same operand gives the same bits, whatever the number of threads.
/// The two directions must be transposes of each other up to rounding.
pub trait LinearOperator<T: Scalar>: Sync {
    /// The number of rows of `A`.
    fn nrows(&self) -> usize;

    /// The number of columns of `A`.
    fn ncols(&self) -> usize;

    /// `y = A x`. The operand has `ncols` rows; `y` is reshaped to `nrows` rows and overwritten.
    fn apply(&self, x: &Panel<T>, y: &mut Panel<T>);

    /// `y = Aᵀ x`. The operand has `nrows` rows; `y` is reshaped to `ncols` rows and overwritten.
    fn apply_transpose(&self, x: &Panel<T>, y: &mut Panel<T>);
}

impl<T: Scalar, O: LinearOperator<T> + ?Sized> LinearOperator<T> for &O {
    fn nrows(&self) -> usize {
        (**self).nrows()
    }

    fn ncols(&self) -> usize {
        (**self).ncols()
    }

    fn apply(&self, x: &Panel<T>, y: &mut Panel<T>) {
        (**self).apply(x, y);
    }

    fn apply_transpose(&self, x: &Panel<T>, y: &mut Panel<T>) {
        (**self).apply_transpose(x, y);
    }
}

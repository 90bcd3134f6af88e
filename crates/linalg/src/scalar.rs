//! The element types of matrices: `f32` for speed, `f64` for reference and for small problems.

use std::ops::ControlFlow;

use faer::MatRef;
use faer::traits::RealField;

use crate::dense::{self, DenseError, ThinSvd};
use crate::operator::LinearOperator;
use crate::svd::{self, Svd, SvdConfig, SvdError};

mod sealed {
    pub trait Sealed {}
    impl Sealed for f32 {}
    impl Sealed for f64 {}
}

/// A real element type, `f32` or `f64`.
///
/// The arithmetic comes from faer's [`RealField`]; the methods here are what the kernels need in addition. The trait is
/// sealed: the kernels are tuned and tested only for these two types.
pub trait Scalar: RealField + Copy + Default + Send + Sync + sealed::Sealed + 'static {
    /// The distance from 1 to the next larger number, as `f64`.
    const EPSILON: f64;

    /// The number nearest to `value`.
    fn from_f64(value: f64) -> Self;

    /// The same number in double precision.
    fn to_f64(self) -> f64;

    /// Whether the number is neither infinite nor NaN.
    fn is_finite(self) -> bool;

    /// The absolute value.
    fn magnitude(self) -> Self;

    /// `self * factor + addend` with one rounding. Slow where the processor lacks the instruction.
    fn fused_mul_add(self, factor: Self, addend: Self) -> Self;

    /// [`thin_svd`](crate::thin_svd) without a choice of signs.
    ///
    /// The compiler instantiates generic functions again in every crate that calls them, and those of faer are large. A method
    /// of a concrete type is compiled once, in this crate.
    #[doc(hidden)]
    fn unsigned_thin_svd(matrix: MatRef<'_, Self>) -> Result<ThinSvd<Self>, DenseError>;

    /// [`truncated_svd_watched`](crate::truncated_svd_watched), compiled once for the same reason.
    #[doc(hidden)]
    fn truncated_svd(
        operator: &dyn LinearOperator<Self>,
        config: &SvdConfig,
        watch: &mut dyn FnMut(usize) -> ControlFlow<()>,
    ) -> Result<Svd<Self>, SvdError>;
}

macro_rules! impl_scalar {
    ($float:ty) => {
        impl Scalar for $float {
            const EPSILON: f64 = <$float>::EPSILON as f64;

            #[inline(always)]
            fn from_f64(value: f64) -> Self {
                value as $float
            }

            #[inline(always)]
            fn to_f64(self) -> f64 {
                self.into()
            }

            #[inline(always)]
            fn is_finite(self) -> bool {
                <$float>::is_finite(self)
            }

            #[inline(always)]
            fn magnitude(self) -> Self {
                self.abs()
            }

            #[inline(always)]
            fn fused_mul_add(self, factor: Self, addend: Self) -> Self {
                self.mul_add(factor, addend)
            }

            fn unsigned_thin_svd(matrix: MatRef<'_, Self>) -> Result<ThinSvd<Self>, DenseError> {
                dense::factorise(matrix)
            }

            fn truncated_svd(
                operator: &dyn LinearOperator<Self>,
                config: &SvdConfig,
                watch: &mut dyn FnMut(usize) -> ControlFlow<()>,
            ) -> Result<Svd<Self>, SvdError> {
                svd::iterate_to_rank(operator, config, watch)
            }
        }
    };
}

impl_scalar!(f32);
impl_scalar!(f64);

//! Types of counts.

use std::fmt::Debug;

mod sealed {
    pub trait Sealed {}
    impl Sealed for u64 {}
    impl Sealed for f64 {}
}

/// The contents of a cell of a [`CountTable`](super::CountTable): `u64` for occurrences, `f64` for weighted ones.
///
/// Sums of `u64` saturate instead of overflowing, and do not depend on the order of their terms. Neither do sums of
/// `f64`, as long as the terms are whole numbers and the totals stay below 2⁵³.
pub trait CountWeight: Copy + Default + PartialEq + Debug + Send + Sync + sealed::Sealed + 'static {
    /// A single occurrence.
    const ONE: Self;
    /// The sum of two counts.
    fn plus(self, other: Self) -> Self;
    /// The count as a real number.
    fn to_f64(self) -> f64;
}

impl CountWeight for u64 {
    const ONE: Self = 1;

    fn plus(self, other: Self) -> Self {
        self.saturating_add(other)
    }

    fn to_f64(self) -> f64 {
        self as f64
    }
}

impl CountWeight for f64 {
    const ONE: Self = 1.0;

    fn plus(self, other: Self) -> Self {
        self + other
    }

    fn to_f64(self) -> f64 {
        self
    }
}

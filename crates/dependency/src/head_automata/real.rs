//! The number types of a chart: single precision for speed, double precision for accuracy.

use std::fmt::Debug;
use std::ops::{Add, AddAssign, Mul};

#[cfg(target_arch = "x86_64")]
use super::pack::Single;
use super::pack::{LANES, Pack, Plain};

/// A floating-point type for charts.
pub(super) trait Real:
    Copy + Default + PartialOrd + Debug + Add<Output = Self> + AddAssign + Mul<Output = Self>
{
    /// Values of a chart should stay within these bounds, so that the product of two is still finite.
    const SMALL: f64;
    const LARGE: f64;
    /// One in the last two of eight entries, those of FIRST and REST.
    const LAST: [Self; LANES];
    const LAST_BUT_ONE: [Self; LANES];
    /// Whether the type has packs in registers.
    #[cfg_attr(not(target_arch = "x86_64"), expect(dead_code, reason = "other processors have no packs"))]
    const HAS_PACKS: bool;
    /// The packs for processors with AVX2 and FMA.
    type Quick: Pack<Self>;

    fn new(number: f64) -> Self;
    fn double(self) -> f64;
    fn abs(self) -> Self;
}

impl Real for f32 {
    const SMALL: f64 = 1e-15;
    const LARGE: f64 = 1e15;
    const LAST: [Self; LANES] = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0];
    const LAST_BUT_ONE: [Self; LANES] = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0];
    const HAS_PACKS: bool = cfg!(target_arch = "x86_64");
    #[cfg(target_arch = "x86_64")]
    type Quick = Single;
    #[cfg(not(target_arch = "x86_64"))]
    type Quick = Plain<Self>;

    #[inline(always)]
    fn new(number: f64) -> Self {
        number as Self
    }

    #[inline(always)]
    fn double(self) -> f64 {
        f64::from(self)
    }

    #[inline(always)]
    fn abs(self) -> Self {
        self.abs()
    }
}

impl Real for f64 {
    const SMALL: f64 = 1e-130;
    const LARGE: f64 = 1e130;
    const LAST: [Self; LANES] = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0];
    const LAST_BUT_ONE: [Self; LANES] = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0];
    const HAS_PACKS: bool = false;
    type Quick = Plain<Self>;

    #[inline(always)]
    fn new(number: f64) -> Self {
        number
    }

    #[inline(always)]
    fn double(self) -> f64 {
        self
    }

    #[inline(always)]
    fn abs(self) -> Self {
        self.abs()
    }
}

//! Packs of eight numbers: the kernel below the sums of inside–outside.
//!
//! For double precision and for processors without AVX2, loops over arrays of eight are left to the compiler. Single
//! precision, in which nearly all sentences are parsed, uses intrinsics: the compiler splits such loops at lanes that
//! it knows to be unused, which made the code four times as long.

use super::real::Real;

/// Number of values per pack.
pub(super) const LANES: usize = 8;

/// Eight numbers.
pub(super) trait Pack<T>: Copy {
    fn splat(number: T) -> Self;
    fn load(numbers: &[T; LANES]) -> Self;
    fn store(self) -> [T; LANES];
    fn plus(self, other: Self) -> Self;
    /// `self · factor + term`
    fn times_plus(self, factor: Self, term: Self) -> Self;
    /// The larger absolute values of two packs; NaN is ignored.
    fn larger(self, other: Self) -> Self;
    /// The sum of the eight values.
    fn total(self) -> T;
    /// The sums of eight packs.
    fn totals(packs: [Self; LANES]) -> Self;
}

/// Packs of any type, by loops.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plain<T>([T; LANES]);

impl<T: Real> Pack<T> for Plain<T> {
    #[inline(always)]
    fn splat(number: T) -> Self {
        Self([number; LANES])
    }

    #[inline(always)]
    fn load(numbers: &[T; LANES]) -> Self {
        Self(*numbers)
    }

    #[inline(always)]
    fn store(self) -> [T; LANES] {
        self.0
    }

    #[inline(always)]
    fn plus(mut self, other: Self) -> Self {
        for lane in 0..LANES {
            self.0[lane] += other.0[lane];
        }
        self
    }

    #[inline(always)]
    fn times_plus(mut self, factor: Self, term: Self) -> Self {
        for lane in 0..LANES {
            self.0[lane] = self.0[lane] * factor.0[lane] + term.0[lane];
        }
        self
    }

    #[inline(always)]
    fn larger(mut self, other: Self) -> Self {
        for lane in 0..LANES {
            let (own, other) = (self.0[lane].abs(), other.0[lane].abs());
            self.0[lane] = if other > own { other } else { own };
        }
        self
    }

    #[inline(always)]
    fn total(self) -> T {
        let quarter = |at: usize| self.0[at] + self.0[at + 4];
        (quarter(0) + quarter(2)) + (quarter(1) + quarter(3))
    }

    #[inline(always)]
    fn totals(packs: [Self; LANES]) -> Self {
        Self(packs.map(Self::total))
    }
}

#[cfg(target_arch = "x86_64")]
pub(super) use avx::Single;

#[cfg(target_arch = "x86_64")]
mod avx {
    use std::arch::x86_64::*;

    use super::{LANES, Pack};

    /// Eight `f32` values in an AVX register. Only for functions compiled for AVX2 and FMA that run on processors with
    /// both.
    #[derive(Clone, Copy, Debug)]
    pub(in super::super) struct Single(__m256);

    // SAFETY (all blocks): the type requires AVX2 and FMA; loads and stores access eight values behind a reference and
    // need no alignment.
    impl Pack<f32> for Single {
        #[inline(always)]
        fn splat(number: f32) -> Self {
            Self(unsafe { _mm256_set1_ps(number) })
        }

        #[inline(always)]
        fn load(numbers: &[f32; LANES]) -> Self {
            Self(unsafe { _mm256_loadu_ps(numbers.as_ptr()) })
        }

        #[inline(always)]
        fn store(self) -> [f32; LANES] {
            let mut numbers = [0.0; LANES];
            unsafe { _mm256_storeu_ps(numbers.as_mut_ptr(), self.0) };
            numbers
        }

        #[inline(always)]
        fn plus(self, other: Self) -> Self {
            Self(unsafe { _mm256_add_ps(self.0, other.0) })
        }

        #[inline(always)]
        fn times_plus(self, factor: Self, term: Self) -> Self {
            Self(unsafe { _mm256_fmadd_ps(self.0, factor.0, term.0) })
        }

        #[inline(always)]
        fn larger(self, other: Self) -> Self {
            // The first operand is ignored where it is NaN.
            unsafe {
                let sign = _mm256_set1_ps(-0.0);
                Self(_mm256_max_ps(_mm256_andnot_ps(sign, other.0), _mm256_andnot_ps(sign, self.0)))
            }
        }

        #[inline(always)]
        fn total(self) -> f32 {
            unsafe {
                let half = _mm_add_ps(_mm256_castps256_ps128(self.0), _mm256_extractf128_ps::<1>(self.0));
                let quarter = _mm_add_ps(half, _mm_movehl_ps(half, half));
                _mm_cvtss_f32(_mm_add_ss(quarter, _mm_movehdup_ps(quarter)))
            }
        }

        #[inline(always)]
        fn totals(packs: [Self; LANES]) -> Self {
            unsafe {
                let pair = |at: usize| _mm256_hadd_ps(packs[at].0, packs[at + 1].0);
                let low = _mm256_hadd_ps(pair(0), pair(2));
                let high = _mm256_hadd_ps(pair(4), pair(6));
                let first = _mm256_permute2f128_ps::<0x20>(low, high);
                let second = _mm256_permute2f128_ps::<0x31>(low, high);
                Self(_mm256_add_ps(first, second))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Integers, whose sums are exact in any order.
    fn check<P: Pack<f32>>() {
        let numbers = |seed: i32| -> [f32; LANES] {
            std::array::from_fn(|lane| ((lane as i32 * 7 + seed * 5) % 23 - 11) as f32)
        };
        let (a, b, c) = (numbers(1), numbers(2), numbers(3));
        let (x, y, z) = (P::load(&a), P::load(&b), P::load(&c));
        assert_eq!(x.store(), a);
        assert_eq!(P::splat(2.5).store(), [2.5; LANES]);
        for lane in 0..LANES {
            assert_eq!(x.plus(y).store()[lane], a[lane] + b[lane]);
            assert_eq!(x.times_plus(y, z).store()[lane], a[lane] * b[lane] + c[lane]);
            assert_eq!(x.larger(y).store()[lane], a[lane].abs().max(b[lane].abs()));
        }
        assert_eq!(x.total(), a.iter().sum::<f32>());
        let eight: [P; LANES] = std::array::from_fn(|at| P::load(&numbers(at as i32)));
        let sums: [f32; LANES] = std::array::from_fn(|at| numbers(at as i32).iter().sum());
        assert_eq!(P::totals(eight).store(), sums);
        let larger = P::splat(1.0).larger(P::splat(f32::NAN));
        assert_eq!(larger.store(), [1.0; LANES]);
    }

    #[test]
    fn packs_do_what_their_numbers_do() {
        check::<Plain<f32>>();
        #[cfg(target_arch = "x86_64")]
        {
            #[target_feature(enable = "avx2,fma")]
            fn check_single() {
                check::<Single>();
            }
            if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
                // SAFETY: both were detected just above.
                unsafe { check_single() };
            } else {
                eprintln!("SKIPPED: this processor has no AVX2");
            }
        }
    }
}

//! Gains of mutual information in lanes of eight, in single precision.
//!
//! When `n` is added to the count `x` of a cell, the cell gains `h(x, n) = (x+n) log (x+n) - x log x`. Given `log x`
//! that is
//!
//! ```text
//! h(x, n) = n log x + (x+n) log(1 + n/x),     log(1 + n/x) = 2 artanh( n / (2x+n) )                 where n < 0.41 x
//!                                                          = e log 2 + 2 artanh( (m-1)/(m+1) ) - log x   elsewhere
//! ```
//!
//! for `x+n = m 2^e`, `m` near 1: one division and one polynomial, and no cancellation where `n` is small compared with
//! `x`. Products and sums are rounded one by one, never fused, so that all processors give the same gains.

/// Count of an empty cell, so that it has a logarithm; `h(EMPTY, n)` is `n log n` in single precision.
pub(super) const EMPTY: f32 = 1e-9;

/// Rows of the table are padded to a multiple of this.
pub(super) const LANES: usize = 8;

/// `2 artanh(s)` for |s| < 0.172.
#[inline(always)]
fn twice_artanh(s: f32) -> f32 {
    let z = s * s;
    let tail = z * (1.0 / 3.0 + z * (1.0 / 5.0 + z * (1.0 / 7.0 + z * (1.0 / 9.0))));
    2.0 * s + 2.0 * s * tail
}

/// Mantissa from √½ to √2 and exponent of a positive number.
#[inline(always)]
fn split(x: f32) -> (f32, f32) {
    const ROOT_HALF: u32 = 0x3f35_04f3;
    let bits = x.to_bits();
    let exponent = (bits.wrapping_sub(ROOT_HALF) as i32) >> 23;
    (f32::from_bits(bits.wrapping_sub((exponent as u32) << 23)), exponent as f32)
}

/// `log x` for positive normal numbers.
#[inline(always)]
pub(super) fn log(x: f32) -> f32 {
    let (mantissa, exponent) = split(x);
    exponent * std::f32::consts::LN_2 + twice_artanh((mantissa - 1.0) / (mantissa + 1.0))
}

/// `h(x, n)`, given `log x`.
#[inline(always)]
pub(super) fn gain(x: f32, log_x: f32, n: f32) -> f32 {
    let sum = x + n;
    let near = n < 0.414 * x;
    let (mantissa, exponent) = split(sum);
    let above = if near { n } else { mantissa - 1.0 };
    let below = if near { x + sum } else { mantissa + 1.0 };
    let polynomial = twice_artanh(above / below);
    let far = (exponent * std::f32::consts::LN_2 - log_x) + polynomial;
    let ratio = if near { polynomial } else { far };
    n * log_x + sum * ratio
}

/// `scores[c] += h(x[c], n)`.
#[inline(always)]
pub(super) fn add_gains(scores: &mut [f32], x: &[f32], logs: &[f32], n: f32) {
    for ((score, &x), &log) in scores.iter_mut().zip(x).zip(logs) {
        *score += gain(x, log, n);
    }
}

/// `scores[c] -= h(x[c], n)`.
#[inline(always)]
pub(super) fn subtract_gains(scores: &mut [f32], x: &[f32], logs: &[f32], n: f32) {
    for ((score, &x), &log) in scores.iter_mut().zip(x).zip(logs) {
        *score -= gain(x, log, n);
    }
}

/// `scores[c] += gains[c]`.
#[inline(always)]
pub(super) fn add(scores: &mut [f32], gains: &[f32]) {
    for (score, gain) in scores.iter_mut().zip(gains) {
        *score += gain;
    }
}

/// `scores[c] += h(x[c] - less[c], n)`.
#[inline(always)]
pub(super) fn add_gains_of_rest(scores: &mut [f32], x: &[f32], less: &[f32], n: f32) {
    for ((score, &x), &less) in scores.iter_mut().zip(x).zip(less) {
        let x = (x - less).max(EMPTY);
        *score += gain(x, log(x), n);
    }
}

/// Corrects the cells of a cluster with itself: `scores[c] += h(x, a+b+own) - h(x, a) - h(x, b)`.
#[inline(always)]
pub(super) fn correct_diagonal(scores: &mut [f32], x: &[f32], logs: &[f32], a: &[f32], b: &[f32], own: f32) {
    for ((((score, &x), &log), &a), &b) in scores.iter_mut().zip(x).zip(logs).zip(a).zip(b) {
        *score += gain(x, log, a + b + own) - (gain(x, log, a) + gain(x, log, b));
    }
}

/// `Σ h(x, n)` over lists padded to whole lanes with `n = 0`.
#[inline(always)]
pub(super) fn sum_of_gains(x: &[f32], n: &[f32]) -> f32 {
    let mut sums = [0.0_f32; LANES];
    for (x, n) in x.chunks_exact(LANES).zip(n.chunks_exact(LANES)) {
        for lane in 0..LANES {
            let x = x[lane].max(EMPTY);
            sums[lane] += gain(x, log(x), n[lane]);
        }
    }
    ((sums[0] + sums[4]) + (sums[2] + sums[6])) + ((sums[1] + sums[5]) + (sums[3] + sums[7]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gains_are_those_of_double_precision() {
        let counts = [0.0, 1.0, 2.0, 3.0, 7.0, 40.0, 1000.0, 12_345.0, 999_999.0, 16_000_000.0];
        for x in counts {
            for n in [0.0, 1.0, 2.0, 5.0, 33.0, 4000.0, 800_000.0] {
                let g = |x: f64| if x == 0.0 { 0.0 } else { x * x.ln() };
                let expected = g(x + n) - g(x);
                let stored = (x as f32).max(EMPTY);
                let found = f64::from(gain(stored, log(stored), n as f32));
                let error = (found - expected).abs();
                assert!(error <= 4e-6 * n + 1e-6 * expected.abs(), "h({x}, {n}) = {expected}, not {found}");
            }
        }
    }
}

//! Terms `g(x) = x log x` of integers in lanes, in double precision.
//!
//! Sums and products are rounded one by one, never fused, so that all processors give the same terms. `g` is the same
//! function everywhere, so that differences that are 0 in exact arithmetic are 0.

/// Rows are padded to a multiple of this.
pub(super) const LANES: usize = 8;

/// `log x` for positive normal numbers, by the series of `2 artanh((m-1)/(m+1))` for a mantissa `m` from √½ to √2.
#[inline(always)]
pub(super) fn log(x: f64) -> f64 {
    const ROOT_HALF: u64 = 0x3fe6_a09e_667f_3bcd;
    const ONE: u64 = 1023 << 52;
    /// The bits of 2^52: with a small number in the low bits, the float of their sum.
    const BIG: u64 = 0x4330_0000_0000_0000;
    let bits = x.to_bits();
    let biased = bits.wrapping_sub(ROOT_HALF).wrapping_add(ONE) >> 52;
    let exponent = f64::from_bits(BIG | biased) - (4_503_599_627_370_496.0 + 1023.0);
    let mantissa = f64::from_bits(bits.wrapping_sub(biased << 52).wrapping_add(ONE));
    let s = (mantissa - 1.0) / (mantissa + 1.0);
    let z = s * s;
    let mut tail = 1.0 / 19.0;
    for power in [17.0, 15.0, 13.0, 11.0, 9.0, 7.0, 5.0, 3.0] {
        tail = tail * z + 1.0 / power;
    }
    exponent * std::f64::consts::LN_2 + (2.0 * s + 2.0 * s * (z * tail))
}

/// `x log x` of an integer.
#[inline(always)]
pub(super) fn term(x: f64) -> f64 {
    x * log(x.max(1.0))
}

/// `out[b] += g(x) + g(y[b]) - g(x + y[b])`, given the terms of `x` and `y`.
#[inline(always)]
pub(super) fn add_joint(out: &mut [f64], x: f64, term_x: f64, y: &[f64], terms: &[f64]) {
    for ((out, &y), &term_y) in out.iter_mut().zip(y).zip(terms) {
        *out += (term_x + term_y) - term(x + y);
    }
}

/// Change of a joint term when `more` is added to `x`: `out[b] += g(x+more) - g(x) + g(x+y[b]) - g(x+more+y[b])`.
#[inline(always)]
pub(super) fn add_growth(out: &mut [f64], x: f64, more: f64, y: &[f64]) {
    let both = x + more;
    let own = term(both) - term(x);
    for (out, &y) in out.iter_mut().zip(y) {
        *out += own + (term(x + y) - term(both + y));
    }
}

/// Change of joint terms when two contexts become one: those of a cluster with counts `i` and `j` with all others.
#[inline(always)]
pub(super) fn joined(out: &mut [f64], [i, j]: [f64; 2], others_i: &[f64], others_j: &[f64], own: &[f64]) {
    let both = i + j;
    let mine = term(both) - term(i) - term(j);
    for (((out, &other_i), &other_j), &own) in out.iter_mut().zip(others_i).zip(others_j).zip(own) {
        let joint = term(both + (other_i + other_j)) - (term(i + other_i) + term(j + other_j));
        *out += (mine + own) - joint;
    }
}

/// `out[b] += weight (log(sum + sums[b]) - log sum)`.
#[inline(always)]
pub(super) fn add_marginal(out: &mut [f64], weight: f64, sum: f64, sums: &[f64]) {
    let own = log(sum);
    for (out, &other) in out.iter_mut().zip(sums) {
        *out += weight * (log(sum + other) - own);
    }
}

/// `out[b] += weights[b] (log(sum + sums[b]) - log sums[b])`, given the last logarithms.
#[inline(always)]
pub(super) fn add_marginals(out: &mut [f64], weights: &[f64], sum: f64, sums: &[f64], logs: &[f64]) {
    for (((out, &weight), &other), &log_other) in out.iter_mut().zip(weights).zip(sums).zip(logs) {
        *out += weight * (log(sum + other) - log_other);
    }
}

/// The smallest value.
#[inline(always)]
pub(super) fn smallest(row: &[f64]) -> f64 {
    let mut least = [f64::INFINITY; LANES];
    let chunks = row.chunks_exact(LANES);
    let rest = chunks.remainder();
    for chunk in chunks {
        for lane in 0..LANES {
            least[lane] = if chunk[lane] < least[lane] { chunk[lane] } else { least[lane] };
        }
    }
    least.iter().chain(rest).copied().fold(f64::INFINITY, f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_exact_to_the_last_digits() {
        for exponent in 0..60 {
            for x in [1.0, 1.1, std::f64::consts::SQRT_2, 1.4143, 1.7, 1.999] {
                let x = x * 2f64.powi(exponent);
                assert!((log(x) - x.ln()).abs() <= 4e-16 * (1.0 + x.ln().abs()), "log {x}");
            }
        }
        assert_eq!(term(0.0), 0.0);
        assert_eq!(term(1.0), 0.0);
    }
}

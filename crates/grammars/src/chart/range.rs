//! Powers of two that keep values in range.

/// The exponent of an empty cell.
pub const EMPTY: i32 = i32::MIN;

/// `2^exponent`; 0 below and infinity above the range of `f32`.
#[inline]
pub fn power_of_two(exponent: i32) -> f32 {
    match exponent {
        -126..=127 => f32::from_bits(((exponent + 127) as u32) << 23),
        128.. => f32::INFINITY,
        _ => 0.0,
    }
}

/// The `e` such that `value` lies in `2^e .. 2^(e+1)`; [`EMPTY`] for 0 and for anything that is not a positive number.
#[inline]
pub fn exponent_of(value: f32) -> i32 {
    if value >= f32::MIN_POSITIVE && value.is_finite() { (value.to_bits() >> 23) as i32 - 127 } else { EMPTY }
}

/// Multiplies `values` by a power of two so that the largest lies in `1..2`, and returns the exponent taken out. Values
/// that underflow become 0. If all values are 0, returns [`EMPTY`].
#[inline]
pub fn normalise(values: &mut [f32]) -> i32 {
    let largest = values.iter().fold(0.0_f32, |a, &b| a.max(b));
    let exponent = exponent_of(largest);
    if exponent == EMPTY {
        values.fill(0.0);
    } else if exponent != 0 {
        // In two steps, since the factor itself can leave the range of normal numbers.
        let half = power_of_two(-exponent / 2);
        let rest = power_of_two(-exponent - (-exponent / 2));
        values.iter_mut().for_each(|value| *value = *value * half * rest);
    }
    exponent
}

/// The natural logarithm of `value · 2^exponent`.
pub fn log(value: f32, exponent: i32) -> f64 {
    f64::from(value).ln() + f64::from(exponent) * std::f64::consts::LN_2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_and_exponents() {
        for exponent in -126..=127 {
            assert_eq!(power_of_two(exponent), 2.0_f32.powi(exponent));
            assert_eq!(exponent_of(power_of_two(exponent) * 1.5), exponent);
        }
        assert_eq!(power_of_two(-127), 0.0);
        assert_eq!(exponent_of(0.0), EMPTY);
        assert_eq!(exponent_of(f32::NAN), EMPTY);
    }

    #[test]
    fn normalising_keeps_ratios() {
        let mut values = [0.0, 3e-38, 6e-38];
        let exponent = normalise(&mut values);
        assert!((1.0..2.0).contains(&values[2]) && values[0] == 0.0);
        assert!((values[2] / values[1] - 2.0).abs() < 1e-6);
        assert!((log(values[2], exponent) - f64::from(6e-38_f32).ln()).abs() < 1e-6);
        let mut large = [3e38_f32, 1.0];
        let exponent = normalise(&mut large);
        assert!((log(large[0], exponent) - f64::from(3e38_f32).ln()).abs() < 1e-6);
        assert_eq!(normalise(&mut [0.0, 0.0]), EMPTY);
    }
}

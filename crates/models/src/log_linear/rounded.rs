//! One weight per place of a table, rounded.

use crate::persist::Storage;

/// The weights of a finished model by place in a table, in 16 bits each. Half the memory takes half the time to read.
#[derive(Clone, PartialEq, Debug)]
pub struct RoundedWeights {
    /// The weights in steps.
    pub values: Storage<i16>,
    /// The value of one step.
    pub step: f32,
}

impl RoundedWeights {
    /// Rounds weights to 32,767 steps on either side of 0.
    pub fn round(values: &[f32]) -> Self {
        let most = values.iter().fold(0.0_f32, |most, value| most.max(value.abs()));
        let step = if most > 0.0 { most / f32::from(i16::MAX) } else { 1.0 };
        let rounded: Vec<i16> = values.iter().map(|value| (value / step).round() as i16).collect();
        Self { values: rounded.into(), step }
    }

    /// The sum of the weights at `places`, which must be below the size of the table. Integer sums do not depend on the
    /// order of terms; they stay in range for up to 65,536 places. Four partial sums hide the latency of the additions.
    #[inline]
    pub fn sum(&self, places: &[u32]) -> f32 {
        let values = &self.values[..];
        let mut sums = [0_i32; 4];
        let (chunks, rest) = places.as_chunks::<4>();
        for chunk in chunks {
            for (sum, &place) in sums.iter_mut().zip(chunk) {
                *sum = sum.wrapping_add(i32::from(values[place as usize]));
            }
        }
        for (sum, &place) in sums.iter_mut().zip(rest) {
            *sum = sum.wrapping_add(i32::from(values[place as usize]));
        }
        sums.into_iter().fold(0, i32::wrapping_add) as f32 * self.step
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounded_sums_are_close_to_sums() {
        let values: Vec<f32> = (0..64).map(|at| ((at * 37 % 64) as f32 - 30.0) / 17.0).collect();
        let rounded = RoundedWeights::round(&values);
        for length in 0..64 {
            let places: Vec<u32> = (0..length).map(|at| at * 7 % 64).collect();
            let expected: f32 = places.iter().map(|&place| values[place as usize]).sum();
            assert!((rounded.sum(&places) - expected).abs() < 0.5 * rounded.step * (length + 1) as f32);
        }
        assert_eq!(RoundedWeights::round(&[0.0; 16]).sum(&[3, 4]), 0.0);
    }
}

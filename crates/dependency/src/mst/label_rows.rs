//! Sums of rows of weights, one weight per label.

use super::prefetch::prefetch;

/// Prefetches all cache lines of the rows that begin at `places`.
#[inline]
pub(super) fn ask_rows<W>(values: &[W], places: &[u32], labels: usize) {
    let line = (64 / size_of::<W>()) as u32;
    for first in (0..labels as u32).step_by(line as usize) {
        prefetch(values, places.iter().map(|place| place + first));
    }
}

/// Number of labels whose sums stay in registers.
const BLOCK: usize = 16;

/// The sum of the rows that begin at `places`.
pub(super) fn rows<W: Copy, S: Copy + Default + From<W> + std::ops::AddAssign>(
    values: &[W],
    places: &[u32],
    labels: usize,
    scores: &mut Vec<S>,
) {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
        // SAFETY: the feature was detected.
        return unsafe { rows_avx2(values, places, labels, scores) };
    }
    rows_portably(values, places, labels, scores);
}

/// The same with AVX2: the same code, compiled for it.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn rows_avx2<W: Copy, S: Copy + Default + From<W> + std::ops::AddAssign>(
    values: &[W],
    places: &[u32],
    labels: usize,
    scores: &mut Vec<S>,
) {
    rows_portably(values, places, labels, scores);
}

/// Sums are taken block by block over all rows, in the order of the rows. The last block ends with the last label and may
/// overlap the one before.
#[inline(always)]
fn rows_portably<W: Copy, S: Copy + Default + From<W> + std::ops::AddAssign>(
    values: &[W],
    places: &[u32],
    labels: usize,
    scores: &mut Vec<S>,
) {
    scores.clear();
    scores.resize(labels, S::default());
    let Some(last) = labels.checked_sub(BLOCK) else {
        for &place in places {
            add(scores, &values[place as usize..][..labels]);
        }
        return;
    };
    for first in (0..last).step_by(BLOCK).chain([last]) {
        let mut sums = [S::default(); BLOCK];
        for &place in places {
            add(&mut sums, &values[place as usize + first..][..BLOCK]);
        }
        scores[first..][..BLOCK].copy_from_slice(&sums);
    }
}

#[inline(always)]
pub(super) fn add<W: Copy, S: From<W> + std::ops::AddAssign>(sums: &mut [S], row: &[W]) {
    for (sum, &weight) in sums.iter_mut().zip(row) {
        *sum += S::from(weight);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_rows_are_those_label_by_label() {
        let values: Vec<i16> = (0..400).map(|at| (at * 7919 % 2001 - 1000) as i16).collect();
        for labels in [1, 15, 16, 17, 31, 32, 51] {
            let places: Vec<u32> = (0..40).map(|at| at * 37 % (400 - labels as u32)).collect();
            let mut sums = vec![7; 3];
            rows(&values, &places, labels, &mut sums);
            let expected: Vec<i32> = (0..labels)
                .map(|label| places.iter().map(|&place| i32::from(values[place as usize + label])).sum())
                .collect();
            assert_eq!(sums, expected, "{labels} labels");
            rows_portably(&values, &places, labels, &mut sums);
            assert_eq!(sums, expected, "{labels} labels");
            // Sums of fractions keep their order.
            let fractions: Vec<f32> = values.iter().map(|&value| f32::from(value) / 7.0).collect();
            let (mut one, mut other) = (Vec::<f32>::new(), Vec::<f32>::new());
            rows(&fractions, &places, labels, &mut one);
            rows_portably(&fractions, &places, labels, &mut other);
            assert_eq!(one, other, "{labels} labels");
        }
    }
}

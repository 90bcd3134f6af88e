//! Back-off smoothing of the moments of a rule (Cohen et al. 2013, section 3.2).
//!
//! A third moment has m³ entries, and a rule may have been seen only once. If the three views were independent, the
//! mean of their product would be the product of their means. Estimates that assume more and more independence are
//! mixed in:
//!
//! ```text
//! E¹ = E[Z ⊗ Y ⊗ Y′ | a→bc]
//! E² = (E[Z⊗Y] ⊗ E[Y′] + E[Z⊗Y′] ⊗ E[Y] + E[Y⊗Y′] ⊗ E[Z]) / 3
//! E³ = E[Z] ⊗ E[Y] ⊗ E[Y′]
//! E⁴ = H^a ⊗ F^b ⊗ F^c                     means over all nodes of a, b, c, whatever their rule
//! E  = λ E¹ + (1−λ) (λ E² + (1−λ) (λ E³ + (1−λ) E⁴)),      λ = √n / (C + √n)
//! ```
//!
//! A rule that was never seen has `λ = 0` and thus the tensor `E⁴`, so smoothed grammars need no special case.

use spectral::operators::JointMoments;

/// Means over the applications of a rule.
#[derive(Clone, Debug, Default)]
pub(super) struct RuleMoments {
    /// n, the count of the rule.
    pub(super) weight: f64,
    pub(super) z: Vec<f64>,
    pub(super) y: Vec<f64>,
    pub(super) y2: Vec<f64>,
    /// In row-major order.
    pub(super) zy: Vec<f64>,
    pub(super) zy2: Vec<f64>,
    pub(super) yy2: Vec<f64>,
    /// The last index runs fastest.
    pub(super) third: Vec<f64>,
}

impl RuleMoments {
    /// Divides sums by their weight; `None` if nothing was summed.
    pub(super) fn new(sums: JointMoments) -> Option<Self> {
        use spectral::operators::Moment;
        let weight = sums.weight();
        if weight <= 0.0 {
            return None;
        }
        let mean = |sum: &[f64]| sum.iter().map(|sum| sum / weight).collect::<Vec<f64>>();
        Some(Self {
            weight,
            z: mean(sums.first[0].sum()),
            y: mean(sums.first[1].sum()),
            y2: mean(sums.first[2].sum()),
            zy: mean(sums.zy.as_slice()),
            zy2: mean(sums.zy2.as_slice()),
            yy2: mean(sums.yy2.as_slice()),
            third: {
                let mut third = sums.third.into_sum().into_values();
                third.iter_mut().for_each(|sum| *sum /= weight);
                third
            },
        })
    }
}

/// The weight of a rule's own moments if it was seen `weight` times.
pub(super) fn confidence(weight: f64, constant: f64) -> f64 {
    match weight {
        w if w <= 0.0 => 0.0,
        _ if constant <= 0.0 => 1.0,
        w => w.sqrt() / (constant + w.sqrt()),
    }
}

/// The means of a symbol's views over all of its nodes.
#[derive(Clone, Debug, Default)]
pub(super) struct SymbolMeans {
    /// F: the mean of Y.
    pub(super) inside: Vec<f64>,
    /// H: the mean of Z.
    pub(super) outside: Vec<f64>,
}

/// The smoothed moment of a rule, passed to `write` row by row: entry `(i, j, k)` is at `j · m_c + k` of row `i`.
pub(super) fn smooth(
    rule: Option<&RuleMoments>,
    means: [&SymbolMeans; 3],
    constant: f64,
    mut write: impl FnMut(usize, &[f64]),
) {
    let (h, f, f2) = (&means[0].outside, &means[1].inside, &means[2].inside);
    let lambda = rule.map_or(0.0, |rule| confidence(rule.weight, constant));
    let rest = 1.0 - lambda;
    let (w1, w2, w3, w4) = (lambda, rest * lambda / 3.0, rest * rest * lambda, rest * rest * rest);
    let [_, mb, mc] = [h.len(), f.len(), f2.len()];
    let mut row = vec![0.0; mb * mc];
    for (i, &h) in h.iter().enumerate() {
        match rule {
            None => {
                for (j, &f) in f.iter().enumerate() {
                    for (k, &f2) in f2.iter().enumerate() {
                        row[j * mc + k] = h * f * f2;
                    }
                }
            }
            Some(rule) => {
                let z = rule.z[i];
                for j in 0..mb {
                    let zy = rule.zy[i * mb + j];
                    let y = rule.y[j];
                    let own = &rule.third[(i * mb + j) * mc..][..mc];
                    let zy2 = &rule.zy2[i * mc..][..mc];
                    let yy2 = &rule.yy2[j * mc..][..mc];
                    let (from_y2, from_f2) = (w2 * zy + w3 * z * y, w4 * h * f[j]);
                    for (k, out) in row[j * mc..][..mc].iter_mut().enumerate() {
                        *out = w1 * own[k]
                            + w2 * (zy2[k] * y + yy2[k] * z)
                            + from_y2 * rule.y2[k]
                            + from_f2 * f2[k];
                    }
                }
            }
        }
        write(i, &row);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two applications with opposite views, so that every moment can be written down.
    #[test]
    fn all_levels_by_hand_with_two_states() {
        let mut sums = JointMoments::new([2, 2, 2]);
        sums.add(1.0, &[1.0, 0.0], &[1.0, 0.0], &[1.0, 0.0]);
        sums.add(1.0, &[0.0, 1.0], &[0.0, 1.0], &[0.0, 1.0]);
        let rule = RuleMoments::new(sums).unwrap();
        let parent = SymbolMeans { inside: Vec::new(), outside: vec![0.6, 0.4] };
        let left = SymbolMeans { inside: vec![0.7, 0.3], outside: Vec::new() };
        let right = SymbolMeans { inside: vec![0.2, 0.8], outside: Vec::new() };
        let smoothed = |rule: Option<&RuleMoments>, constant: f64| {
            let mut all = Vec::new();
            smooth(rule, [&parent, &left, &right], constant, |_, row| all.extend_from_slice(row));
            all
        };
        // E¹ is 1/2 at 000 and 111. E² is 3/12 there and 1/12 elsewhere: one of the three products is not 0. E³ is 1/8.
        // With C = √2 and n = 2, λ = 1/2, so the weights of the levels are 1/2, 1/4, 1/8, 1/8.
        let found = smoothed(Some(&rule), 2.0_f64.sqrt());
        let e4 = |i: usize, j: usize, k: usize| [0.6, 0.4][i] * [0.7, 0.3][j] * [0.2, 0.8][k];
        for (at, &value) in found.iter().enumerate() {
            let (i, j, k) = (at / 4, at / 2 % 2, at % 2);
            let same = i == j && j == k;
            let (e1, e2) = if same { (0.5, 0.25) } else { (0.0, 1.0 / 12.0) };
            let expected = e1 / 2.0 + e2 / 4.0 + (1.0 / 8.0) / 8.0 + e4(i, j, k) / 8.0;
            assert!((value - expected).abs() < 1e-12, "{i}{j}{k}: {value}, not {expected}");
        }
        assert!((found[0] - 0.338_625).abs() < 1e-12);
        // Without a constant only E¹ is left, and a rule that was never seen has E⁴.
        assert_eq!(smoothed(Some(&rule), 0.0), [0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.5]);
        let unseen = smoothed(None, 5.0);
        assert!((unseen[0] - 0.084).abs() < 1e-12 && (unseen[7] - 0.4 * 0.3 * 0.8).abs() < 1e-12);
    }
}

//! Honest confidences.
//!
//! A model that was fitted to its trees is too sure of new ones, and it knows nothing of the right constituents that pruning
//! lost. Therefore some judged trees are kept from the learner, and a logistic curve through what it says about them
//! (J. Platt, Probabilistic outputs for support vector machines, 1999) maps posteriors to confidences:
//!
//! ```text
//! c(p) = σ(slope · logit p + offset)
//! ```
//!
//! The curve rises, so it does not change which constituent is the more probable; trees are chosen without it.

use serde::{Deserialize, Serialize};

/// Posteriors nearer to 0 or 1 than this are all the same.
const CERTAIN: f32 = 1e-4;
/// The weight of the curve without effect, as a number of constituents.
const PRIOR: f64 = 10.0;
/// The least slope of a curve.
const LEAST_SLOPE: f64 = 0.05;
/// Newton's method converges in fewer steps.
const STEPS: usize = 25;

/// A curve from posteriors to confidences.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Curve {
    slope: f32,
    offset: f32,
}

impl Default for Curve {
    fn default() -> Self {
        Self { slope: 1.0, offset: 0.0 }
    }
}

impl Curve {
    /// The confidence for a posterior.
    pub(super) fn at(self, posterior: f32) -> f32 {
        if self == Self::default() {
            return posterior;
        }
        1.0 / (1.0 + (-self.slope * logit(posterior) - self.offset).exp())
    }

    /// Whether the curve rises.
    pub(super) fn is_sound(self) -> bool {
        self.slope > 0.0 && self.slope.is_finite() && self.offset.is_finite()
    }

    /// The curve with the least log-loss over posteriors of constituents and whether they were right.
    pub(super) fn fit(points: &[(f32, bool)]) -> Self {
        let (mut slope, mut offset) = (1.0_f64, 0.0_f64);
        for _ in 0..STEPS {
            // Gradient and Hessian of the loss, which is convex.
            let (mut g, mut h) = ([PRIOR * (slope - 1.0), PRIOR * offset], [PRIOR, 0.0, PRIOR]);
            for &(posterior, right) in points {
                let x = f64::from(logit(posterior));
                let p = 1.0 / (1.0 + (-slope * x - offset).exp());
                let (error, weight) = (p - f64::from(u8::from(right)), p * (1.0 - p));
                g = [g[0] + error * x, g[1] + error];
                h = [h[0] + weight * x * x, h[1] + weight * x, h[2] + weight];
            }
            let determinant = h[0] * h[2] - h[1] * h[1];
            slope = (slope - (h[2] * g[0] - h[1] * g[1]) / determinant).max(LEAST_SLOPE);
            offset -= (h[0] * g[1] - h[1] * g[0]) / determinant;
        }
        Self { slope: slope as f32, offset: offset as f32 }
    }
}

fn logit(posterior: f32) -> f32 {
    let posterior = posterior.clamp(CERTAIN, 1.0 - CERTAIN);
    (posterior / (1.0 - posterior)).ln()
}

/// The curves of a model.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub(super) struct Calibration {
    /// For what stands over one word.
    pub(super) words: Curve,
    /// For what stands over several.
    pub(super) phrases: Curve,
}

impl Calibration {
    /// The confidence for the posterior of a label over so many words.
    pub(super) fn confidence(&self, words: usize, posterior: f32) -> f32 {
        match words {
            1 => self.words.at(posterior),
            _ => self.phrases.at(posterior),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Posteriors whose truth is drawn from a known curve, evenly and without chance.
    fn points(slope: f32, offset: f32) -> Vec<(f32, bool)> {
        let grid = (1..40).map(|at| at as f32 / 40.0);
        grid.flat_map(|posterior| {
            let right = Curve { slope, offset }.at(posterior);
            (0..500).map(move |at| (posterior, (at as f32 + 0.5) / 500.0 < right))
        })
        .collect()
    }

    #[test]
    fn the_curve_that_made_the_data_is_found() {
        for (slope, offset) in [(0.5, 0.0), (0.6, -0.8), (1.5, 0.3)] {
            let curve = Curve::fit(&points(slope, offset));
            assert!((curve.slope - slope).abs() < 0.03, "{curve:?}");
            assert!((curve.offset - offset).abs() < 0.03, "{curve:?}");
        }
    }

    #[test]
    fn few_constituents_change_little_and_none_nothing() {
        let curve = Curve::fit(&[(0.9, false)]);
        // No further than where one wrong constituent would move the mean of as many as the prior counts for.
        let mean = 0.9 * PRIOR as f32 / (PRIOR as f32 + 1.0);
        assert!(curve.at(0.9) > mean && curve.at(0.9) < 0.9, "{curve:?}");
        let untouched = Curve::fit(&[]);
        assert_eq!(untouched, Curve::default());
        assert_eq!(untouched.at(0.123), 0.123);
        let falling = Curve::fit(&[(0.99, false); 500]);
        assert!(falling.is_sound() && falling.at(0.9) > falling.at(0.1));
    }
}

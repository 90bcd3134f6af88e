//! Confidences: whether a decoder computes them, and how they become honest.
//!
//! A probability `p` of a model that was fitted closely to its data is too large where it is large. Its odds are raised to a power
//! and shifted,
//!
//! ```text
//! p' / (1 - p') = exp(b) (p / (1 - p))^a
//! ```
//!
//! with `a` and `b` of the greatest likelihood on data that the model was not learnt from (J. Platt, Probabilistic outputs for
//! support vector machines, 1999).

use serde::{Deserialize, Serialize};

/// Whether a decoder also computes confidences, which takes extra time.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Confidences {
    /// Skip them.
    #[default]
    Skip,
    /// Compute them.
    Compute,
}

/// A change of the odds of confidences.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Odds {
    /// The power `a`.
    pub power: f32,
    /// The shift `b`.
    pub shift: f32,
    /// Confidences are kept this far from 0 and 1 before they are changed, as when `a` and `b` were fitted: few words have
    /// more extreme ones and are wrong, so that nothing was fitted to them.
    #[serde(default = "least_of_arcs")]
    pub least: f32,
}

/// What parsers had before it was stored.
fn least_of_arcs() -> f32 {
    Odds::ARCS
}

impl Default for Odds {
    fn default() -> Self {
        Self::UNCHANGED
    }
}

impl Odds {
    /// The bound for arcs.
    pub const ARCS: f32 = 3e-3;
    /// The bound for tags, which are more often certain than arcs.
    pub const TAGS: f32 = 1e-3;

    /// Odds that change nothing.
    pub const UNCHANGED: Self = Self { power: 1.0, shift: 0.0, least: Self::ARCS };

    /// Whether the numbers make sense, as those of a file may not.
    pub fn is_sound(self) -> bool {
        let Self { power, shift, least } = self;
        power > 0.0 && power.is_finite() && shift.is_finite() && least > 0.0 && least < 0.5
    }

    /// The changed confidence.
    pub fn of(self, confidence: f32) -> f32 {
        if (self.power, self.shift) == (1.0, 0.0) {
            return confidence;
        }
        let changed = f64::from(self.power) * logit(confidence, self.least) + f64::from(self.shift);
        logistic(changed) as f32
    }

    /// Those of the greatest likelihood for confidences and whether what they are about was right, by Newton's method;
    /// [`UNCHANGED`](Self::UNCHANGED) if there is too little to fit.
    pub fn fitted(judged: &[(f32, bool)], least: f32) -> Self {
        let logits: Vec<(f64, f64)> = judged
            .iter()
            .map(|&(confidence, right)| (logit(confidence, least), f64::from(u8::from(right))))
            .collect();
        let (mut power, mut shift) = (1.0, 0.0);
        for _ in 0..NEWTON_STEPS {
            // Gradient and curvature of the log-likelihood, with a weak pull to no change.
            let (mut by_power, mut by_shift) = (PULL * (1.0 - power), -PULL * shift);
            let (mut power_power, mut power_shift, mut shift_shift) = (PULL, 0.0, PULL);
            for &(logit, right) in &logits {
                let p = logistic(power * logit + shift);
                let weight = p * (1.0 - p);
                by_power += (right - p) * logit;
                by_shift += right - p;
                power_power += weight * logit * logit;
                power_shift += weight * logit;
                shift_shift += weight;
            }
            let determinant = power_power * shift_shift - power_shift * power_shift;
            // Where nearly all is certain the curvature is small, and a whole step would go too far.
            let bounded = |step: f64| step.clamp(-LONGEST_STEP, LONGEST_STEP);
            power += bounded((by_power * shift_shift - by_shift * power_shift) / determinant);
            shift += bounded((by_shift * power_power - by_power * power_shift) / determinant);
        }
        let fitted = Self { power: power as f32, shift: shift as f32, least };
        let sound = (0.2..5.0).contains(&fitted.power) && fitted.shift.abs() < 5.0;
        if sound { fitted } else { Self::UNCHANGED }
    }
}

/// Steps of Newton's method.
const NEWTON_STEPS: usize = 40;
/// The longest of them.
const LONGEST_STEP: f64 = 0.5;
/// Weight of no change, as so many words.
const PULL: f64 = 10.0;

/// The logarithm of the odds of a confidence.
fn logit(confidence: f32, least: f32) -> f64 {
    let least = f64::from(least);
    let confidence = f64::from(confidence).clamp(least, 1.0 - least);
    (confidence / (1.0 - confidence)).ln()
}

fn logistic(logit: f64) -> f64 {
    1.0 / (1.0 + (-logit).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odds_are_fitted_to_what_was_right() {
        // Right in 90 of 100 cases at 0.7 and in 10 of 100 at 0.3: they could be more certain at both ends.
        let mut judged = Vec::new();
        for number in 0..1000 {
            judged.push((0.7, number % 100 < 90));
            judged.push((0.3, number % 100 < 10));
        }
        let odds = Odds::fitted(&judged, Odds::ARCS);
        assert!((odds.of(0.7) - 0.9).abs() < 0.02 && (odds.of(0.3) - 0.1).abs() < 0.02, "{odds:?}");
        assert!(odds.of(0.5) > 0.45 && odds.of(0.5) < 0.55);
        assert!(odds.of(0.0) < 1e-3 && odds.of(1.0) > 0.999 && odds.of(1.0) < 1.0);
        assert_eq!(Odds::UNCHANGED.of(1.0), 1.0);
        assert_eq!(Odds::UNCHANGED.of(0.37), 0.37);
        assert_eq!(Odds::fitted(&[], Odds::ARCS), Odds::UNCHANGED);
    }

    /// Nearly certain and wrong in one of fifty cases, as tags are: Newton's method without bounds leaves for infinity here.
    #[test]
    fn certain_words_are_fitted_too() {
        let judged: Vec<(f32, bool)> = (0..20_000)
            .map(|number| (if number % 20 == 0 { 0.8 } else { 0.9999 }, number % 50 != 0))
            .collect();
        let odds = Odds::fitted(&judged, 1e-4);
        assert_ne!(odds, Odds::UNCHANGED);
        assert!((odds.of(0.9999) - 0.98).abs() < 0.01, "{odds:?}");
    }
}

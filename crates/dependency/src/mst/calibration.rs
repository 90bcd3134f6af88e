//! Calibrated confidences.
//!
//! Large margins are not probabilities. Scores are divided by a temperature before they are used as logarithms, one for
//! arcs and one for labels, tuned on held-out trees (C. Guo et al., On calibration of modern neural networks, ICML
//! 2017, on why one number often suffices). The odds of their product are then raised to a power and shifted, both fitted
//! to the same trees (J. Platt 1999).

use corpus::format::conllu::Sentence;

use super::model::Mst;
use super::parser::{Parser, Scratch};
use crate::arcs::Word;
use models::confidence::Confidences;

/// Used without held-out trees. Close to the values tuned on English-EWT: 0.45 and 0.65 for arcs in first and second
/// order, 0.15 for labels in both.
pub(super) const DEFAULT_TEMPERATURE: f32 = 0.5;
pub(super) const DEFAULT_LABEL_TEMPERATURE: f32 = 0.15;
/// The same for parsers with networks: between the values that were tuned on most of 17 treebanks (0.65 and 1, 0.3 and 0.45),
/// and the medians of power and shift.
pub(super) const NETWORK_TEMPERATURE: f32 = 0.8;
pub(super) const NETWORK_LABEL_TEMPERATURE: f32 = 0.35;
pub(super) const NETWORK_ODDS: Odds = Odds { power: 0.68, shift: 0.04 };
/// The temperatures that are tried.
const TEMPERATURES: [f32; 9] = [0.1, 0.15, 0.2, 0.3, 0.45, 0.65, 1.0, 1.5, 2.2];
/// Enough sentences to choose one number.
const MOST_SENTENCES: usize = 400;

impl Mst {
    /// Chooses the temperatures on held-out trees: those with the smallest log-loss of "the head is correct" and "head
    /// and label are correct". Heads and labels of parses do not change.
    pub fn calibrate(&mut self, trees: &[Sentence]) {
        let step = trees.len().div_ceil(MOST_SENTENCES).max(1);
        let chosen: Vec<&Sentence> = trees.iter().step_by(step).filter(|tree| !tree.is_empty()).collect();
        self.form.odds = Odds::default();
        // Almost certain labels leave the confidence of arcs unchanged.
        self.form.label_temperature = 1e-6;
        let arcs = TEMPERATURES.map(|temperature| {
            self.form.temperature = temperature;
            self.loss(&chosen, Judged::Head)
        });
        self.form.temperature = best(&arcs, DEFAULT_TEMPERATURE);
        let labels = TEMPERATURES.map(|temperature| {
            self.form.label_temperature = temperature;
            self.loss(&chosen, Judged::Both)
        });
        self.form.label_temperature = best(&labels, DEFAULT_LABEL_TEMPERATURE);
        let mut judged = Vec::new();
        self.for_each(&chosen, Judged::Both, |confidence, right| judged.push((confidence, right)));
        self.form.odds = Odds::fitted(&judged);
    }

    fn loss(&self, trees: &[&Sentence], judged: Judged) -> f64 {
        let mut loss = 0.0;
        self.for_each(trees, judged, |confidence, right| {
            let confidence = f64::from(confidence).clamp(LEAST, 1.0 - LEAST);
            loss -= if right { confidence.ln() } else { (1.0 - confidence).ln() };
        });
        loss
    }

    /// Calls `call` for every word with its confidence and whether it is right.
    fn for_each(&self, trees: &[&Sentence], judged: Judged, mut call: impl FnMut(f32, bool)) {
        let parser = Parser::new(self);
        let mut scratch = Scratch::default();
        for tree in trees {
            let words = Word::of_sentence(tree);
            for parse in parser.parse_best(&words, 1, Confidences::Compute, &mut scratch) {
                for (index, word) in tree.words().enumerate() {
                    let mut right = word.head() == Some(parse.heads[index]);
                    if judged == Judged::Both {
                        right &= word.deprel() == self.labels.text(parse.labels[index]);
                    }
                    call(parse.confidences[index], right);
                }
            }
        }
    }
}

/// Confidences are kept this far from 0 and 1 when temperatures are chosen.
const LEAST: f64 = 1e-4;
/// The same when odds are fitted and changed.
const LEAST_OF_ODDS: f64 = 3e-3;

/// The logarithm of the odds of a confidence.
fn logit(confidence: f32) -> f64 {
    let confidence = f64::from(confidence).clamp(LEAST_OF_ODDS, 1.0 - LEAST_OF_ODDS);
    (confidence / (1.0 - confidence)).ln()
}

/// `p / (1 - p)` becomes `exp(shift) (p / (1 - p))^power`.
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
pub(super) struct Odds {
    pub(super) power: f32,
    pub(super) shift: f32,
}

impl Default for Odds {
    fn default() -> Self {
        Self { power: 1.0, shift: 0.0 }
    }
}

impl Odds {
    /// The changed confidence.
    pub(super) fn of(self, confidence: f32) -> f32 {
        if self == Self::default() {
            return confidence;
        }
        // As in the fit: where networks leave one head, its posterior is 1, which nothing was fitted to.
        let logit = logit(confidence);
        (1.0 / (1.0 + (-(f64::from(self.power) * logit + f64::from(self.shift))).exp())) as f32
    }

    /// Those of the greatest likelihood, by Newton's method; the default if there is too little to fit.
    fn fitted(judged: &[(f32, bool)]) -> Self {
        let logits: Vec<(f64, f64)> = judged
            .iter()
            .map(|&(confidence, right)| (logit(confidence), f64::from(u8::from(right))))
            .collect();
        let (mut power, mut shift) = (1.0, 0.0);
        for _ in 0..NEWTON_STEPS {
            // Gradient and curvature of the log-likelihood, with a weak pull to the default.
            let (mut by_power, mut by_shift) = (PULL * (1.0 - power), -PULL * shift);
            let (mut power_power, mut power_shift, mut shift_shift) = (PULL, 0.0, PULL);
            for &(logit, right) in &logits {
                let p = 1.0 / (1.0 + (-(power * logit + shift)).exp());
                let weight = p * (1.0 - p);
                by_power += (right - p) * logit;
                by_shift += right - p;
                power_power += weight * logit * logit;
                power_shift += weight * logit;
                shift_shift += weight;
            }
            let determinant = power_power * shift_shift - power_shift * power_shift;
            power += (by_power * shift_shift - by_shift * power_shift) / determinant;
            shift += (by_shift * power_power - by_power * power_shift) / determinant;
        }
        let fitted = Self { power: power as f32, shift: shift as f32 };
        let sound = (0.2..5.0).contains(&fitted.power) && fitted.shift.abs() < 5.0;
        if sound { fitted } else { Self::default() }
    }
}

/// Steps of Newton's method.
const NEWTON_STEPS: usize = 20;
/// Weight of the default, as so many words.
const PULL: f64 = 10.0;

/// What a confidence refers to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Judged {
    Head,
    Both,
}

fn best(losses: &[f64; TEMPERATURES.len()], otherwise: f32) -> f32 {
    let pairs = losses.iter().zip(TEMPERATURES);
    pairs.min_by(|one, other| one.0.total_cmp(other.0)).map_or(otherwise, |(_, temperature)| temperature)
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
        let odds = Odds::fitted(&judged);
        assert!((odds.of(0.7) - 0.9).abs() < 0.02 && (odds.of(0.3) - 0.1).abs() < 0.02, "{odds:?}");
        assert!(odds.of(0.5) > 0.45 && odds.of(0.5) < 0.55);
        assert!(odds.of(0.0) < 1e-3 && odds.of(1.0) > 0.999 && odds.of(1.0) < 1.0);
        assert_eq!(Odds::default().of(1.0), 1.0);
        assert_eq!(Odds::default().of(0.37), 0.37);
        assert_eq!(Odds::fitted(&[]), Odds::default());
    }
}

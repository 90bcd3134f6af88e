//! Calibrated confidences.
//!
//! Large margins are not probabilities. Scores are divided by a temperature before they are used as logarithms, one for
//! arcs and one for labels, tuned on held-out trees (C. Guo et al., On calibration of modern neural networks, ICML
//! 2017, on why one number often suffices). The odds of their product are then changed ([`Odds`]), fitted to the same trees.

use corpus::format::conllu::Sentence;

use super::model::Mst;
use super::parser::{Parser, Scratch};
use crate::arcs::Word;
use models::confidence::{Confidences, Odds};

/// Used without held-out trees. Close to the values tuned on English-EWT: 0.45 and 0.65 for arcs in first and second
/// order, 0.15 for labels in both.
pub(super) const DEFAULT_TEMPERATURE: f32 = 0.5;
pub(super) const DEFAULT_LABEL_TEMPERATURE: f32 = 0.15;
/// The same for parsers with networks: between the values that were tuned on most of 17 treebanks (0.65 and 1, 0.3 and 0.45),
/// and the medians of power and shift.
pub(super) const NETWORK_TEMPERATURE: f32 = 0.8;
pub(super) const NETWORK_LABEL_TEMPERATURE: f32 = 0.35;
pub(super) const NETWORK_ODDS: Odds = Odds { power: 0.68, shift: 0.04, least: Odds::ARCS };
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
        self.form.odds = Odds::UNCHANGED;
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
        self.form.odds = Odds::fitted(&judged, Odds::ARCS);
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

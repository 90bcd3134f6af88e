//! Calibrated confidences of tags.
//!
//! Features and networks are fitted closely to the training data, so that probabilities of labels are too high: on English-EWT, labels
//! with probabilities of 0.85 are right in 68 of 100 cases. Their odds are changed by column ([`Odds`]), as fitted to
//! sentences that were not learnt from.

use super::data::TaggedSentence;
use super::labels::{ColumnKind, LabelColumn};
use super::model::Tagger;
use models::confidence::Odds;

/// Without such sentences: close to the medians of what was fitted to 20 columns of nine treebanks, 0.74 and -0.46.
const USUAL: Odds = Odds { power: 0.75, shift: -0.45, least: Odds::TAGS };
/// Enough sentences to choose two numbers.
const MOST_SENTENCES: usize = 2_000;

/// What is used before anything is fitted.
pub(super) fn default_odds(column: &LabelColumn) -> Odds {
    match column.kind {
        ColumnKind::Plain => USUAL,
        // Most words are outside of spans, and say little of those within.
        ColumnKind::Lemmas | ColumnKind::Spans => Odds::UNCHANGED,
    }
}

impl Tagger {
    /// Fits the confidences of labels to sentences that were not learnt from. The labels themselves do not change. Columns of
    /// spans are left as they are.
    pub fn calibrate(&mut self, sentences: &[TaggedSentence]) {
        let mut judged: Vec<Vec<(f32, bool)>> = vec![Vec::new(); self.columns.len()];
        self.odds.fill(Odds::UNCHANGED);
        let step = sentences.len().div_ceil(MOST_SENTENCES).max(1);
        let mut scratch = self.scratch();
        for sentence in sentences.iter().step_by(step) {
            let (tagging, confidences) = self.tag_with_confidence(&sentence.words, &mut scratch);
            for (number, judged) in judged.iter_mut().enumerate() {
                let right = sentence.labels.get(number).into_iter().flatten();
                let pairs = tagging.labels(number).zip(right).zip(&confidences[number]);
                judged.extend(pairs.map(|((found, right), &confidence)| (confidence, found == right)));
            }
        }
        for ((column, odds), judged) in self.columns.iter().zip(&mut self.odds).zip(&judged) {
            if column.kind == ColumnKind::Plain {
                *odds = Odds::fitted(judged, Odds::TAGS);
            }
        }
    }
}

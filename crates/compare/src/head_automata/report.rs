//! What came out.

use eigentree::training::Preset;
use serde::Serialize;

use super::graph::HeadGraph;
use crate::meter::Cost;

/// The whole comparison.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Report {
    /// Always `shag`.
    pub family: &'static str,
    /// Whose method was compared.
    #[serde(skip)]
    pub preset: Preset,
    /// How many threads worked.
    pub threads: usize,
    /// What the symbols are.
    pub alphabet: &'static str,
    /// How many there are.
    pub symbols: usize,
    /// Words learnt from.
    pub train_words: usize,
    /// Words of the development set.
    pub dev_words: usize,
    /// Modifier sequences, and how many of them are different.
    pub sequences: (usize, usize),
    /// What all learners share: projective trees, symbols, counts of sequences.
    pub shared: Cost,
    /// One a learner and number of states.
    pub runs: Vec<Run>,
    /// What hidden states remember, with the paper's method.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub graph: Option<HeadGraph>,
}

/// One model.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Run {
    /// Who: `det`, `spectral`, `lex+fcp`, `lex+fcp+spectral`, ….
    pub learner: String,
    /// Hidden states, if there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub states: Option<usize>,
    /// Steps of EM.
    #[serde(rename = "iterations", skip_serializing_if = "Option::is_none")]
    pub steps: Option<usize>,
    /// The weight of words beside tags, as the development set chose it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lexical_weight: Option<f64>,
    /// What learning took, without what all share and without choosing the weight.
    pub training: Cost,
    /// On the development set.
    pub dev: Score,
    /// On the test set, for the best of each learner.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub test: Option<Score>,
    /// By other objectives than the sum of the logarithms of marginals, for the best of each learner.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decoded: Option<Decoded>,
    /// With the paper's method, of the best of each learner that combines words with tags: what the combination is worth.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub combined: Option<Combined>,
}

/// Equation 21 of the paper looked into: words of the development set with the right head, in per cent.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Combined {
    /// The weight of words that is best on the development set; the paper's is 1.
    pub weight: f64,
    /// With that weight.
    pub weighted: f64,
    /// Sentences with a positive sum over trees, with weight 1.
    pub positive: usize,
    /// In these, with weight 1.
    pub positive_uas: f64,
    /// In these, by words alone.
    pub positive_words_alone: f64,
    /// In the other sentences, where DET+F decides.
    pub other_uas: f64,
    /// In the other sentences, by words alone.
    pub other_words_alone: f64,
}

/// Words of the development set with the right head by other objectives, in per cent.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Decoded {
    /// The sum of marginals.
    pub sum: f64,
    /// The probability of the tree, for automata without hidden states.
    pub viterbi: Option<f64>,
}

/// On one set of sentences.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Score {
    /// The share of words with the right head, in per cent, punctuation included.
    pub uas: f64,
    /// Sentences.
    pub sentences: usize,
    /// Sentences whose sum over trees was not positive.
    pub fallbacks: usize,
    /// Sentences with a marginal that was not positive.
    pub floored: usize,
    /// Words a second of processor time.
    pub words_per_second: Option<f64>,
}

impl Report {
    /// The best run of a learner on the development set; of equal ones the first.
    pub(super) fn best(&self, learner: &str) -> Option<&Run> {
        let runs = self.runs.iter().filter(|run| run.learner == learner);
        runs.fold(None, |best: Option<&Run>, run| match best {
            Some(best) if best.dev.uas >= run.dev.uas => Some(best),
            _ => Some(run),
        })
    }

    /// The learners, in the order of their first run.
    pub(super) fn learners(&self) -> Vec<&str> {
        let mut learners: Vec<&str> = Vec::new();
        for run in &self.runs {
            if !learners.contains(&run.learner.as_str()) {
                learners.push(&run.learner);
            }
        }
        learners
    }
}

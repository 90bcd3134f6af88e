//! What came out.

use eigentree::training::Preset;
use serde::Serialize;
use tagging::tagger::Objective;

use crate::meter::Cost;

/// The whole comparison.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Report {
    /// Always `tagging`.
    pub family: &'static str,
    /// How many threads worked.
    pub threads: usize,
    /// Tokens that clusters were learnt from.
    pub tokens: u64,
    /// The largest number of clusters that was asked for.
    pub clusters: usize,
    /// What the taggers were trained for.
    pub objective: Objective,
    /// Whether the tables of the paper are printed.
    #[serde(skip)]
    pub preset: Preset,
    /// The names of what is scored, in the order of the scores.
    pub tasks: Vec<String>,
    /// The first without clusters.
    pub runs: Vec<Run>,
}

/// Taggers with the clusters of one method.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Run {
    /// Who clusters; `none` for taggers without clusters.
    pub method: &'static str,
    /// The words that were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vocab: Option<usize>,
    /// What describes a word, for the spectral methods.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context: Option<String>,
    /// κ, for the spectral methods.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kappa: Option<f64>,
    /// The number of clusters that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clusters: Option<usize>,
    /// What clustering took, without counting.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clustering: Option<Cost>,
    /// Seconds of the decomposition, for the spectral methods.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub svd: Option<f64>,
    /// Seconds of Ward's clustering, for methods with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ward: Option<f64>,
    /// Searches for the nearest cluster at each merge (γ), for methods with Ward's clustering.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gamma: Option<f64>,
    /// What learning the taggers took.
    pub training: Cost,
    /// In the order of the tasks.
    pub scores: Vec<Score>,
}

/// The score of one column.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Score {
    /// Accuracy, or F1 of entities, in percent.
    pub score: f64,
    /// What clusters add.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gain: Option<Gain>,
    /// The same of the test set, for the best of each method, vocabulary and number of clusters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub test: Option<f64>,
}

/// A difference, in points.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Gain {
    /// The score less that without clusters.
    pub points: f64,
    /// Where 95 % of the resamples are.
    pub interval: (f64, f64),
    /// Two-sided, of no difference.
    pub p_value: f64,
}

impl Report {
    /// The best run of a method for a number of clusters and a vocabulary, by one score; of equal ones the first.
    pub(super) fn best(
        &self,
        method: &str,
        key: (Option<usize>, Option<usize>),
        column: usize,
    ) -> Option<&Run> {
        let runs = self.runs.iter().filter(|run| run.method == method && (run.clusters, run.vocab) == key);
        runs.reduce(|best, run| if run.score(column) > best.score(column) { run } else { best })
    }

    /// Forgets the test scores of all but the best of each method, vocabulary and number of clusters.
    pub(super) fn keep_best_tests(&mut self) {
        for column in 0..self.tasks.len() {
            let keep: Vec<bool> = self
                .runs
                .iter()
                .map(|run| {
                    let best = self.best(run.method, (run.clusters, run.vocab), column);
                    best.is_some_and(|best| std::ptr::eq(best, run))
                })
                .collect();
            for (run, _) in self.runs.iter_mut().zip(keep).filter(|(_, keep)| !keep) {
                if let Some(score) = run.scores.get_mut(column) {
                    score.test = None;
                }
            }
        }
    }
}

impl Run {
    pub(super) fn score(&self, column: usize) -> f64 {
        self.scores.get(column).map_or(0.0, |score| score.score)
    }

    pub(super) fn test(&self, column: usize) -> Option<f64> {
        self.scores.get(column)?.test
    }
}

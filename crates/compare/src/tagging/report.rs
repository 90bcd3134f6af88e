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

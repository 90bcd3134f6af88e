//! What came out.

use eigentree::training::Preset;
use serde::Serialize;

use crate::meter::{Cost, StageCost, total};

/// The whole comparison.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Report {
    /// Always `clusters`.
    pub family: &'static str,
    /// How many threads worked.
    pub threads: usize,
    /// Tokens learnt from.
    pub tokens: u64,
    /// Tokens of the held-out text.
    pub held_out_tokens: u64,
    /// The context of the spectral methods.
    pub context: String,
    /// κ of the spectral methods.
    pub kappa: f64,
    /// Whether the tables of the paper are printed.
    #[serde(skip)]
    pub preset: Preset,
    /// One a size of the vocabulary.
    pub vocabularies: Vec<VocabRun>,
    /// One a vocabulary, number of clusters and method.
    pub runs: Vec<Run>,
}

/// What the methods share.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct VocabRun {
    /// The words that were asked for.
    pub vocab: usize,
    /// Different words, with the class of others.
    pub types: usize,
    /// Different pairs of neighbours.
    pub pairs: usize,
    /// What counting took.
    pub counting: Cost,
}

/// One method with one number of clusters.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Run {
    /// Who.
    pub method: &'static str,
    /// Context, κ and rank, for spectral methods.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub setting: Option<Setting>,
    /// The words that were asked for.
    pub vocab: usize,
    /// The clusters that were asked for.
    pub clusters: usize,
    /// The times of the stages, without counting.
    pub stages: Vec<StageCost>,
    /// The most memory held in learning, counts included, in MB.
    pub peak_mb: Option<f64>,
    /// Searches for the nearest cluster at each merge (γ), for methods with Ward's clustering.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gamma: Option<f64>,
    /// Mutual information of neighbouring clusters on the text learnt from, in nats.
    pub mi: f64,
    /// Of the held-out text under the model of the clusters.
    pub perplexity: f64,
}

/// What describes a word in a spectral method.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Setting {
    /// The context.
    pub context: String,
    /// κ.
    pub kappa: f64,
    /// The number of singular vectors.
    pub rank: usize,
}

impl Run {
    /// The time of a stage, if there was one.
    pub(super) fn stage(&self, name: &str) -> Option<f64> {
        self.stages.iter().find(|stage| stage.name == name).map(|stage| stage.cost.time())
    }

    /// The time of all stages.
    pub fn seconds(&self) -> f64 {
        total(&self.stages).time()
    }
}

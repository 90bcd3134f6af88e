//! What came out.

use serde::Serialize;

use crate::meter::{StageCost, total};

/// The whole comparison.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Report {
    /// Always `sequence`.
    pub family: &'static str,
    /// How many threads worked.
    pub threads: usize,
    /// Sequences learnt from.
    pub sequences: f64,
    /// Sequences scored.
    pub held_out: f64,
    /// How many symbols there are.
    pub symbols: usize,
    /// One a learner, number of states and number of steps.
    pub runs: Vec<Run>,
}

/// One learner.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Run {
    /// Who.
    pub learner: String,
    /// The states that were asked for.
    pub states: Option<usize>,
    /// Of symbols and ends of the held-out sequences.
    pub perplexity: f64,
    /// The weight of the automaton in the mixture with n-grams.
    pub weight: Option<f64>,
    /// The times of the stages.
    pub stages: Vec<StageCost>,
}

impl Run {
    /// The time of all stages.
    pub fn seconds(&self) -> f64 {
        total(&self.stages).time()
    }
}

//! Results of training besides the model.

use dependency::deptree::Conditioning;
use dependency::head_automata::LexicalWeights;
use grammars::lpcfg::{LexicalSmoothing, SmoothingConfig, StateLimits};
use serde_json::{Value, json};

use crate::inspection::Theory;

use super::{Protocol, StateTuning, Trial, TuningReport};

/// A result of training besides the model. Jobs also report it to the observer as text.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum Finding {
    /// The constants of smoothing that did best on held-out trees, and all that were tried.
    Smoothing(TuningReport),
    /// The numbers of states that did best on held-out trees.
    States(StateTuning),
    /// All constants of the learner, and where they depart from the paper behind the family.
    Protocol(Protocol),
    /// What the theorems behind the family say of the model.
    Theory(Theory),
    /// The weight of words beside tags that did best on development sentences.
    LexicalWeight(f64),
    /// The weights of all factors of words that did best on development sentences.
    LexicalWeights(LexicalWeights),
    /// How well-conditioned the moments of latent trees are.
    Conditioning(Conditioning),
    /// The weights of a reranker, each for one standard deviation within lists.
    RerankWeights {
        /// The parser's score.
        parser: f64,
        /// The logarithm of the probability by latent trees.
        latent: f64,
        /// That this probability is negative.
        negative: f64,
    },
}

impl Finding {
    /// Its name in summaries, which is stable, and its value; `None` if summaries do not have it.
    pub fn to_json(&self) -> Option<(String, Value)> {
        let (name, value) = match self {
            Finding::Smoothing(tuning) => ("tuning", tuning_to_json(tuning)),
            Finding::States(tuning) => (
                "state_tuning",
                json!({
                    "limits": limits_to_json(&tuning.search.limits),
                    "held_out": tuning.held_out,
                    "trials": tuning.search.trials,
                    "before": 100.0 * tuning.search.before,
                    "after": 100.0 * tuning.search.after,
                }),
            ),
            Finding::Theory(theory) => ("theory", theory.to_json()),
            Finding::Protocol(protocol) => ("protocol", protocol.to_json()),
            Finding::LexicalWeight(weight) => ("lexical_weight", json!(weight)),
            Finding::LexicalWeights(weights) => (
                "lexical_weights",
                json!({
                    "tags": weights.tags,
                    "words": weights.words,
                    "places": weights.places,
                    "clusters": weights.clusters,
                    "neighbours": weights.neighbours,
                }),
            ),
            Finding::Conditioning(conditioning) => (
                "conditioning",
                json!({
                    "sigma_left": conditioning.sigma_left,
                    "sigma_right": conditioning.sigma_right,
                    "step_left": conditioning.step_left,
                    "step_right": conditioning.step_right,
                }),
            ),
            Finding::RerankWeights { .. } => return None,
        };
        Some((name.to_owned(), value))
    }
}

fn tuning_to_json(tuning: &TuningReport) -> Value {
    let trial = |trial: &Trial| json!({ "smoothing": constants(&trial.smoothing), "f1": 100.0 * trial.f1 });
    let trials: Vec<Value> = tuning.trials.iter().map(trial).collect();
    json!({ "chosen": constants(&tuning.best.smoothing), "held_out": tuning.held_out, "trials": trials })
}

/// Limits of states by label.
pub(super) fn limits_to_json(limits: &StateLimits) -> Value {
    limits.iter().map(|(label, most)| (label.to_owned(), json!(most))).collect()
}

/// Constants of smoothing by name.
pub(super) fn constants(smoothing: &SmoothingConfig) -> Value {
    let mut constants =
        json!({ "rules": smoothing.rules, "words": smoothing.words, "classes": smoothing.classes });
    if let LexicalSmoothing::Constant { own, below } = smoothing.lexical {
        constants["nu"] = json!(own);
        constants["nu_below"] = json!(below);
    }
    constants
}

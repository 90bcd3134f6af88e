//! What can be chosen.

use serde::{Deserialize, Serialize};

use super::words::Lemmas;

/// How much context a score sees.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum Order {
    /// One arc at a time.
    First,
    /// An arc with the sibling inside of it and with the arc above it.
    #[default]
    Second,
}

/// What trees may look like.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum Structure {
    /// Arcs do not cross; crossing arcs of the training data are lifted.
    #[default]
    Projective,
    /// Arcs do not cross in the search, but labels remember what was lifted, and it is put back afterwards.
    PseudoProjective,
    /// Any tree: the best by the algorithm of Chu, Liu and Edmonds in first order; in second order the best projective one, made better by changing heads.
    NonProjective,
}

/// What a learner of this family is told.
#[derive(Clone, PartialEq, Debug)]
pub struct MstConfig {
    /// The order of the parser.
    pub order: Order,
    /// The trees it makes; `None` lets the share of training sentences with crossing arcs decide.
    pub structure: Option<Structure>,
    /// Passes over the data for the parser.
    pub epochs: usize,
    /// Passes for the pruner.
    pub pruner_epochs: usize,
    /// Passes for the labels.
    pub label_epochs: usize,
    /// Weights are kept in tables of 2ᵇ.
    pub bits: u32,
    /// The largest step of an update (the constant C of passive–aggressive learning).
    pub aggressiveness: f32,
    /// The same for labels.
    pub label_aggressiveness: f32,
    /// What is considered when parsing.
    pub pruning: PruningConfig,
    /// What is considered when learning: more, as the pruner knows these sentences and would leave too little to learn from.
    pub training_pruning: PruningConfig,
    /// Whether lemmas are looked at.
    pub lemmas: Lemmas,
    /// The seed of the order in which sentences are seen.
    pub seed: u64,
}

/// Which arcs the parser considers, by the pruner's posterior of the head of each word.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct PruningConfig {
    /// At most so many heads a word.
    pub heads: usize,
    /// None that is less probable than this times the most probable one.
    pub ratio: f32,
}

impl Default for PruningConfig {
    fn default() -> Self {
        Self { heads: 8, ratio: 5e-3 }
    }
}

/// How much effort goes into a model.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Quality {
    /// First order.
    Fast,
    /// Second order.
    #[default]
    Balanced,
    /// Second order, more passes, more candidates.
    Best,
}

impl MstConfig {
    /// The recipe of this quality.
    pub fn quality(quality: Quality) -> Self {
        let base = Self {
            order: Order::Second,
            structure: None,
            epochs: 6,
            pruner_epochs: 2,
            label_epochs: 4,
            bits: 22,
            aggressiveness: 0.01,
            label_aggressiveness: 0.02,
            pruning: PruningConfig::default(),
            training_pruning: PruningConfig { heads: 8, ratio: 1e-3 },
            lemmas: Lemmas::Ignore,
            seed: 1,
        };
        match quality {
            Quality::Fast => Self { order: Order::First, ..base },
            Quality::Balanced => base,
            Quality::Best => Self {
                epochs: 12,
                pruning: PruningConfig { heads: 10, ratio: 3e-3 },
                training_pruning: PruningConfig { heads: 12, ratio: 1e-4 },
                ..base
            },
        }
    }
}

impl Default for MstConfig {
    fn default() -> Self {
        Self::quality(Quality::default())
    }
}

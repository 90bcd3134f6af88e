//! Configuration of the dependency parser.

use models::quality::Quality;
use serde::{Deserialize, Serialize};

use super::network::{Mix, NetworkConfig};
use super::words::Lemmas;
use crate::arcs::Part;

/// The context that a score sees.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum Order {
    /// A single arc.
    First,
    /// An arc with its inner sibling, as in McDonald and Pereira (2006).
    Siblings,
    /// An arc with its inner sibling and with the arc above it.
    #[default]
    Second,
}

/// The trees that the parser produces.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum Structure {
    /// Arcs do not cross; crossing arcs of the training data are lifted.
    #[default]
    Projective,
    /// Arcs do not cross during search, but labels record what was lifted, and it is restored afterwards.
    PseudoProjective,
    /// Any tree: in first order the best by the Chu–Liu–Edmonds algorithm; in second order the best projective tree,
    /// improved by changing heads.
    NonProjective,
}

/// Configuration of an MST learner.
#[derive(Clone, PartialEq, Debug)]
pub struct MstConfig {
    /// The order of the parser.
    pub order: Order,
    /// The trees it produces; if `None`, the share of training sentences with crossing arcs decides.
    pub structure: Option<Structure>,
    /// Training epochs of the parser.
    pub epochs: usize,
    /// Training epochs of the pruner.
    pub pruner_epochs: usize,
    /// Training epochs of the labels.
    pub label_epochs: usize,
    /// Weights are stored in tables of size 2ᵇ.
    pub bits: u32,
    /// Maximum step of an update (the constant C of passive–aggressive learning).
    pub aggressiveness: f32,
    /// The same for labels.
    pub label_aggressiveness: f32,
    /// Pruning when parsing.
    pub pruning: PruningConfig,
    /// Pruning when learning: looser, as the pruner knows the training sentences and would leave too little to learn
    /// from.
    pub training_pruning: PruningConfig,
    /// Whether lemmas are used.
    pub lemmas: Lemmas,
    /// How often the parser and the labels are learnt, each time from sentences in another order; the weights are averaged.
    pub shuffles: usize,
    /// The choice among the best trees by their labels.
    pub choice: Choice,
    /// The network beside the weights of features, if any.
    pub network: Option<NetworkConfig>,
    /// Seed of the order of sentences.
    pub seed: u64,
}

/// Pruning of arcs by the pruner's posterior of each word's head.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct PruningConfig {
    /// Maximum number of heads per word.
    pub heads: usize,
    /// Minimum posterior of a head, relative to the most probable one. Where networks select the heads, their
    /// [margin](super::Mix::margin) takes its place.
    pub ratio: f32,
}

impl Default for PruningConfig {
    fn default() -> Self {
        Self { heads: 8, ratio: 5e-3 }
    }
}

/// The choice among the trees that score best by their arcs: `weight` times the log-probability of a tree's labels is
/// added to its score. By default there is one tree, and so no choice.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Choice {
    /// Number of trees.
    pub trees: usize,
    /// Weight of the labels.
    pub weight: f32,
}

impl Choice {
    /// The choice among this many trees, with the usual weight.
    pub const fn among(trees: usize) -> Self {
        Self { trees, weight: 0.3 }
    }
}

impl Default for Choice {
    fn default() -> Self {
        Self::among(1)
    }
}

impl Order {
    /// Whether parts of this kind have scores.
    pub(super) fn scores(self, part: &Part) -> bool {
        match part {
            Part::Arc { .. } => true,
            Part::Sibling { .. } | Part::End { .. } => self != Order::First,
            Part::Grandparent { .. } | Part::GrandSibling { .. } => self == Order::Second,
        }
    }
}

impl MstConfig {
    /// The recipe for a quality level: first order if fast; second order if balanced, with a network and with labels that
    /// choose among the best trees; more passes, candidates, networks and trees for the best, averaged over several orders
    /// of the sentences.
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
            shuffles: 1,
            choice: Choice::among(4),
            network: None,
            seed: 1,
        };
        match quality {
            Quality::Fast => Self { order: Order::First, choice: Choice::default(), ..base },
            Quality::Balanced => base.with_networks(1),
            Quality::Best => Self {
                epochs: 12,
                pruning: PruningConfig { heads: 12, ratio: 1e-3 },
                network: Some(NetworkConfig {
                    members: 3,
                    mix: Mix { margin: 7.0, ..Mix::default() },
                    ..NetworkConfig::default()
                }),
                training_pruning: PruningConfig { heads: 12, ratio: 1e-4 },
                shuffles: 3,
                choice: Choice::among(8),
                ..base
            },
        }
    }
}

impl MstConfig {
    /// The same with this many networks, which also select the heads among which a tree is searched.
    pub fn with_networks(self, members: usize) -> Self {
        if members == 0 {
            let pruning = if self.network.is_some() { PruningConfig::default() } else { self.pruning };
            return Self { network: None, pruning, ..self };
        }
        match self.network {
            Some(network) => Self { network: Some(NetworkConfig { members, ..network }), ..self },
            None => {
                let network = NetworkConfig { members, ..NetworkConfig::default() };
                Self { network: Some(network), pruning: PruningConfig { heads: 8, ratio: 1e-3 }, ..self }
            }
        }
    }
}

impl Default for MstConfig {
    fn default() -> Self {
        Self::quality(Quality::default())
    }
}

//! Discriminative dependency parsing: maximum spanning trees by scores of arcs and of their neighbourhood.

mod arc_features;
mod clusters;
mod config;
mod difference;
mod hashing;
mod labels;
mod learner;
mod model;
mod neighbour_features;
mod parser;
mod persist;
mod pruner;
mod search;
mod weights;
mod words;

pub use clusters::ClusterPaths;
pub use config::{MstConfig, Order, PruningConfig, Quality, Structure};
pub use learner::MstLearner;
pub use model::Mst;
pub use parser::{Confidences, Parser, Scratch};
pub use persist::FAMILY;
pub use words::Lemmas;

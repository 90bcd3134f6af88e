//! Choosing among the best trees of a parser.
//!
//! ```text
//! ŷ = argmax_{y ∈ list(x)} w·f(x, y)
//! ```
//!
//! with averaged perceptron updates towards the tree of the list that has most arcs right (M. Collins, Discriminative reranking for natural language parsing, ICML 2000; its
//! use with latent trees is that of Dhillon et al. 2012). The features are the score of the parser itself, the two templates
//! of that paper over tags (left modifier, head, right modifier; modifier, head, head of the head), and what a [`Deptree`] says: `log p̂` a word and whether `p̂`
//! is negative. Real-valued features are standardised by the spread within lists, since only differences within a list can decide.
//!
//! Learner, model and lists are apart: [`RerankLearner`], [`Reranker`], [`NBest`].

mod features;
mod learner;
mod list;
mod model;
mod persist;
#[cfg(test)]
mod tests;

pub use features::FeatureSet;
pub use learner::{RerankConfig, RerankLearner};
pub use list::{Candidate, GoldList, NBest};
pub use model::{RerankScratch, Reranker};
pub use persist::FAMILY;

#[cfg(doc)]
use crate::deptree::Deptree;

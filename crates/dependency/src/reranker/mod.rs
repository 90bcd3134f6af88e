//! Chooses among the best trees of a parser.
//!
//! ```text
//! ŷ = argmax_{y ∈ list(x)} w·f(x, y)
//! ```
//!
//! with weights of a log-linear model with an L2 penalty, or with averaged perceptron updates towards the tree of the list
//! with the most correct arcs (M. Collins, Discriminative training methods for hidden Markov models, EMNLP 2002), as
//! Dhillon et al. (2012) use it with latent trees. The
//! features are the parser's own score, the two templates of that paper over tags (left modifier, head, right modifier;
//! modifier, head, head of the head), and the output of a [`Deptree`]: `log p̂` per word and whether `p̂` is negative.
//! Real-valued features are standardised by their spread within lists, since only differences within a list can decide.
//!
//! Learner, model and lists are separate: [`RerankLearner`], [`Reranker`], [`NBest`].

mod features;
mod learner;
mod list;
mod log_linear;
mod model;
mod persist;
mod real_weights;
#[cfg(test)]
mod tests;

pub use features::FeatureSet;
pub use learner::{RIGHT, RerankConfig, RerankLearner, RerankMethod};
pub use list::{Candidate, GoldList, NBest};
pub use model::{Reranker, Scratch};

#[cfg(doc)]
use crate::deptree::Deptree;

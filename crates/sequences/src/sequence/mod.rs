//! Models of sequences: the probability of each next symbol, and of the end.
//!
//! ```text
//! p(x₁ … x_T) = Π_t p(x_t | x₁ … x_{t−1}) · p(STOP | x₁ … x_T),     p(b | x₁ … x_t) = Σ_k λ_k p_k(b | x₁ … x_t)
//! ```
//!
//! The parts `p_k` are a smoothed n-gram model, which has a probability for everything, and automata ([`crate::automaton`]) of
//! the learners. Operators learnt by decomposition may give a symbol a value that is not positive: it is clipped, the rest
//! renormalised, and the model mixed with the n-gram model, so that probabilities are positive always. What was clipped is
//! counted. The weights λ are those that make held-out sequences most probable.
//!
//! - [`SequenceLearner`] chooses ranks and weights by held-out likelihood;
//! - [`SequenceModel`] is the model, immutable; [`Reader`] its state along one sequence, owned by the caller;
//! - [`NgramModel`] is the baseline, interpolated after Witten and Bell.

mod component;
mod config;
mod held_out;
mod learner;
mod model;
mod ngram;
mod persist;
mod reader;
mod start;
mod weights;

pub use component::Component;
pub use config::{Method, RankChoice, SequenceConfig};
pub use held_out::split;
pub use learner::SequenceLearner;
pub use model::{Alphabet, SequenceModel};
pub use ngram::NgramModel;
pub use persist::FAMILY;
pub use reader::{Clipping, Reader};

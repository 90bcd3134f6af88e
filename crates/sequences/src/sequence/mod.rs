//! Sequence models: the probability of each next symbol, and of the end.
//!
//! ```text
//! p(x₁ … x_T) = Π_t p(x_t | x₁ … x_{t−1}) · p(STOP | x₁ … x_T),     p(b | x₁ … x_t) = Σ_k λ_k p_k(b | x₁ … x_t)
//! ```
//!
//! The parts `p_k` are a smoothed n-gram model, which gives everything a positive probability, and automata
//! ([`crate::automaton`]). Operators learnt by the spectral method may give a symbol a value that is not positive: it
//! is clipped, the rest is renormalised, and the model is mixed with the n-gram model, so that probabilities are always
//! positive. Clipped predictions are counted. The weights λ maximise the likelihood of held-out sequences.
//!
//! - [`SequenceLearner`] chooses ranks and weights by held-out likelihood;
//! - [`SequenceModel`] is the immutable model; [`Reader`] is its state along one sequence, owned by the caller;
//! - [`NgramModel`] is the baseline, with Witten–Bell interpolation.

mod budget;
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
pub use reader::{Clipping, Reader};
pub use start::spectral_start;

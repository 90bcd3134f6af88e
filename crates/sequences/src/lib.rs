//! Models of sequences: weighted automata and hidden Markov models.
//!
//! [`automaton`] learns an automaton from weighted sequences, by the spectral method or by EM; [`sequence`] mixes
//! automata with n-grams into a predictor and chooses among learners by held-out likelihood.

pub mod automaton;
pub mod sequence;

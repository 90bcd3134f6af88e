//! Expectation–maximisation (EM) for latent states on the trees of a treebank (Matsuzaki, Miyao & Tsujii 2005).
//!
//! The symbols of the trees are known and their states are not. An EM step computes the posteriors of the states at
//! every node under the current parameters, by an inside and an outside pass over each tree, and re-estimates the
//! parameters from the expected counts. Without smoothing the likelihood of the trees never decreases from step to
//! step.
//!
//! [`EmTrainer`] starts from any non-negative parameters. Random ones ([`random_start`]) give the usual baseline; those
//! of a clustering ([`cluster`](super::cluster)) give a better model after fewer steps.
//!
//! Departures from the paper: the number of states may differ per symbol, M-steps may be smoothed like the moments of
//! the spectral learner, and equal subtrees are processed once ([`subtrees`]).

mod maximise;
mod passes;
mod start;
mod subtrees;
mod trainer;
mod update;

pub(super) use start::{em_dims, random_start};
pub(super) use trainer::EmTrainer;

#[cfg(test)]
mod tests;

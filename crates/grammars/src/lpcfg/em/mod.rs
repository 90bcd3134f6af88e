//! Expectation–maximisation for latent states on the trees of a treebank (Matsuzaki, Miyao & Tsujii 2005).
//!
//! The symbols of the trees are known and their states are not. A step computes the posteriors of the states at every node
//! under the present parameters by an inside and an outside pass over its tree, and takes the expected counts for the
//! counts of the next parameters. The trees' probability never falls from step to step, unless estimates are smoothed.
//!
//! [`EmTrainer`] starts from any non-negative parameters: random ones ([`random_start`]) give the usual baseline, those of a clustering
//! ([`cluster`](super::cluster)) a better model after fewer steps.
//!
//! Departures: numbers of states may differ from symbol to symbol; M-steps may be smoothed as the moments of the spectral
//! learner are; equal subtrees are worked on once ([`subtrees`]).

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

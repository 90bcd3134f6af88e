//! The engine as a whole, on models whose parameters are known.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod automata;
mod brown_model;
mod consistency;
mod latent_tree;
mod paths;
mod random;
mod refusals;
mod three_views;
mod tree_recovery;

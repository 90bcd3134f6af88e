//! Expectation–maximisation for probabilistic automata, after Baum and Welch.
//!
//! From state j an automaton stops with probability `α∞(j)` or shows b and goes to i with probability `A_b(i, j)`. In the E-step
//! each place needs a forward and a backward vector. Sequences that begin alike share their forward vectors; and because
//! expected counts are linear in backward vectors, these can be summed over all sequences through a place before they go
//! further back. With `w(u)` the weight of the sequences that are exactly u, on the tree of all prefixes
//!
//! ```text
//!     α(ub) = A_b α(u),     β(u) = w(u) α∞ / (α∞·α(u)) + Σ_b A_bᵀ β(ub),     E[A_b(i,j)] = A_b(i,j) Σ_u β_i(ub) α_j(u).
//! ```
//!
//! Each distinct prefix is visited once, and places that are as deep and follow the same symbol make one matrix product.

mod expectation;
mod learner;
mod prefix_tree;
mod update;

pub use learner::{EmConfig, EmRun, EmStart, learn_em, refine};
pub use update::Estimator;

//! Expectation–maximisation for probabilistic automata (Baum–Welch).
//!
//! From state j an automaton stops with probability `α∞(j)`, or emits b and moves to i with probability `A_b(i, j)`. In
//! the E-step each position needs a forward and a backward vector. Sequences with a common prefix share their forward
//! vectors. Expected counts are linear in backward vectors, so these can be summed over all sequences through a
//! position before they are passed further back. With `w(u)` the weight of the sequences that are exactly u, on the
//! tree of all prefixes
//!
//! ```text
//!     α(ub) = A_b α(u),     β(u) = w(u) α∞ / (α∞·α(u)) + Σ_b A_bᵀ β(ub),    E[A_b(i,j)] = A_b(i,j) Σ_u β_i(ub) α_j(u).
//! ```
//!
//! Each distinct prefix is visited once, and positions of the same depth that follow the same symbol form one matrix
//! product.

mod expectation;
mod learner;
mod prefix_tree;
mod update;

pub use learner::{EmConfig, EmRun, EmStart, learn_em, refine};
pub use update::Estimator;

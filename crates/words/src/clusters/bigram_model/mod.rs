//! The Brown model: words in clusters, and a Markov chain of clusters as a language model.
//!
//! ```text
//! p(w_1 … w_N) = Π_i t(C(w_i) | C(w_i-1)) o(w_i | C(w_i))      (Brown et al. 1992; Stratos et al. 2014, section 4)
//! o(w | c)     = n(w) / n(c)
//! t(d | c)     = ( n(c,d) + T(c) p(d) ) / ( n(c) + T(c) )           T(c): number of different clusters that follow c
//! p(d)         = n(d) / Σ n                                         (Witten and Bell 1991)
//! ```
//!
//! There are two departures. The paper's `t` is a relative frequency, which gives most new texts probability zero. Here
//! clusters that never followed `c` share the mass that [Witten and Bell's method](BrownModel::transition) reserves for
//! new events, in proportion to their frequency. And where sequences end with lines, their border is a cluster: the
//! paper's `π` is the row of that cluster, and its column holds the ends of lines. How often a word begins or ends a
//! line follows from the counts: it is the number of times that the word has no neighbour.
//!
//! Words that were not counted belong to the class of other words. If the counts have no such class, they get the
//! weight of all words that were seen once (the Good–Turing estimate), by `p` alone.

mod model;
mod persist;
mod sampler;
mod separation;
#[cfg(test)]
mod tests;

pub use model::{BrownModel, State};
pub use sampler::Sampler;
pub use separation::Separation;

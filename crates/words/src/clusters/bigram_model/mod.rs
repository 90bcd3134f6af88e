//! The Brown model: words in clusters, and a chain of clusters as a language model.
//!
//! ```text
//! p(w_1 … w_N) = Π_i t(C(w_i) | C(w_i-1)) o(w_i | C(w_i))           (Brown et al. 1992; Stratos et al. 2014, section 2.1)
//! o(w | c)     = n(w) / n(c)
//! t(d | c)     = ( n(c,d) + T(c) p(d) ) / ( n(c) + T(c) )           T(c): how many different clusters follow c
//! p(d)         = n(d) / Σ n                                         (Witten and Bell 1991)
//! ```
//!
//! Two departures. The paper's `t` is a quotient of counts, and gives most texts that were not counted no probability; here clusters
//! that never followed `c` share what [Witten and Bell's method](BrownModel::transition) sets aside for new events, in
//! proportion to their frequency. And where sequences end with lines, their border takes part as a cluster: the paper's `π` is the row of that
//! cluster, and its column says where a line ends. How often a word begins or ends a line follows from the counts: so often it
//! has no neighbour.
//!
//! Words that were not counted are the class of other words. If the counts have none, they get the weight of all words that
//! were seen once (Good and Turing's estimate), by `p` alone.

mod model;
mod persist;
mod sampler;
#[cfg(test)]
mod tests;

pub use model::{BrownModel, State};
pub use persist::FAMILY;
pub use sampler::Sampler;

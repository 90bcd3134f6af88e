//! Ward's clustering with a window of active clusters (Ward 1963; Stratos et al. 2014, Figure 5).
//!
//! ```text
//! d(a, b) = w_a w_b / (w_a + w_b) ‖μ_a − μ_b‖²                                         (Eq. 2)
//! d(a ∪ b, c) = ( (w_a + w_c) d(a, c) + (w_b + w_c) d(b, c) − w_c d(a, b) ) / (w_a + w_b + w_c)  (Lance, Williams 1967)
//! ```
//!
//! The `m` most frequent words start as clusters of their own. Each next word is added as a cluster, and of the `m+1`
//! clusters the two whose merge costs least are merged; finally the `m` clusters are merged to one. `w` is the number
//! of words or, with [`Ward::ByCount`](super::Ward::ByCount), the sum of their counts.
//!
//! For each cluster a lower bound of its smallest distance is kept. The bound stays valid when others are merged, and
//! is tightened only when it is the smallest of all (Fränti et al. 2000). The distances are also kept in a table, which
//! a merge updates by the formula above, so a bound is tightened by looking at `m` values rather than at `m` vectors.
//! The remaining work is the distances of new words: the products of their vectors with all means are computed for a
//! block of words at once and, being linear in the means, are updated by merges like the means.

mod lanes;
mod table;
#[cfg(test)]
mod tests;
mod upcoming;
mod window;

pub(super) use lanes::LANES;
pub use window::ward;

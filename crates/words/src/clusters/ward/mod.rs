//! Ward's clustering with a window of active clusters (Ward 1963; Stratos et al. 2014, Figure 5).
//!
//! ```text
//! d(a, b) = w_a w_b / (w_a + w_b) ‖μ_a − μ_b‖²                                                              (Eq. 2)
//! d(a ∪ b, c) = ( (w_a + w_c) d(a, c) + (w_b + w_c) d(b, c) − w_c d(a, b) ) / (w_a + w_b + w_c)       (Lance and Williams 1967)
//! ```
//!
//! The `m` most frequent words are clusters of their own; each next word comes as one, too, and the two of the `m+1` whose
//! merge costs least are merged; in the end the `m` clusters are merged to one. `w` is the number of words, or with
//! [`Ward::ByCount`](super::Ward::ByCount) the sum of their counts.
//!
//! For each cluster a lower bound of its smallest distance is kept, which stays one when others are merged; it is tightened only when it is the
//! smallest of all (Fränti et al. 2000). We keep the distances in a table, too, which a merge updates by the formula above, so
//! that a bound is tightened by looking at `m` numbers rather than at `m` vectors. What is left of the work are the distances of newcomers: the
//! products of vectors of coming words with all means are made for a block of words at once and, being linear in the means, follow merges as these do.

mod lanes;
mod table;
#[cfg(test)]
mod tests;
mod upcoming;
mod window;

pub(super) use lanes::LANES;
pub use window::ward;

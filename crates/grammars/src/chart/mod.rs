//! The chart of binary grammars: inside–outside, Viterbi, max-rule, k-best, over all spans or over those a mask leaves.
//!
//! A cell is a span of words `i..j`. Cells of one word hold preterminals, larger cells hold phrases, since unary chains
//! are collapsed. With `β(b,i,k)` the inside and `α(a,i,j)` the outside probability,
//!
//! ```text
//! β(a,i,j) = Σ_{a→bc} p(a→bc) M(b,c)            M(b,c) = Σ_k β(b,i,k) β(c,k,j)
//! α(b,i,k) = Σ_j Σ_c W(b,c) β(c,k,j) + …        W(b,c) = Σ_a α(a,i,j) p(a→bc)
//! µ(a,i,j) = α(a,i,j) β(a,i,j) / Z
//! ```
//!
//! The sums over split points come first, so that each rule is looked at once a span instead of once a split point. What
//! is left in the innermost loops are products of a number with a row of a matrix, which vectorise. With `max` for `Σ` the
//! same upward pass is Viterbi's. Rules with a preterminal apply at one split point only and are walked directly.
//!
//! # Numeric range
//! Cells hold `f32` numbers scaled by a power of two of their own, `β = β̂ 2^e`, so that sentences of any length neither
//! underflow nor overflow. An empty cell has no exponent at all; to give it one, 0 say, would be wrong by any factor.
//! Outside numbers take the exponent `e_Z − e(i,j)` of their cell: then `α̂ β̂ / Ẑ` is the posterior as it stands, and the
//! factor between cells is the upward pass's own.
//!
//! # Coarse to fine
//! A pass with a small grammar gives posteriors, and what is negligible there a pass with a large grammar leaves out
//! ([`Mask`]). Cells with nothing left take no memory. What a model beyond these grammars should look at is cut out as a
//! [`Forest`].

mod edges;
mod emissions;
mod forest;
mod grammar;
mod inside;
mod kbest;
mod kernel;
mod mask;
mod max_rule;
mod outside;
mod pairs;
#[cfg(test)]
mod random_case;
pub mod range;
mod sparse;
mod storage;
mod triangle;
mod ways;

pub use edges::Edges;
pub use emissions::Emissions;
pub use forest::{Bundle, Forest, Item, Split};
pub use grammar::ChartGrammar;
pub use inside::Semiring;
pub use kbest::{ChartGraph, Derivation, Edge, Hypergraph, KBest, Ranking};
pub use mask::{Allowed, Mask};
pub use max_rule::Objective;
pub use pairs::Pairs;
pub use sparse::{Coarse, SparseChart};
pub use storage::Chart;
pub use triangle::Triangle;
pub use ways::Way;

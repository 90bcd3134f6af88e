//! Charts for binary grammars: inside–outside, Viterbi, max-rule and k-best, over all spans or those that a mask
//! allows.
//!
//! A cell is a span of words `i..j`. Cells of one word hold preterminals and larger cells hold phrases, since unary
//! chains are collapsed. With `β(b,i,k)` the inside and `α(a,i,j)` the outside probability,
//!
//! ```text
//! β(a,i,j) = Σ_{a→bc} p(a→bc) M(b,c)            M(b,c) = Σ_k β(b,i,k) β(c,k,j)
//! α(b,i,k) = Σ_j Σ_c W(b,c) β(c,k,j) + …        W(b,c) = Σ_a α(a,i,j) p(a→bc)
//! µ(a,i,j) = α(a,i,j) β(a,i,j) / Z
//! ```
//!
//! The sums over split points come first, so each rule is visited once per span instead of once per split point. The
//! innermost loops multiply a scalar with a row of a matrix, which vectorises. With `max` for `Σ` the upward pass is
//! the Viterbi algorithm. Rules with a preterminal apply at a single split point and are visited directly.
//!
//! # Numeric range
//! Each cell holds `f32` values scaled by its own power of two, `β = β̂ 2^e`, so that sentences of any length neither
//! underflow nor overflow. An empty cell has no exponent; giving it one, such as 0, would be wrong by an arbitrary
//! factor. Outside values take the exponent `e_Z − e(i,j)` of their cell. Then `α̂ β̂ / Ẑ` is the posterior, and the
//! factor between cells is that of the upward pass.
//!
//! # Coarse to fine
//! A pass with a small grammar gives posteriors, and a pass with a large grammar skips what is negligible there
//! ([`Mask`]). Empty cells take no memory. A [`Forest`] holds what a costlier model should look at.

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
pub use mask::{Allowed, Mask, OpenCells};
pub use max_rule::Objective;
pub use pairs::Pairs;
pub use sparse::{Coarse, SparseChart};
pub use storage::Chart;
pub use triangle::Triangle;
pub use ways::Way;

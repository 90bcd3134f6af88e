//! Charts for binary grammars: inside–outside, Viterbi, k-best.
//!
//! A cell is a span of words `i..j`. Cells of one word hold preterminals, larger cells hold phrases, since unary chains
//! are collapsed. Two charts share the geometry ([`Triangle`]), the numeric range ([`range`]) and the compiled rules
//! ([`ChartGrammar`]):
//!
//! - [`CoarseChart`] runs inside–outside over all cells of a small grammar with dense vectors and gives the posterior
//!   of each symbol in each span, from which a [`Mask`] is cut;
//! - [`FineChart`] runs over the cells and symbols that a mask leaves: inside, outside, Viterbi, max-rule.
//!
//! # Numeric range
//! Cells hold `f32` numbers scaled by a power of two of their own, so that sentences of any length neither underflow nor
//! overflow. An empty cell has no exponent at all; to give it one, 0 say, would be wrong by any factor.

mod coarse;
mod emissions;
mod fine;
mod grammar;
mod kbest;
mod mask;
pub mod range;
mod triangle;

pub use coarse::CoarseChart;
pub use emissions::Emissions;
pub use fine::{Backpointer, FineChart, Objective, Semiring};
pub use grammar::ChartGrammar;
pub use kbest::{Derivation, KBest};
pub use mask::Mask;
pub use triangle::Triangle;

//! The best possible parser for sentences of a known grammar.
//!
//! A [`LatentGrammar`](super::LatentGrammar) is the true model of its samples, so its posterior is the one that a
//! learnt parser tries to approximate. [`Oracle`] computes it exactly, without pruning: with `β` and `α` the inside and
//! outside probabilities of labels with their hidden states,
//!
//! ```text
//! µ(A,i,j) = Σ_h α(A[h],i,j) β(A[h],i,j) / Z
//! ```
//!
//! is the probability that the words `i..j` are an `A`, whatever its state. The chosen tree maximises
//! `Σ (µ(A,i,j) − ½)` over its nodes, which minimises the expected number of wrong and missing brackets (the sum in
//! Goodman 1996 has no ½ and counts only missing ones). Its F1 is below 100, since some sentences are ambiguous even if
//! everything is known. This is the F1 with which learnt grammars should be compared.
//!
//! Rules of any length are read from left to right through a shared [prefix tree](prefixes), so that the chart is
//! binary. Cells are sparse, since most states match few words.

mod chart;
mod decode;
mod parser;
mod prefixes;

pub use parser::{Oracle, OracleParse};

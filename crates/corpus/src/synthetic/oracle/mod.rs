//! The best that any parser can do on sentences of a known grammar.
//!
//! A [`LatentGrammar`](super::LatentGrammar) is the truth that its samples were drawn from, so its own posterior is the one
//! that a learnt parser tries to approach. [`Oracle`] computes it exactly, without pruning: with `β` and `α` the inside and
//! outside probabilities of labels with their hidden states,
//!
//! ```text
//! µ(A,i,j) = Σ_h α(A[h],i,j) β(A[h],i,j) / Z
//! ```
//!
//! is how probable it is that the words `i..j` are an `A`, whatever its state. The tree that is chosen maximises
//! `Σ (µ(A,i,j) − ½)` over its nodes: the fewest wrong and missing brackets are then expected (Goodman 1996 has the sum
//! without the ½, which counts missing ones alone). Its F1 is not 100, as some sentences are ambiguous even for who
//! knows all; it is what the F1 of learnt grammars should be compared with.
//!
//! Rules of any length are read from left to right through a [prefix tree](prefixes) that all of them share, so that the
//! chart is binary; cells hold what can be built and nothing else, as most states fit few words.

mod chart;
mod decode;
mod parser;
mod prefixes;

pub use parser::{Oracle, OracleParse};

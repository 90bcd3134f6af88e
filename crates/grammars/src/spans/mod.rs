//! Span models: discriminative scores of constituents and rule applications, stacked on a grammar.
//!
//! ```text
//! p(t | x) ∝ exp Σ_{nodes a,i,j of t} (θ·φ(a,i,j,x) + λ log µ(a,i,j)) + Σ_{rules of t} (θ·φ(a→bc,i,k,j,x) + λ' log µ(a→bc,i,k,j))
//! ```
//!
//! `µ` are the posteriors of a grammar, and `φ` are features of the surface: the first and last word of a span, the words
//! next to it and around the split point, their tags, shapes and clusters, lengths; each with the label, the rule or the parent
//! (`features`). This is the span-based parser of D. Hall, G. Durrett and D. Klein, Less Grammar, More Features (ACL
//! 2014), whose features do what annotations of a grammar do otherwise. It differs as follows: the grammar below is one
//! with latent states, its posteriors are features, and only trees that it finds plausible are considered (`lattice`);
//! features are hashed; the decoder maximises expected brackets.
//!
//! Small networks may score the same parts beside the features (`network`); how much either counts is fitted to held-out trees
//! (`mixture`).
//!
//! A grammar trusts its own training trees too much. Therefore the learner is given the judgement of grammars that have
//! not seen them; [`lpcfg`](crate::lpcfg) provides it by jackknifing. A few trees are kept from the learner too, to
//! measure how far its own posteriors can be trusted (`calibration`).

mod calibration;
mod config;
mod examples;
mod features;
mod inference;
mod lattice;
mod learner;
mod mixture;
mod model;
mod network;
mod persist;
#[cfg(test)]
mod tests;
mod view;
mod weights;

pub use config::SpanConfig;
pub(crate) use examples::Example;
pub(crate) use lattice::{Judgement, SymbolName};
pub(crate) use learner::SpanLearner;
pub(crate) use model::Scratch;
pub use model::SpanModel;
pub use network::NetworkConfig;

//! Tags and chains in context: what a word's neighbours say about its preterminal.
//!
//! ```text
//! q(y | x, i) = exp Σ_f∈F(x,i) θ(f, y) / Σ_y'∈Y exp Σ_f∈F(x,i) θ(f, y')
//! ```
//!
//! `x` is a sentence, `i` a place in it, `F` its features: the word, its endings, beginnings and shape, the words beside it and the tags
//! that they take in the treebank ([`features`]). Labels `y` are tags, where `Y` is what the word may take; or the chains that end in a
//! tag, where `Y` are those chains and each feature is joined with the tag. No tag that was decided for another word is looked at,
//! so a sentence needs no search, and the grammar remains what joins the words.
//!
//! This is the maximum-entropy tagger of Ratnaparkhi (1996) without its history. The departures: weights only where the treebank has
//! feature and label together; learning by AdaGrad (Duchi, Hazan and Singer 2011) with averaged weights instead of iterative scaling;
//! the neighbours' ambiguity classes (Cutting et al. 1992) in place of their tags; hashed features; weights of eight bits.

mod examples;
mod features;
mod learn;

pub(super) use features::{Sentence, Template};
pub(super) use learn::{CandidateSet, ContextLearner};

//! Tags and chains in context: what the neighbours of a word say about its preterminal.
//!
//! ```text
//! q(y | x, i) = exp Σ_f∈F(x,i) θ(f, y) / Σ_y'∈Y exp Σ_f∈F(x,i) θ(f, y')
//! ```
//!
//! `x` is a sentence, `i` a position, `F` its features: the word, its prefixes, suffixes and shape, the neighbouring
//! words and the tags that they have in the treebank ([`features`]). The labels `y` are either tags, where `Y` are the
//! tags that the word may have, or the chains that end in a tag, where `Y` are those chains and each feature is
//! conjoined with the tag. No tag decided for another word is used, so a sentence needs no search, and the grammar
//! alone connects the words.
//!
//! This is the maximum-entropy tagger of Ratnaparkhi (1996) without its history. It differs as follows: only pairs of
//! feature and label seen in the treebank have weights; learning is by AdaGrad (Duchi, Hazan and Singer 2011) with
//! averaged weights instead of iterative scaling; the neighbours' ambiguity classes (Cutting et al. 1992) replace their
//! tags; features are hashed; weights have eight bits.

mod examples;
mod features;
mod learn;

pub(super) use features::{Sentence, Template};
pub(super) use learn::{CandidateSet, ContextLearner};

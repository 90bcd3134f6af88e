//! From words to preterminals.
//!
//! A preterminal is a unary chain that ends in a tag (`NP|NN`, `NN`). The lexicon gives `p(w | s)` for a word `w` and
//! each preterminal `s`, by Bayes' rule from what is easier to estimate:
//!
//! ```text
//! p(w | s) = p(s | w) p(w) / p(s)
//! p(s | w) = p(t | w) p(s | t, w)                          t: the tag at the bottom of s
//! p(t | w) = (c(w,t) + β p(t | sig(w))) / (c(w) + β)       words seen often keep the tags they were seen with
//! p(s | t, w) = (c(w,s) + γ p(s | t)) / (c(w,t) + γ)
//! ```
//!
//! `sig(w)` is the word's signature ([`corpus::rare_words`]). `p(t | sig)` comes from the rare words of the treebank and
//! backs off from long endings to short ones to the bare shape. A word never seen has `c(w) = 0`, so the signature
//! decides; all such words share the Good–Turing mass of new words.
//!
//! In a sentence the words beside a word tell more about its preterminal than its signature does. Two log-linear models (`context`)
//! give `q(t | x, i)` for the tag at place `i` of the sentence `x`, and `q(s | t, x, i)` for the chain above it, and both enter as
//! factors beside the above, tempered because the grammar looks at the same context again:
//!
//! ```text
//! p(t | w, x, i)    ∝ p(t)     (p(t | w) / p(t))^a         (q(t | x, i) / p(t))^b
//! p(s | t, w, x, i) ∝ p(s | t) (p(s | t, w) / p(s | t))^c  (q(s | t, x, i) / p(s | t))^d
//! ```
//!
//! By Bayes' rule with these in place of `p(t | w)` and `p(s | t, w)`, `Σ_s p(w | s) p(s) = p(w)` remains true of each word. The
//! product over a sentence is no probability of a generative model any more; as a score of trees it is the better one.
//!
//! With a tag given, only the chains that end in it remain. A given tag that the treebank does not have tells nothing,
//! and the word is treated as if it had none. Tags may be given for some words of a sentence only; their neighbours then use them.

mod config;
mod context;
mod counts;
mod emit;
mod model;
mod observation;
mod persist;
mod sparse_counts;

pub use config::{ContextConfig, LexiconConfig};
pub use counts::LexiconCounts;
pub use model::Lexicon;
pub use observation::{Emission, Observation, SentenceEmissions};

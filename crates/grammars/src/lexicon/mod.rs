//! The lexicon: from words to preterminals.
//!
//! A preterminal is a unary chain that ends in a tag (`NP|NN`, `NN`). The lexicon gives `p(w | s)` for a word `w` and
//! each preterminal `s`, by Bayes' rule from what is easier to estimate:
//!
//! ```text
//! p(w | s) = p(s | w) p(w) / p(s)
//! p(s | w) = p(t | w) p(s | t, w)                          t: the tag at the bottom of s
//! p(t | w) = (c(w,t) + β p(t | sig(w))) / (c(w) + β)       frequent words keep the tags they were seen with
//! p(s | t, w) = (c(w,s) + γ p(s | t)) / (c(w,t) + γ)
//! ```
//!
//! `sig(w)` is the word's signature ([`corpus::rare_words`]). `p(t | sig)` is estimated from the rare words of the
//! treebank and backs off from long suffixes to short ones to the bare shape. An unseen word has `c(w) = 0`, so its
//! signature decides; all unseen words share the Good–Turing mass of new words.
//!
//! In a sentence the neighbours of a word say more about its preterminal than its signature does. Two log-linear models
//! (`context`) give `q(t | x, i)` for the tag at position `i` of the sentence `x`, and `q(s | t, x, i)` for the chain
//! above it. Both enter as additional factors, tempered because the grammar uses the same context again:
//!
//! ```text
//! p(t | w, x, i)    ∝ p(t)     (p(t | w) / p(t))^a         (q(t | x, i) / p(t))^b
//! p(s | t, w, x, i) ∝ p(s | t) (p(s | t, w) / p(s | t))^c  (q(s | t, x, i) / p(s | t))^d
//! ```
//!
//! With these in place of `p(t | w)` and `p(s | t, w)` in Bayes' rule, `Σ_s p(w | s) p(s) = p(w)` still holds for each
//! word. The product over a sentence is no longer the probability of a generative model, but it ranks trees better.
//!
//! If there are clusters of words from plain text (`clusters`), they are features of both models. A third model of the same
//! kind says where phrases begin and end (`boundaries`).
//!
//! If a tag is given, only the chains that end in it remain. A given tag that the treebank does not have is ignored,
//! and the word is treated as untagged. Tags may be given for some words of a sentence only; their neighbours then use
//! them.

mod boundaries;
mod clusters;
mod config;
mod context;
mod counts;
mod emit;
mod model;
mod observation;
mod persist;
mod sparse_counts;

pub use boundaries::{Boundary, BoundaryChance, Ending};
pub(crate) use clusters::ClusterClasses;
pub use config::{ContextConfig, LexiconConfig};
pub use counts::LexiconCounts;
pub use model::Lexicon;
pub use observation::{Emission, Observation, SentenceEmissions};

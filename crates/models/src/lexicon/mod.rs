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
//! With a tag given, only the chains that end in it remain. A given tag that the treebank does not have tells nothing,
//! and the word is treated as if it had none.

mod config;
mod counts;
mod model;
mod persist;

pub use config::LexiconConfig;
pub use counts::LexiconCounts;
pub use model::{Emission, Lexicon, Observation};
pub(crate) use persist::load_vocab;

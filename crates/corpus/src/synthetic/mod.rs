//! Synthetic corpora from models whose parameters are known.
//!
//! A learner can be judged exactly where the truth is known: does it find the hidden states again, how far is it from
//! the best that any parser can do? This module holds such truths and draws from them.
//!
//! - [`LatentGrammar`]: trees of phrases with hidden states, written as [readable text](grammar_text);
//!   [`english`] is such a grammar for English-like sentences, embedded in the program.

pub mod grammar_text;

mod builder;
mod choice;
mod english;
mod error;
mod lpcfg;
mod sample;
mod termination;

pub use builder::GrammarBuilder;
pub use english::{ENGLISH, english};
pub use error::{GrammarError, GrammarProblem, SampleError};
pub use lpcfg::{Capitalization, Expansions, LatentGrammar, Rule, StateId};
pub use sample::{HiddenStates, SampleConfig, sample_treebank};

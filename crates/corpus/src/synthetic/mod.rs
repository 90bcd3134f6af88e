//! Synthetic corpora from models whose parameters are known.
//!
//! A learner can be judged exactly where the truth is known: does it find the hidden states again, how far is it from
//! the best that any parser can do? This module holds such truths and draws from them.
//!
//! - [`LatentGrammar`]: trees of phrases with hidden states, written as [readable text](grammar_text);
//!   [`english`] is such a grammar for English-like sentences, embedded in the program.
//! - [`Oracle`]: the exact parser of such a grammar, which knows the hidden states: no learnt one does better on average.
//! - [`NormalFormLpcfg`]: small random grammars of binary rules with open parameters.
//! - [`Hmm`] and [`Automaton`]: strings; [`LatentDependency`]: dependency trees.
//!
//! All samplers take the random generator from the caller and depend on nothing else.

pub mod grammar_text;

mod automaton;
mod builder;
mod choice;
mod dependency;
mod english;
mod error;
mod hmm;
mod likelihood;
mod lpcfg;
mod normal_form;
mod oracle;
mod sample;
mod termination;

pub use automaton::Automaton;
pub use builder::GrammarBuilder;
pub use dependency::{DependencySample, LatentDependency};
pub use english::{ENGLISH, english};
pub use error::{GrammarError, GrammarProblem, OracleError, ParameterError, SampleError};
pub use hmm::{Hmm, HmmSampler};
pub use lpcfg::{Capitalization, Expansions, LatentGrammar, Rule, StateId};
pub use normal_form::{NormalFormConfig, NormalFormLpcfg};
pub use oracle::{Oracle, OracleParse};
pub use sample::{HiddenStates, SampleConfig, sample_treebank};

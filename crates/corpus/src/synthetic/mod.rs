//! Synthetic corpora from models whose parameters are known.
//!
//! Where the truth is known, a learner can be judged exactly: does it recover the hidden states, and how far is it from
//! the best possible parser? This module has such models and samples from them.
//!
//! - [`LatentGrammar`]: phrase-structure trees with hidden states, written as [readable text](grammar_text);
//!   [`english`] is such a grammar for English-like sentences, [`cycle`] a small one in normal form, both embedded in
//!   the program.
//! - [`Oracle`]: the exact parser of such a grammar, which knows the hidden states. On average no learnt parser is
//!   better.
//! - [`NormalFormLpcfg`]: small random grammars of binary rules with accessible parameters.
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
pub use english::{CYCLE, ENGLISH, cycle, english};
pub use error::{GrammarError, GrammarProblem, OracleError, ParameterError, SampleError};
pub use hmm::{Hmm, HmmSampler};
pub use lpcfg::{Capitalization, Expansions, LatentGrammar, Rule, StateId};
pub use normal_form::{NormalFormConfig, NormalFormLpcfg};
pub use oracle::{Oracle, OracleParse};
pub use sample::{HiddenStates, SampleConfig, sample_treebank};

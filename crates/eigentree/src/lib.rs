//! Eigentree: latent-variable models of language learnt by spectral methods.
//!
//! This crate is the facade over the layers below, and what every surface (command line, bindings) shares: files by
//! name, corpora read with a policy for bad parts, conversion, scoring, parsing of streams, whole experiments.
//!
//! | module | what |
//! |---|---|
//! | [`files`] | inputs, outputs and models by name; outputs are whole or not there |
//! | [`reading`] | formats, treebanks, what happens to sentences that cannot be read |
//! | [`conversion`] | from one format to another, with tree transforms on the way |
//! | [`counting`] | texts counted and counts added up, for word clusters |
//! | [`clustering`] | word clusters: learnt, written, drawn, scored |
//! | [`scoring`] | a prediction against gold, and against another prediction |
//! | [`sequences`] | models of sequences: learnt, scored, asked for the next symbol |
//! | [`training`] | one job per family: tunes, learns, calibrates, scores, saves |
//! | [`Model`] | models of any family, saved and loaded |
//! | [`one_sentence`] | models used one sentence at a time |
//! | [`streaming`] | the driver of all streams, and its report |
//! | [`parsing`] | streams of sentences parsed with all threads |
//! | [`dependency_parsing`] | the same for dependency trees |
//! | [`reranking`] | latent trees, n-best lists, the best of them |
//! | [`tagging`] | taggers, entities and pipelines: learnt, run over streams |
//! | [`automata`] | head automata as graphs |
//! | [`statistics`] | what is in a corpus |
//! | [`sampling`] | synthetic treebanks from grammars |
//! | [`demo`] | all of it on an embedded sample |
//!
//! The layers themselves are here under their names: [`corpus`], [`linalg`], [`spectral`], [`models`], [`eval`].

pub mod automata;
pub mod clustering;
pub mod conversion;
pub mod counting;
pub mod demo;
pub mod dependency_parsing;
mod error;
mod family;
pub mod files;
pub mod head_rules;
pub mod one_sentence;
pub mod parsing;
pub mod pipeline;
pub mod reading;
pub mod reranking;
pub mod sampling;
pub mod scoring;
pub mod sequences;
pub mod statistics;
pub mod streaming;
pub mod tagging;
pub mod training;

pub use corpus;
pub use error::Error;
pub use eval;
pub use family::Model;
pub use linalg;
pub use models::learn;
pub use one_sentence::{Parse, Parser};
pub use spectral;

/// The model families, and what they share.
pub mod models {
    pub use ::models::{confidence, learn, persist, representations, signed_log};
    pub use dependency::{arcs, deptree, head_automata, mst, reranker};
    pub use grammars::{chart, grammar, lexicon, lpcfg, marginals, pcfg};
    pub use sequences::{automaton, sequence};
    pub use tagging::{tagger, tokenizer};
    pub use words::clusters;

    pub use crate::pipeline;
}

// The code of the README is compiled and run with the other examples.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

// So is that of the tutorial for library users.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/tutorials/library.md")]
struct LibraryTutorial;

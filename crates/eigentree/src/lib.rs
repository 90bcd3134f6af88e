//! Latent-variable models of language learnt by spectral methods: parsers, taggers, word clusters, sequence models.
//!
//! Train a model, save it, open it, use it:
//!
//! ```
//! use eigentree::Model;
//! use eigentree::config::{LpcfgConfig, Quality};
//! use eigentree::learn::Silent;
//! use eigentree::sampling::sample_english;
//! use eigentree::training::{Job, LpcfgJob};
//!
//! let trees = sample_english(300, 1); // or `reading::read_trees(&["train.ptb"], BadItems::Refuse, &mut Silent)?.trees`
//! let job = LpcfgJob::new(LpcfgConfig::quality(Quality::Fast));
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("en.eig");
//! job.run(&trees, None, &mut Silent)?.save_to(&path)?;
//!
//! let parse = Model::open(&path)?.parser()?.parse("the dog saw a cat .")?;
//! assert_eq!(parse.words().len(), 6);
//! println!("{parse}"); // (ROOT (S (NP (DT the) (NN dog)) (VP …)))
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | to | use |
//! |---|---|
//! | train | one job per family in [`training`], configured by [`config`], on [`data`] in memory or read by [`reading`] |
//! | parse, tag, score one sentence | [`Model::open`], then [`Model::parser`], [`Model::tagger`], [`Model::sequences`], … |
//! | annotate texts in memory: words, offsets, entities, confidences | [`Model::annotator`], then [`annotation`] |
//! | annotate files of any size with all threads | [`annotation::annotate_files`]; trees of grammars: [`parsing`]; n-best lists: [`reranking`] |
//! | count and cluster words | [`counting`], [`clustering`], [`ClustersJob`](training::ClustersJob) |
//! | convert formats and transform trees | [`conversion`] |
//! | check a treebank, draw a learning curve, choose what to annotate next | [`checking`], [`trials`], [`selection`] |
//! | score predictions, test significance | [`scoring`] |
//! | look inside a model | [`Model::inspect`], [`inspection`] |
//! | predict symbols of sequences | [`sequences`] |
//! | show progress, cancel | an [`Observer`](learn::Observer); [`Silent`](learn::Silent) ignores all events |
//!
//! Everything that takes a path goes through [`files`]: outputs appear under their names only when complete. Results
//! depend on data, configuration and seed alone, not on the number of threads.
//!
//! The `examples` folder has one short program per family. The layers below (corpora, linear algebra, the spectral
//! engine, the families) are crates of their own, `eigentree-corpus`, `eigentree-linalg`, `eigentree-spectral`,
//! `eigentree-grammars` and so on, for those who build on them; their interfaces may change between minor versions.

pub mod annotation;
pub mod checking;
pub mod clustering;
pub mod conversion;
pub mod counting;
#[doc(hidden)]
pub mod demo;
pub mod dependency_parsing;
mod error;
mod family;
pub mod files;
#[doc(hidden)]
pub mod head_rules;
pub mod inspection;
mod loaded;
mod one_sentence;
pub mod parsing;
pub mod pipeline;
pub mod reading;
pub mod reranking;
pub mod sampling;
pub mod scoring;
pub mod selection;
pub mod sequences;
pub mod statistics;
pub mod streaming;
pub mod tagging;
pub mod training;
pub mod trials;

pub use error::Error;
pub use family::Model;
pub use loaded::Loaded;
pub use one_sentence::{Parse, Parser, ParserScratch};

/// Learning in general: progress, cancelling, reports, errors.
pub mod learn {
    #[doc(hidden)]
    pub use models::learn::{Figure, Learned, Learner, Progress, Stage};
    pub use models::learn::{LearnError, LearnReport, Observer, Silent};
    #[doc(hidden)]
    pub use models::memory::shortage;
}

/// Data in memory: trees, sentences, their readers and writers.
pub mod data {
    pub use corpus::format::conllu::{Column, ConlluReader, ConlluWriter, Sentence};
    pub use corpus::format::penn::PennReader;
    pub use corpus::tree::Tree;
    pub use tagging::tagger::{Resources, TaggedSentence, TaggerData};
}

/// Configurations of the learners. Each has a sensible `Default`; change fields of that, or end a literal with
/// `..Default::default()`, so that new fields do not break your code.
pub mod config {
    pub use corpus::cooccurrence::CountConfig;
    pub use dependency::deptree::{DeptreeConfig, Observe, Shrinkage};
    pub use dependency::head_automata::HeadAutomataConfig;
    pub use dependency::mst::MstConfig;
    pub use dependency::reranker::RerankConfig;
    pub use grammars::lpcfg::{LpcfgConfig, Recipe as LpcfgRecipe};
    pub use grammars::pcfg::PcfgConfig;
    pub use models::confidence::Confidences;
    pub use models::quality::Quality;
    pub use sequences::sequence::{RankChoice, SequenceConfig};
    pub use spectral::Rank;
    pub use tagging::tagger::TaggerConfig;
    pub use words::clusters::{ClusterConfig, Method as ClusterMethod};
}

// For the project's own surfaces: whole layers, without a promise of stability.
#[doc(hidden)]
pub use {corpus, eval, linalg, spectral};

/// The model families, and what they share.
#[doc(hidden)]
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

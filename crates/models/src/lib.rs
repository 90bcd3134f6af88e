//! The model families: from data to models, from models to decisions.
//!
//! Each family has its learners side by side (spectral ones and baselines), one model type that all of them return,
//! inference, decoding and its sections of a model file. What several families need stands once: grammars without
//! latent states ([`grammar`]), charts ([`chart`]), trees by scores of arcs ([`dependency`]), the lexicon ([`lexicon`]), posteriors ([`marginals`]), the model container ([`persist`]), and what
//! learning means ([`learn`]).

pub mod automaton;
pub mod chart;
pub mod clusters;
pub mod dependency;
pub mod deptree;
pub mod grammar;
pub mod headautomata;
pub mod learn;
pub mod lexicon;
mod log_linear;
pub mod lpcfg;
pub mod marginals;
pub mod mst;
pub mod pcfg;
pub mod persist;
pub mod pipeline;
pub mod representations;
pub mod reranker;
pub mod sequence;
pub mod signed_log;
pub mod tagger;
pub mod tokenizer;

//! The model families: from data to models, from models to decisions.
//!
//! Each family has its learners side by side (spectral ones and baselines), one model type that all of them return,
//! inference, decoding and its sections of a model file. What several families need stands once: grammars without
//! latent states ([`grammar`]), charts ([`chart`]), the lexicon ([`lexicon`]), the model container ([`persist`]), and what
//! learning means ([`learn`]).

pub mod automaton;
pub mod chart;
pub mod clusters;
pub mod grammar;
pub mod learn;
pub mod lexicon;
pub mod lpcfg;
pub mod marginals;
pub mod pcfg;
pub mod persist;
pub mod sequence;
pub mod signed_log;

//! Latent-variable PCFGs, learnt by spectral methods (Cohen, Stratos, Collins, Foster & Ungar 2012, 2013).
//!
//! Every node of a tree has, besides its symbol, a latent state; rules and words depend on the states:
//!
//! ```text
//! p(tree, states) = π(a_root, h_root) Π t(a→bc, h_b, h_c | a, h_a) Π q(s→w | s, h_s)
//! ```
//!
//! The treebank shows the symbols but not the states. The inside and the outside of a node are independent given its
//! state, so the two views of `features` determine the space of the states by one decomposition per symbol (`states`),
//! and averages of projected views are the parameters in a basis of that space (`estimate`).

mod cluster;
mod config;
mod constants;
mod decode;
mod em;
mod estimate;
mod features;
mod groundwork;
mod held_out;
mod inference;
mod inspection;
mod kbest;
mod kernel;
mod learner;
mod memory;
mod model;
mod node_states;
mod parameters;
mod parser;
mod persist;
mod profiles;
mod recipe;
mod sketch;
mod smoothing;
mod span_choice;
mod stack;
mod state_search;
mod state_summary;
mod states;
mod tree_probability;
mod tree_score;
mod treebank;
mod words;

#[cfg(test)]
mod tests;

pub use config::{
    Companion, Decoding, LexicalSmoothing, LpcfgConfig, Method, ParserConfig, Precision, Shrinkage, Signs,
    SmoothingConfig, SpectralConfig, StateLimits, Widths,
};
pub use features::FeatureSet;
pub use groundwork::{EmRun, Groundwork};
pub use inspection::{
    Child, Direction, Event, Inspection, Latent, LatentState, Loading, Poles, SymbolOverview, Typical,
};
pub use learner::LpcfgLearner;
pub use model::Lpcfg;
pub use models::quality::Quality;
pub use node_states::{Dimensions, NodeStates};
pub use parser::{Parser, Scratch};
pub use recipe::{Recipe, Stacking, StateLearner};
pub use state_search::{BracketCounts, StateSearch, search_states};
pub use state_summary::Spectrum;
pub use tree_score::TreeScore;

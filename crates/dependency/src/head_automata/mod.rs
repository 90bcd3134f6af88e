//! Split head-automata grammars (Luque, Quattoni, Balle and Carreras, Spectral learning for non-deterministic
//! dependency parsing, EACL 2012).
//!
//! A projective dependency tree is, for every head `h` and direction `d`, a sequence of modifiers read outwards from
//! the head, and
//!
//! ```text
//! P(y) = Π_{⟨h, d, x_{1:T}⟩ ∈ y} P(x_{1:T} | h, d),       P(x_{1:T} | h, d) = α∞ᵀ A_{x_T} … A_{x₁} α₁
//! ```
//!
//! with one operator model per head and direction. The root has one modifier, on its right. All learners return
//! [`HeadAutomata`]: relative frequencies with one or two states, hidden states by the spectral method or by EM,
//! optionally combined with a model of words. [`Parser`] computes the marginals of arcs by inside–outside over vectors
//! and the best tree given these.

mod config;
mod deterministic;
mod dfa;
mod em;
mod factors;
mod geometry;
mod inside_outside;
mod labels;
mod latent;
mod learner;
mod lexical;
mod model;
mod operators;
mod pack;
mod parser;
mod persist;
#[cfg(test)]
mod proofs;
mod real;
mod sequences;
mod spectral;
mod spectral_em;
mod sums;
mod symbols;
mod tuning;
mod viterbi;
mod word_places;

pub use config::{
    Alphabet, EmConfig, Geometry, HeadAutomataConfig, LexicalConfig, LexicalWeights, Memory,
    SYNTACTIC_FEATURES, SpectralConfig, SpectralEmConfig, TagModel,
};
pub use deterministic::Deterministic;
pub use dfa::{Dfa, DfaConfig, DfaState, DfaTransition};
pub use labels::Labels;
pub use learner::{HeadAutomataLearner, PreparedTreebank};
pub use lexical::Lexical;
pub use model::HeadAutomata;
pub use operators::{LatentAutomaton, MAX_STATES};
pub use parser::{
    ArcMarginals, Decider, MAX_WORDS, Objective, Parse, Parser, ParserConfig, Precision, Scratch,
};
pub use sequences::ModifierCounts;
pub use symbols::{SymbolId, Symbols};
pub use tuning::{Accuracy, LEXICAL_WEIGHTS, attachment, tune_common_weight, tune_lexical_weights};

//! Sequence labelling: parts of speech, morphology, entities.
//!
//! A linear-chain conditional random field (Lafferty, McCallum and Pereira 2001) over the words `x` of a sentence and,
//! for each column of labels, the sequence `y` of their labels:
//!
//! ```text
//! p(y | x) = exp Σ_i [ Σ_f∈F(x,i) θ(f, y_i) + τ(y_{i−1}, y_i) ] / Z(x)
//! ```
//!
//! `F(x, i)` are hashed features ([`Template`]) of the words around position `i`: their forms, prefixes, suffixes,
//! shapes, their labels in the dictionary, prefixes of their cluster paths (Miller, Guinness and Zamanian 2004; Stratos
//! et al. 2014). Word vectors add real-valued features (Turian, Ratinov and Bengio 2010). `y_0` and `y_{n+1}` are the
//! ends of the sentence. UPOS, XPOS and FEATS are decided together, as bundles whose scores are sums over their parts,
//! so that they agree with each other and large tag sets cost little (see the module `layer`); bundles that the treebank
//! lacks are added by analogy. Other columns have weights of their own and share the features.
//!
//! - Frequent words get only labels that they were seen with; for the others the labels with the highest scores are
//!   considered.
//! - θ and τ are learnt by AdaGrad on the likelihood of sentences (or by the structured perceptron of Collins 2002),
//!   and averaged.
//! - The best labels come from the Viterbi algorithm, the K best from its extension to lists, confidences from
//!   forward–backward.
//! - Small networks over embeddings add to the scores (see the module `network`).
//! - Entities are labels of the BIOES scheme, with the features of Ratinov and Roth (2009).
//!
//! Departures from the textbook: only pairs of feature and label seen in the data have weights; the only regularisation
//! is averaging and early stopping; weights have eight bits.

mod analogy;
mod calibration;
mod chain;
mod closed;
mod clusters;
mod config;
mod data;
mod descent;
mod dictionary;
mod examples;
mod facts;
mod features;
mod gazetteer;
mod labels;
mod lattice;
mod layer;
mod layout;
mod learner;
mod model;
mod network;
mod persist;
mod prefixes;
mod scratch;
mod transitions;
mod vectors;

pub use config::{Layout, Objective, TaggerConfig, Template};
pub use data::{Resources, TaggedSentence, TaggerData};
pub use gazetteer::Gazetteer;
pub use labels::{ColumnKind, LabelColumn};
pub use learner::TaggerLearner;
pub use model::Tagger;
pub use network::{Characters, NetworkConfig};
pub use scratch::{Scratch, Tagging};

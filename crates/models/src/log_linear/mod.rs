//! What log-linear models over hashed features share, whatever they label.
//!
//! A feature is a conjunction of facts, named by a 32-bit hash ([`Key`]); it has weights for the labels that it was seen with. While weights are
//! learnt they stand in [`Rows`]; what is kept is rounded to eight bits ([`SparseWeights`]). The lexicon of a grammar, the taggers and the
//! tokeniser all score labels with these.
//!
//! - [`Key`], [`Namer`]: names of features. They stand in model files, so they never change.
//! - [`WordFacts`]: what features say about a single word.
//! - [`Counters`], [`Numbering`]: which features are frequent enough, and their numbers.
//! - [`Rows`]: weights with AdaGrad (Duchi, Hazan and Singer 2011) while they are learnt.
//! - [`SparseWeights`]: weights of a model, with their sections of a file.

mod counters;
mod hash;
mod key_table;
mod namer;
mod numbering;
mod persist;
mod rows;
mod shuffle;
mod weights;
mod word_facts;

pub use counters::Counters;
pub use hash::Key;
pub use key_table::KeyTable;
pub use namer::Namer;
pub use numbering::Numbering;
pub use rows::Rows;
pub use shuffle::shuffled_blocks;
pub use weights::{Lookup, SparseWeights};
pub use word_facts::{BEGINNINGS, CLASSES, Case, ENDINGS, WordFacts};

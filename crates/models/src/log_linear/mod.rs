//! Log-linear models over hashed features: what they share, whatever they label.
//!
//! A feature is a conjunction of facts, named by a 32-bit hash ([`Key`]). It has one weight for each label that it was
//! seen with. During training the weights are kept in [`Rows`]; the final model rounds them to eight bits
//! ([`SparseWeights`]). The lexicon of a grammar, the taggers and the tokenizer all score labels this way.
//!
//! - [`Key`], [`Namer`]: names of features. Model files contain them, so they never change.
//! - [`WordFacts`]: properties of a single word that features use.
//! - [`Counters`], [`Numbering`]: select and number the frequent features; [`Cases`]: those of a classifier's examples.
//! - [`Rows`]: weights during training, with AdaGrad (Duchi, Hazan and Singer 2011).
//! - [`SparseWeights`]: weights of a finished model, and their sections in a file.
//! - [`RoundedWeights`]: weights of a finished model that has no labels, one per place of a hash table.

mod cases;
mod counters;
mod hash;
mod key_table;
mod namer;
mod numbering;
mod persist;
mod rounded;
mod rows;
mod shuffle;
mod weights;
mod word_facts;

pub use cases::Cases;
pub use counters::Counters;
pub use hash::Key;
pub use key_table::KeyTable;
pub use namer::Namer;
pub use numbering::Numbering;
pub use rounded::RoundedWeights;
pub use rows::Rows;
pub use shuffle::shuffled_blocks;
pub use weights::{Lookup, SparseWeights};
pub use word_facts::{BEGINNINGS, CLASSES, Case, ENDINGS, WordFacts};

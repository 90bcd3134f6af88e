//! Dependency trees for sentences of CoNLL-U. [`annotation`](crate::annotation) parses whole files.
//!
//! - [`DependencyParser`] is what the parsers of all dependency families have in common.
//! - [`annotate`] puts a tree into a sentence, whose other columns, multiword tokens and empty nodes stay as they are.
//! - [`parse_sentences`] and [`score_sentences`] are for treebanks in memory.

mod annotate;
mod parser;
mod sentences;

pub use annotate::{CONFIDENCE_KEY, annotate};
pub use parser::DependencyParser;
pub use sentences::{parse_sentences, score_sentences};

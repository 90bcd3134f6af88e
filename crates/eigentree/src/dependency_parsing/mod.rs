//! Dependency trees for streams of CoNLL-U, with all threads, in order and in bounded memory.
//!
//! - [`DependencyParser`] is what the parsers of all dependency families have in common.
//! - [`annotate`] puts a tree into a sentence, whose other columns, multiword tokens and empty nodes stay as they are.
//! - [`parse_dependencies`] parses with all threads and writes sentences in the order of the input.
//! - [`parse_sentences`] and [`score_sentences`] are for treebanks in memory.

mod annotate;
mod parser;
mod sentences;
mod stream;

pub use annotate::{CONFIDENCE_KEY, annotate};
pub use parser::DependencyParser;
pub use sentences::{parse_sentences, score_sentences};
pub use stream::{DependencyStreamConfig, parse_dependencies};

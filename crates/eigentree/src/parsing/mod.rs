//! Parsing streams of sentences with all threads, in order and in bounded memory.
//!
//! - The [`Format`](crate::reading::Format) of the input and [`TagUse`] say what of a sentence the parser sees.
//! - [`TreeParser`] is what the parsers of all families have in common.
//! - [`parse_stream`] parses with all threads and hands parses on in the order of the input.
//! - [`ParseSink`] writes them: exactly one entry per sentence.
//! - [`parse_trees`] is for treebanks in memory, [`score_grammar_trees`] for how probable their trees are.
//!
//! A sentence without words, and one that could not be read, gives the empty bracket `(())`, so that the lines of input
//! and output correspond.

mod confidence;
mod forecast;
mod input;
mod parser;
mod score;
mod sink;
mod stream;
mod trees;

pub use input::{TagUse, observations};
pub use models::confidence::Confidences;
pub use parser::TreeParser;
pub use score::{GrammarScores, score_grammar_trees};
pub use sink::{ParseSink, ParseSinkConfig};
pub use stream::{StreamConfig, parse_stream};
pub use trees::{ParsedTrees, parse_and_count, parse_trees, score_parses};

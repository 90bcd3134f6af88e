//! Penn Treebank brackets.
//!
//! ```text
//! (ROOT (S (NP (DT The) (NN dog)) (VP (VBZ barks)) (. .)))
//! ```
//!
//! - One or many trees a line, or one tree over many lines. White space is ASCII white space only, so a word may hold
//!   any other Unicode character, a no-break space included.
//! - An outer bracket without label, `( (S …))`, is kept as a node with an empty label.
//! - A word stands alone in its preterminal. `(NP the dog)` and `(NP)` are errors.
//! - Inside words `-LRB-` and `-RRB-` stand for brackets: they are `(` and `)` in memory and escaped again on writing,
//!   also as parts of words (`friend-LRB-s-RRB-`). Labels are kept as they are.
//! - An empty bracket, `()` or `(())`, is what several parsers print for a sentence they could not parse.
//!   [`PennReader`] reports it as an error; [`PennReader::next_entry`] gives [`Entry::Empty`].
//!
//! After a bad tree the reader can go on: it skips to the next line that starts with `(` in the first column, which is
//! how treebank files begin their trees. A missing closing bracket is noticed when such a line opens a bracket that
//! only occurs at the top (`(ROOT`, `(TOP`, `( (`), so that one bad line costs one tree.

mod reader;
mod writer;

pub use reader::{Entry, PennReader, parse_one};
pub use writer::{to_line, to_pretty, write_tree};

/// Labels that treebanks give to the node above the sentence, and nowhere else.
pub const TOP_LABELS: [&str; 4] = ["ROOT", "TOP", "VROOT", ""];

//! Penn Treebank brackets.
//!
//! ```text
//! (ROOT (S (NP (DT The) (NN dog)) (VP (VBZ barks)) (. .)))
//! ```
//!
//! - A line may have several trees, and a tree may span several lines. Only ASCII white space counts as such, so a word
//!   may contain any other Unicode character, including a no-break space.
//! - An outer bracket without label, `( (S …))`, is kept as a node with an empty label.
//! - A word is alone in its preterminal. `(NP the dog)` and `(NP)` are errors.
//! - Inside words, `-LRB-` and `-RRB-` stand for brackets: they are `(` and `)` in memory and are escaped again on
//!   writing, also as parts of words (`friend-LRB-s-RRB-`). Labels are left unchanged.
//! - Several parsers print an empty bracket, `()` or `(())`, for a sentence they could not parse. [`PennReader`]
//!   reports it as an error; [`PennReader::next_entry`] returns [`Entry::Empty`].
//!
//! After a bad tree the reader can continue: it skips to the next line with `(` in the first column, which is how
//! treebank files begin their trees. A missing closing bracket is detected when such a line opens a bracket that occurs
//! only at the top (`(ROOT`, `(TOP`, `( (`), so that one bad line costs one tree.

mod reader;
mod writer;

pub use reader::{Entry, PennReader, parse_one};
pub use writer::{to_line, to_pretty, write_tree};

/// Labels of the root node above the sentence, which treebanks use nowhere else.
pub const TOP_LABELS: [&str; 4] = ["ROOT", "TOP", "VROOT", ""];

//! CoNLL-U, the format of Universal Dependencies: ten columns between TABs, one token per line, a blank line after each
//! sentence. See <https://universaldependencies.org/format.html>.
//!
//! Nothing that a file says is lost: comments, multiword ranges (`3-4`), empty nodes (`5.1`), enhanced dependencies and
//! MISC are kept, and what was read is written back byte for byte. Columns are split at TAB only, since forms may hold
//! blanks. Lines may end in CRLF, which a sentence remembers. Four things are put in order rather than kept: a byte order
//! mark at the start is dropped, further blank lines between sentences are dropped, and a missing line feed or a missing
//! blank line at the end of the input is added.
//!
//! The reader asks for ten columns, none empty; ids in sequence; ranges that cover words of the sentence and do not
//! overlap; heads that are `_` or number a word of the sentence or 0. It does not ask for a tree: that is the business of
//! [`DependencyTree`](crate::dependency::DependencyTree).

mod column;
mod enhanced;
mod reader;
mod rows;
mod sentence;
mod sequence;
mod token;
mod writer;

pub use column::Column;
pub use enhanced::{EnhancedArc, EnhancedHead};
pub use reader::{ConlluReader, ReadOutcome};
pub(super) use reader::{Dialect, SentenceReader};
pub use sentence::{Sentence, SentenceError};
pub use token::{Columns, Token, TokenId};
pub use writer::ConlluWriter;

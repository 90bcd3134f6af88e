//! CoNLL-U, the format of Universal Dependencies: ten columns separated by tabs, one token per line, with a blank line
//! after each sentence. See <https://universaldependencies.org/format.html>.
//!
//! Nothing in a file is lost: comments, multiword ranges (`3-4`), empty nodes (`5.1`), enhanced dependencies and MISC
//! are kept, and what was read is written back byte for byte. Columns are split only at tabs, since forms may contain
//! spaces. Lines may end in CRLF, which a sentence preserves. Four things are normalised: a byte order mark at the
//! start and extra blank lines between sentences are dropped, and a missing line feed or blank line at the end of the
//! input is added.
//!
//! CoNLL-U Plus is read as well: a first line `# global.columns = ID FORM UPOS …` names the columns of the file. They
//! take their places among the ten, columns of other names go to MISC, and what is written is CoNLL-U.
//!
//! The reader requires ten columns, none empty; ids in sequence; ranges that cover words of the sentence and do not
//! overlap; heads that are `_`, 0, or the number of a word in the sentence. It does not require a tree;
//! [`DependencyTree`](crate::dependency::DependencyTree) checks that.

mod column;
mod enhanced;
mod plus;
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

//! Two columns, `token<TAB>tag`, one token per line, with a blank line after each sentence: the format of named
//! entities and other chunks.
//!
//! Lines are split at tabs, so tokens may contain spaces. A tag is `O`, or one of `B`, `I`, `E`, `S` with a class, as
//! in `B-PER`. The reader checks only the form of each tag. Which sequences of tags are valid depends on the [`Scheme`]
//! and is checked by [`Scheme::entities`]. The four columns of CoNLL-2003, `word POS chunk tag`, are read as well: the
//! first and the last count, and lines `-DOCSTART-` are skipped. As in CoNLL-U, CRLF is preserved, and extra blank lines are dropped.

mod reader;
mod scheme;
mod sentence;

pub use reader::{BioReader, BioWriter};
pub use scheme::{Entity, Scheme, SpanError, TagError, lenient_entities};
pub use sentence::{BioError, BioSentence};

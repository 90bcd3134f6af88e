//! Two columns, `token<TAB>tag`, one token per line, a blank line after each sentence: the format of named entities and
//! other chunks.
//!
//! The line is split at TAB, so tokens may hold blanks. A tag is `O`, or one of `B`, `I`, `E`, `S` and a class, as in
//! `B-PER`. The reader checks the form of a tag only; which order of tags is right depends on the [`Scheme`] and is checked by
//! [`Scheme::entities`]. As in CoNLL-U, CRLF is remembered, and extra blank lines are dropped.

mod reader;
mod scheme;
mod sentence;

pub use reader::{BioReader, BioWriter};
pub use scheme::{Entity, Scheme, SpanError, TagError, lenient_entities};
pub use sentence::{BioError, BioSentence};

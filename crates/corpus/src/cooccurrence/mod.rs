//! Co-occurrence counts: the input for learning word clusters.
//!
//! For each distance d = 1..k, one table has the number of times that word `a` occurs `d` positions before word `b`.
//! All contexts of Stratos et al. (2014) are read off these tables: R1 is the table of distance 1, LR1 that table and
//! its transpose, LRk all tables with their transposes. Tables are sums over the text, so the tables of two texts can
//! be added.
//!
//! A [`TextCounter`] computes them from tokenised text:
//!
//! ```
//! use eigentree_corpus::cooccurrence::{CountConfig, TextCounter};
//! let mut counter = TextCounter::new(CountConfig::default())?;
//! counter.read("the dog sees the cat\nthe cat sleeps\n".as_bytes(), "-")?;
//! let counted = counter.finish()?;
//! let (the, cat) = (counted.word("the").unwrap(), counted.word("cat").unwrap());
//! assert_eq!(counted.counts.words[the], 3);
//! assert_eq!(counted.counts.pairs[0].get(the, cat), 2);
//! # Ok::<(), eigentree_corpus::cooccurrence::CountError>(())
//! ```
//!
//! # Implementation
//! Text is split into chunks that are interned by all threads, each with its own table. Words of up to 15 bytes are
//! keys of two machine words, found and compared without touching a string. The ids stay in memory, 4 bytes per token.
//! After all text has been read, types are renumbered by decreasing count. This gives frequent words small numbers,
//! keeps the data of the next steps close together, and makes the result independent of which thread read what. Then
//! right neighbours are bucketed by their left word, and each bucket is counted in a dense row. Pairs are never hashed.

mod boundaries;
mod bucket;
mod chunks;
mod config;
mod counter;
mod error;
mod memory;
mod merge;
mod pair_counts;
mod part;
mod ranking;
mod row_sum;
mod sequence;
mod text_counts;
mod type_table;
mod vocab_limit;

pub use boundaries::{Boundaries, Encoding};
pub use config::CountConfig;
pub use counter::TextCounter;
pub use error::CountError;
pub use memory::{MemoryEstimate, TextSize};
pub use pair_counts::PairCounts;
pub use part::{CountedPart, Edges};
pub use text_counts::{CountedText, TextCounts};
pub use vocab_limit::{UNKNOWN, VocabLimit};

//! Which words stand near which: the counts that word clusters are learnt from.
//!
//! For each distance d = 1..k one table holds how often word `a` stands `d` places before word `b`. All contexts of the
//! cluster paper (Stratos et al. 2014) are read off these tables: R1 is the table of distance 1, LR1 that table and its
//! transpose, LRk all of them with their transposes. Tables are sums over the text, so that those of two texts add up.
//!
//! A [`TextCounter`] makes them from text between blanks:
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
//! # How it is done
//! Text is cut into chunks that are interned by all threads, each with a table of its own: words of up to 15 bytes are keys
//! of two machine words, found and compared without touching a string. The ids stay in memory, 4 bytes a token. When
//! all text is there the types get their final numbers by falling count, which makes frequent words small numbers and keeps
//! what the next steps touch close together, and the result independent of who read what. Then right neighbours are
//! bucketed by their left word, and each bucket is counted in a dense row. Pairs are never hashed.

mod boundaries;
mod bucket;
mod chunks;
mod config;
mod counter;
mod error;
mod memory;
mod merge;
mod pair_counts;
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
pub use text_counts::{CountedText, TextCounts};
pub use vocab_limit::{UNKNOWN, VocabLimit};

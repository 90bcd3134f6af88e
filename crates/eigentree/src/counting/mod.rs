//! Counts texts, saves counts to files, and merges such files. Parts of a corpus are counted and joined by themselves.
//!
//! ```
//! use eigentree::config::CountConfig;
//! use eigentree::counting::{count_texts, merge_counts, open_counts, save_counts};
//! use eigentree::files::Output;
//! use eigentree::learn::Silent;
//! let folder = tempfile::tempdir()?;
//! let (text, file) = (folder.path().join("a.txt"), folder.path().join("a.eigc"));
//! std::fs::write(&text, "the dog\nthe cat\n")?;
//! let counted = count_texts(&[&text], &CountConfig::default(), &mut Silent)?.counted;
//! save_counts(&counted, Output::create(&file)?)?;
//! assert_eq!(open_counts(&file)?, counted);
//! let twice = merge_counts(&[&file, &file], &mut Silent)?;
//! assert_eq!(twice.counts.tokens(), 8);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod files;
mod parts;
mod tables;
mod texts;

pub use files::{merge_counts, open_counts, save_counts};
pub use parts::{PartCounter, part_from_bytes, part_to_bytes};
pub use tables::{PairColumns, counts_from_columns};
pub use texts::{Counting, count_texts};

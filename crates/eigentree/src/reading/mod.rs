//! Reads corpora: detects the format of a file, and handles sentences that cannot be read.
//!
//! - [`Format`] is inferred from the extension of a file, otherwise from its first lines.
//! - [`Source`] is an open corpus of known format.
//! - [`BadItems`] decides whether a sentence that cannot be read is an error; [`Forgiving`] applies it.
//!
//! ```
//! use eigentree::reading::{BadItems, Format, Source, read_trees};
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("trees");
//! std::fs::write(&path, "(ROOT (NN a))\n(ROOT (NN b)\n(ROOT (NN c))\n")?;
//! assert_eq!(Source::open(&path, None)?.format(), Format::Ptb);
//! let treebank = read_trees(&[path], BadItems::Skip, &mut eigentree::learn::Silent)?;
//! assert_eq!((treebank.trees.len(), treebank.skipped.len()), (2, 1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bad_items;
mod format;
mod source;
mod treebank;

pub use bad_items::{BadItems, Forgiving};
pub use format::Format;
pub use source::Source;
pub(crate) use treebank::read_all;
pub use treebank::{DependencyTreebank, Treebank, read_sentences, read_trees};

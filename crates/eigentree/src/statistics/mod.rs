//! Statistics of corpora and models: sizes, labels, shapes. [`inspection`](crate::inspection) looks inside
//! models.
//!
//! ```
//! use eigentree::reading::{BadItems, Source};
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("a.ptb");
//! std::fs::write(&path, "(S (NP (NN time)) (VP (VBZ flies)))\n")?;
//! let source = Source::open(path, None)?;
//! let statistics = eigentree::statistics::of_corpus(source, BadItems::Refuse, None, &mut eigentree::learn::Silent)?;
//! assert_eq!(statistics.figure("words"), Some(2.0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod corpus_statistics;
mod counter;
mod dependencies;
mod grammar;
mod trees;

pub use corpus_statistics::{CorpusStatistics, of_corpus, vocabulary};
pub use counter::Counter;
pub use grammar::{GrammarStatistics, SymbolStatistics, of_model, of_symbol};
pub(crate) use grammar::{of_lpcfg, of_pcfg};

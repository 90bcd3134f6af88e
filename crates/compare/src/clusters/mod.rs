//! Word clusters by several methods: mutual information, held-out perplexity, and time by stage, for several numbers of clusters and
//! sizes of the vocabulary, as in Tables 2 and 3 of Stratos et al. (2014).
//!
//! ```
//! use eigentree_compare::NoMeter;
//! use eigentree_compare::clusters::{Config, Data, compare};
//! use eigentree::learn::Silent;
//! use eigentree::models::clusters::Method;
//! let text = "the dog barks\na dog sleeps\nthe cat sleeps\n".repeat(20);
//! let config = Config {
//!     methods: vec![Method::Brown, Method::Exchange],
//!     clusters: vec![3],
//!     vocab: vec![10],
//!     ..Config::default()
//! };
//! let data = Data { train: text.as_bytes(), held_out: b"the dog sleeps\n" };
//! let report = compare(&config, &data, &mut Silent, &NoMeter)?;
//! assert_eq!(report.runs.len(), 2);
//! assert!(report.runs[1].perplexity > 1.0);
//! # Ok::<(), eigentree::Error>(())
//! ```

mod config;
mod experiment;
mod published;
mod report;
mod run;
mod tables;

pub use config::{Config, Data, split};
pub use experiment::ClustersExperiment;
pub use report::{Report, Run, Setting, VocabRun};
pub(crate) use run::SEARCHES;
pub use run::compare;

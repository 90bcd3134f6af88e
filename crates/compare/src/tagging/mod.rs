//! Clusters of words by what they do for taggers, as in Table 1 of Stratos et al. (2014): accuracy of tags and F1 of
//! entities without clusters and with those of several methods, vocabularies, contexts, κ and numbers of clusters.
//!
//! ```
//! use eigentree_compare::NoMeter;
//! use eigentree_compare::tagging::{Config, Task, compare};
//! use eigentree::learn::Silent;
//! use eigentree::models::clusters::Method;
//! use eigentree::models::tagger::{ColumnKind, TaggedSentence, TaggerConfig};
//! let sentence = |words: &str, tags: &str| TaggedSentence {
//!     words: words.split(' ').map(str::to_owned).collect(),
//!     labels: vec![tags.split(' ').map(str::to_owned).collect()],
//! };
//! let task = Task {
//!     name: "tags".to_owned(),
//!     columns: vec![("upos".to_owned(), ColumnKind::Plain)],
//!     config: TaggerConfig { least_count: 1, ..TaggerConfig::default() },
//!     train: vec![sentence("the dog barks", "DET NOUN VERB"), sentence("a cat sleeps", "DET NOUN VERB")],
//!     test: vec![sentence("the cat barks", "DET NOUN VERB")],
//!     held_out: None,
//! };
//! let text = "the dog barks\na dog sleeps\nthe cat sleeps\n".repeat(20);
//! let config = Config { methods: vec![Method::Exchange], clusters: vec![3], vocab: vec![10], ..Config::default() };
//! let report = compare(&config, text.as_bytes(), &[task], &mut Silent, &NoMeter)?;
//! assert_eq!(report.runs.len(), 2, "without clusters, and with them");
//! assert_eq!(report.runs[0].scores[0].score, 100.0);
//! # Ok::<(), eigentree::Error>(())
//! ```

mod config;
mod experiment;
mod published;
mod report;
mod run;
mod tables;

pub use config::{Config, Task};
pub use experiment::TaggingExperiment;
pub use report::{Gain, Report, Run, Score};
pub use run::compare;

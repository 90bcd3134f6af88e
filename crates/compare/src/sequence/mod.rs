//! Models of sequences by several learners: held-out perplexity and time against the number of states, with EM at several numbers
//! of steps, after figures 1 and 2 of Luque et al. (2012).
//!
//! ```
//! use eigentree_compare::NoMeter;
//! use eigentree_compare::sequence::{Config, compare};
//! use eigentree::learn::Silent;
//! use eigentree::models::automaton::SequenceCounts;
//! let counts = SequenceCounts::of(2, (0..300).map(|i| (0..i % 7).map(|t| t % 2).collect::<Vec<u32>>()))?;
//! let config = Config { ranks: vec![1, 2], em_steps: vec![2], ..Config::default() };
//! let report = compare(&config, &counts, &counts, &mut Silent, &NoMeter)?;
//! assert_eq!(report.runs.len(), 1 + 2 + 2);
//! assert!(report.runs.iter().all(|run| run.perplexity < 3.0));
//! # Ok::<(), eigentree::Error>(())
//! ```

mod config;
mod experiment;
mod report;
mod run;
mod tables;

pub use config::Config;
pub use experiment::SequenceExperiment;
pub use report::{Report, Run};
pub use run::compare;

//! Grammars with latent states: the tables of Cohen et al. (2013), section 4, on any treebank.
//!
//! | table of the paper | here |
//! |---|---|
//! | 1: EM over its iterations | one run of EM for each number of states, scored at the checkpoints |
//! | 2: EM and spectral for several m | with the plain and the Markovised PCFG, and the learners that are not in the paper |
//! | 3: times | processor seconds by stage, split as there; what all learners share is measured once and told apart |
//! | section 4.3 | without smoothing, without scaling, with negative posteriors kept, with fewer features |
//!
//! As in the paper, EM's number of iterations is chosen on the development set, which flatters EM: its time is that to an
//! iteration that only an oracle would stop at. The test set is scored for every learner
//! and number of states, at the step that was best on the development set.
//!
//! ```
//! use eigentree_compare::{Comparison, NoMeter, lpcfg};
//! use eigentree::{corpus::synthetic::{english, sample_treebank}, learn::Silent};
//! let trees = sample_treebank(english(), 300, 1).expect("the embedded grammar is sound");
//! let (train, dev) = trees.split_at(250);
//! let config = lpcfg::Config {
//!     contestants: vec![lpcfg::Contestant::Pcfg, lpcfg::Contestant::Spectral],
//!     states: vec![2],
//!     ..lpcfg::Config::default()
//! };
//! let report = lpcfg::compare(&config, &lpcfg::Data { train, dev, test: None }, &mut Silent, &NoMeter)?;
//! assert_eq!(report.runs.len(), 2);
//! assert!(report.document().to_text().contains("spectral"));
//! # Ok::<(), eigentree::Error>(())
//! ```

mod charts;
mod config;
mod contestant;
mod experiment;
mod plan;
mod published;
mod report;
mod run;
mod tables;
mod tags;

pub use config::{Config, Data};
pub use contestant::Contestant;
pub use experiment::LpcfgExperiment;
pub use report::{
    Ablation, BestAt, Checkpoint, Level, Report, Run, RunTest, Score, Size, Speed, TestScore, Tuned,
};
pub use run::compare;
pub use tags::{TagSource, TaggerFigures};

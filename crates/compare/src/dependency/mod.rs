//! Ways of dealing with crossing arcs side by side, over many treebanks: accuracy against the share of sentences that have such arcs.

mod experiment;
mod report;
mod run;

pub use experiment::DependencyExperiment;
pub use report::{Outcome, Report, Row};
pub use run::{Setup, compare_treebank};

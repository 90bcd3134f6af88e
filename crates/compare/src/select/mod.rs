//! Active learning against random choice, by simulation on treebanks.
//!
//! A simulation begins with a few random sentences of the training part and pretends that the others have no annotation.
//! In each round a tagger and a parser learn from the annotated sentences, are scored on held-out sentences with their
//! own tags, and choose the next sentences ([`eigentree::selection`]), which then are given their annotation. All
//! strategies of a repeat begin with the same sentences and buy the same number of words, since words are what
//! annotation costs.

mod config;
mod experiment;
mod report;
mod run;

pub use config::Config;
pub use experiment::SelectExperiment;
pub use report::{Curve, Report, Step};
pub use run::simulate;

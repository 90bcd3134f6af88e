//! Re-ranking side by side, as in Table 1 of Dhillon et al. (2012): parsers of first and second order, each alone, re-ranked by the score and
//! triples of tags, and by latent trees besides.

mod experiment;
mod report;
mod run;
mod treebank;

pub use experiment::DeptreeExperiment;
pub use report::{Block, Choice, Gain, LatentModel, Report};
pub use run::{Config, compare_treebank};
pub use treebank::{Punctuation, Tags};

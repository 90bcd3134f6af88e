//! Learners of one family side by side on the user's own data: accuracy, speed, size.
//!
//! Every family has a module with a `Config`, a function `compare` and a `Report`. `compare` is pure: data in memory go in, a report comes
//! out, and a caller with a clock lends it as a [`Meter`]. Reports implement [`Comparison`], which renders them as text, Markdown, JSON and
//! plots. The `…Experiment` of each family adds file names: it reads, compares and reports through one call of [`Experiment::run`], which is
//! what a program with a user interface needs.
//!
//! - [`clusters`]: word clusters, by Tables 2 and 3 of Stratos et al. (2014).
//! - [`mod@dependency`]: dependency parsers that make trees without and with crossing arcs.
//! - [`deptree`]: re-ranking of dependency trees, by Table 1 of Dhillon et al. (2012).
//! - [`head_automata`]: head automata, by Figures 1 and 2 and Table 1 of Luque et al. (2012).
//! - [`lpcfg`]: grammars with latent states, by the tables of Cohen et al. (2013), section 4.
//! - [`recovery`]: how well learners recover a known grammar from samples of growing size.
//! - [`select`]: active learning against random choice.
//! - [`sequence`]: models of sequences, after Figures 1 and 2 of Luque et al. (2012).
//! - [`mod@tagging`]: word clusters by what they do for taggers, by Table 1 of Stratos et al. (2014).

mod charts;
pub mod clusters;
mod comparison;
pub mod dependency;
pub mod deptree;
mod document;
mod experiment;
mod folders;
pub mod head_automata;
pub mod lpcfg;
mod meter;
mod published;
pub mod recovery;
pub mod select;
pub mod sequence;
pub mod tagging;

pub use comparison::Comparison;
pub use document::{Document, Plot, Section};
pub use experiment::{Experiment, Host};
pub use folders::{Folder, FolderParts, Part, TreebankParts, TreebankSplit};
pub use meter::{Cost, Meter, NoMeter, Reading, StageCost};
pub use published::Published;

//! Learners of one family side by side on one's own data: how accurate, how fast, how large.
//!
//! A comparison is pure: data in memory goes in, a report comes out, and who has a clock lends it as a [`Meter`]. The report
//! renders itself as text, as Markdown, as JSON and as plots.
//!
//! - [`clusters`]: word clusters, by Tables 2 and 3 of Stratos et al. (2014).
//! - [`dependency`]: dependency parsers that make trees without and with crossing arcs.
//! - [`lpcfg`]: grammars with latent states, by the tables of Cohen et al. (2013), section 4.
//! - [`shag`]: head automata, by figures 1 and 2 and table 1 of Luque et al. (2012).
//! - [`sequence`]: models of sequences, after figures 1 and 2 of Luque et al. (2012).
//! - [`tagging`]: word clusters by what they do for taggers, by Table 1 of Stratos et al. (2014).
//! - [`Document`]: what the reports of all families are rendered through.

pub mod clusters;
pub mod dependency;
pub mod deptree;
mod document;
pub mod lpcfg;
mod meter;
pub mod sequence;
pub mod shag;
pub mod tagging;

pub use document::{Document, Plot, Section};
pub use meter::{Cost, Meter, NoMeter, Reading, StageCost};

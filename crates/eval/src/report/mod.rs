//! Rendering of results for people and programs.
//!
//! A [`Report`] holds all measurements, in percent. Its JSON field names are stable, since programs read them.
//! [`Report::to_json`], [`Report::to_text`] and [`Report::to_markdown`] render it; the last two show the same
//! [`Table`]s.

mod attachment;
mod brackets;
mod comparison;
mod diagnosis;
mod document;
mod entities;
mod figures;
mod html;
mod table;
mod tags;
mod unsupervised;

pub use attachment::{AttachmentReport, SegmentationReport};
pub use brackets::{BracketCutoff, BracketFigures, BracketReport};
pub use comparison::ComparisonReport;
pub use diagnosis::DiagnosisReport;
pub use document::Report;
pub use entities::EntityReport;
pub use figures::ClassFigures;
pub use html::{ErrorPage, ShownSentence};
pub use table::Table;
pub use tags::{ConfusionFigures, TagFigures, TagReport};
pub use unsupervised::{ClusterReport, LikelihoodReport};

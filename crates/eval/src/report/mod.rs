//! Results as people and programs read them.
//!
//! A [`Report`] holds whatever was measured, in percent. Its JSON field names are kept stable: programs read them.
//! [`Report::to_json`], [`Report::to_text`] and [`Report::to_markdown`] render it; the last two show the same
//! [`Table`]s.

mod brackets;
mod document;
mod table;

pub use brackets::{BracketCutoff, BracketFigures, BracketReport, LabelFigures};
pub use document::Report;
pub use table::Table;

/// A share as a percentage.
fn percent(share: f64) -> f64 {
    100.0 * share
}

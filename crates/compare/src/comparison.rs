//! The result of a comparison.

use serde::Serialize;
use serde_json::Value;

use crate::document::{Document, Plot};

/// The outcome of a comparison, which every family presents in the same three forms.
pub trait Comparison {
    /// The tables, for readers.
    fn document(&self) -> Document;

    /// All figures as a JSON object. A number that is not finite becomes `null`.
    fn to_json(&self) -> Value;

    /// The plots, if there is anything to draw.
    fn plots(&self) -> Vec<Plot> {
        Vec::new()
    }
}

/// The JSON object of a report that is plain data.
pub(crate) fn json_of(report: &impl Serialize) -> Value {
    serde_json::to_value(report).expect("the keys of a report are strings")
}

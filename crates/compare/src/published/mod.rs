//! What the papers measured: one file per paper, and the form in which reports set these figures beside ours.
//!
//! Tables for readers and JSON take the numbers from here. The papers' data may not be redistributed, so that a difference
//! between a figure and ours is one of data as well as of programs.

pub(crate) mod cohen_2013;
pub(crate) mod dhillon_2012;
pub(crate) mod luque_2012;
pub(crate) mod stratos_2014;

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use crate::comparison::json_of;

/// A figure of a paper beside ours.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Published {
    /// Where the paper has it, such as `table 2`.
    pub place: &'static str,
    /// What is measured and on what, such as `dev_f1`.
    pub measure: &'static str,
    /// Whose it is, by our name.
    pub learner: &'static str,
    /// The settings in which it was measured, such as `states`; those of ours that may differ begin with `our_`.
    #[serde(flatten)]
    pub settings: BTreeMap<&'static str, Value>,
    /// The paper's.
    pub paper: f64,
    /// Ours, if it was measured here.
    pub ours: Option<f64>,
}

impl Published {
    pub(crate) fn new(
        place: &'static str,
        measure: &'static str,
        learner: &'static str,
        paper: f64,
        ours: Option<f64>,
    ) -> Self {
        Self { place, measure, learner, settings: BTreeMap::new(), paper, ours }
    }

    /// With a setting.
    pub(crate) fn at(mut self, name: &'static str, value: impl Into<Value>) -> Self {
        self.settings.insert(name, value.into());
        self
    }

    /// With a setting that may be missing.
    pub(crate) fn at_some(self, name: &'static str, value: Option<impl Into<Value>>) -> Self {
        match value {
            Some(value) => self.at(name, value),
            None => self,
        }
    }
}

/// The JSON object of a report with the figures of its paper as `published`, if there are any.
pub(crate) fn json_with(report: &impl Serialize, published: &[Published]) -> Value {
    let mut json = json_of(report);
    if let (false, Some(fields)) = (published.is_empty(), json.as_object_mut()) {
        fields.insert("published".to_owned(), json_of(&published));
    }
    json
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn settings_are_fields_of_a_figure() {
        let figure = Published::new("table 2", "dev_f1", "spectral", 85.60, None)
            .at("states", 8)
            .at_some("steps", None::<usize>);
        let expected = json!({"place": "table 2", "measure": "dev_f1", "learner": "spectral", "states": 8, "paper": 85.60, "ours": null});
        assert_eq!(json_of(&figure), expected);
        assert_eq!(
            json_with(&json!({"family": "lpcfg"}), &[figure]),
            json!({"family": "lpcfg", "published": [expected]})
        );
        assert_eq!(json_with(&json!({"family": "lpcfg"}), &[]), json!({"family": "lpcfg"}));
    }
}

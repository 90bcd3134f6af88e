//! All measurements in one document.

use serde::Serialize;

use super::attachment::AttachmentReport;
use super::brackets::BracketReport;
use super::comparison::ComparisonReport;
use super::entities::EntityReport;
use super::table::Table;
use super::tags::TagReport;
use super::unsupervised::{ClusterReport, LikelihoodReport};

/// All that was measured. Absent parts are absent from the JSON as well.
///
/// ```
/// use eigentree_eval::{brackets, report::Report};
/// let trees = "(ROOT (S (NP (NN time)) (VP (VBZ flies))))";
/// let scores = brackets::score_readers((trees.as_bytes(), "gold"), (trees.as_bytes(), "predicted"), &Default::default())?;
/// let report = Report { brackets: Some((&scores).into()), ..Report::default() };
/// assert_eq!(report.to_json_value()["brackets"]["f1"], 100.0);
/// # Ok::<(), eigentree_eval::error::EvalError>(())
/// ```
#[derive(Clone, PartialEq, Default, Debug, Serialize)]
pub struct Report {
    /// Constituency brackets.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub brackets: Option<BracketReport>,
    /// Dependencies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attachment: Option<AttachmentReport>,
    /// Tags.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tags: Option<TagReport>,
    /// Entities.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entities: Option<EntityReport>,
    /// Clusters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clusters: Option<ClusterReport>,
    /// Likelihood.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub likelihood: Option<LikelihoodReport>,
    /// Significance tests.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub comparisons: Vec<ComparisonReport>,
}

impl Report {
    /// The tables, in order.
    pub fn tables(&self) -> Vec<Table> {
        let mut tables = Vec::new();
        tables.extend(self.brackets.iter().flat_map(BracketReport::tables));
        tables.extend(self.attachment.iter().flat_map(AttachmentReport::tables));
        tables.extend(self.tags.iter().flat_map(TagReport::tables));
        tables.extend(self.entities.iter().flat_map(EntityReport::tables));
        tables.extend(self.clusters.iter().flat_map(ClusterReport::tables));
        tables.extend(self.likelihood.iter().flat_map(LikelihoodReport::tables));
        tables.extend(ComparisonReport::table(&self.comparisons));
        tables
    }

    /// The tables as plain text, separated by blank lines.
    pub fn to_text(&self) -> String {
        self.tables().iter().map(Table::to_text).collect::<Vec<_>>().join("\n")
    }

    /// The tables as Markdown, separated by blank lines.
    pub fn to_markdown(&self) -> String {
        self.tables().iter().map(Table::to_markdown).collect::<Vec<_>>().join("\n")
    }

    /// The figures as a JSON object, for embedding in a larger one. A number that is not finite becomes `null`.
    pub fn to_json_value(&self) -> serde_json::Value {
        serde_json::to_value(self).expect("the keys of a report are strings")
    }

    /// The figures as JSON text.
    pub fn to_json(&self) -> String {
        format!("{:#}", self.to_json_value())
    }
}

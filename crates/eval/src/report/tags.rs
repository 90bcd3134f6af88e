//! The report on tags.

use std::collections::BTreeMap;

use serde::Serialize;

use super::figures::percent;
use super::table::{Table, figure};
use crate::tagging::{ColumnScores, Confusion, TagCounts, TagScores};

/// Number of confusions in a report.
const CONFUSIONS: usize = 10;

/// Number of times one tag was predicted for another.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ConfusionFigures {
    /// The gold tag.
    pub gold: String,
    /// The predicted tag.
    pub predicted: String,
    /// Number of times.
    pub count: u64,
}

impl From<Confusion> for ConfusionFigures {
    fn from(Confusion { gold, predicted, count }: Confusion) -> Self {
        Self { gold, predicted, count }
    }
}

/// Figures of one tag column, in percent.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct TagFigures {
    /// Words with the gold tag.
    pub accuracy: f64,
    /// Accuracy on known words; absent if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub known: Option<f64>,
    /// Accuracy on unknown words; absent if there are none, or if they were not distinguished.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unknown: Option<f64>,
    /// Number of words.
    pub words: u64,
    /// Number of unknown words.
    pub unknown_words: u64,
    /// The most frequent confusions.
    pub confusions: Vec<ConfusionFigures>,
}

impl From<&TagScores> for TagFigures {
    fn from(scores: &TagScores) -> Self {
        let total = scores.total();
        let some = |counts: TagCounts| (counts.words > 0).then(|| percent(counts.accuracy()));
        Self {
            accuracy: percent(total.all().accuracy()),
            known: some(total.known),
            unknown: some(total.unknown),
            words: total.all().words,
            unknown_words: total.unknown.words,
            confusions: scores.confusions(CONFUSIONS).into_iter().map(Into::into).collect(),
        }
    }
}

/// All tagging figures, in percent. A column that was not scored is `null` in the JSON.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct TagReport {
    /// Accuracy of UPOS.
    pub upos: Option<f64>,
    /// Accuracy of XPOS.
    pub xpos: Option<f64>,
    /// Details of each scored column, by its name.
    pub columns: BTreeMap<String, TagFigures>,
}

impl TagReport {
    /// Builds the report from the scored columns.
    pub fn new(upos: Option<&TagScores>, xpos: Option<&TagScores>) -> Self {
        let named = [("upos", upos), ("xpos", xpos)];
        let columns: BTreeMap<String, TagFigures> =
            named.into_iter().filter_map(|(name, scores)| Some((name.to_owned(), scores?.into()))).collect();
        let accuracy = |name: &str| columns.get(name).map(|figures| figures.accuracy);
        Self { upos: accuracy("upos"), xpos: accuracy("xpos"), columns }
    }

    pub(super) fn tables(&self) -> Vec<Table> {
        let optional = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), figure);
        // Where all words count as known, nobody said which are.
        let told_apart = self.columns.values().any(|figures| figures.unknown_words > 0);
        let rows = self.columns.iter().map(|(name, figures)| {
            let mut row = vec![name.to_uppercase(), figure(figures.accuracy), figures.words.to_string()];
            if told_apart {
                row.extend([
                    optional(figures.known),
                    optional(figures.unknown),
                    figures.unknown_words.to_string(),
                ]);
            }
            row
        });
        let mut header = vec!["tags", "accuracy", "words"];
        if told_apart {
            header.extend(["known words", "unknown words", "unknown"]);
        }
        let header = header.into_iter().map(str::to_owned).collect();
        let mut tables = vec![Table { header, rows: rows.collect() }];
        for (name, figures) in self.columns.iter().filter(|(_, figures)| !figures.confusions.is_empty()) {
            let row = |confusion: &ConfusionFigures| {
                vec![confusion.gold.clone(), confusion.predicted.clone(), confusion.count.to_string()]
            };
            tables.push(Table {
                header: vec![
                    format!("{} gold", name.to_uppercase()),
                    "predicted".to_owned(),
                    "times".to_owned(),
                ],
                rows: figures.confusions.iter().map(row).collect(),
            });
        }
        tables
    }
}

impl From<&ColumnScores> for TagReport {
    fn from(scores: &ColumnScores) -> Self {
        Self::new(Some(&scores.upos), Some(&scores.xpos))
    }
}

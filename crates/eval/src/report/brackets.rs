//! The report on brackets.

use std::collections::BTreeMap;

use serde::Serialize;

use super::figures::{ClassFigures, by_class, class_table, percent};
use super::table::{Table, figure};
use crate::brackets::{BracketScores, BracketSummary};
use crate::counts::Counts;

/// Bracket figures over a set of sentences, in percent.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct BracketFigures {
    /// Labelled precision.
    pub precision: f64,
    /// Labelled recall.
    pub recall: f64,
    /// Labelled F1.
    pub f1: f64,
    /// Sentences that match exactly.
    pub exact: f64,
    /// Number of sentences without a tree, or with one marked as a fallback.
    pub failures: usize,
    /// Number of sentences.
    pub sentences: usize,
    /// Number of sentences that count in no figure.
    pub skipped: usize,
    /// Crossing brackets per tree: a mean, not a percentage.
    pub crossing: f64,
    /// Trees without crossing brackets.
    pub no_crossing: f64,
    /// Trees with at most two crossing brackets.
    pub two_or_less_crossing: f64,
    /// Words with the gold tag.
    pub tags: f64,
    /// Number of scored words.
    pub words: u64,
    /// Number of matched brackets.
    pub matched: u64,
    /// Number of gold brackets.
    pub gold: u64,
    /// Number of predicted brackets.
    pub predicted: u64,
}

/// Figures over sentences up to a length.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct BracketCutoff {
    /// Length in words, including punctuation.
    pub length: usize,
    /// The figures.
    #[serde(flatten)]
    pub figures: BracketFigures,
}

/// All bracket figures.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct BracketReport {
    /// Over all sentences.
    #[serde(flatten)]
    pub all: BracketFigures,
    /// Over the short sentences.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub up_to: Option<BracketCutoff>,
    /// By label.
    pub by_label: BTreeMap<String, ClassFigures>,
}

impl From<BracketSummary> for BracketFigures {
    fn from(summary: BracketSummary) -> Self {
        let Counts { matched, gold, predicted } = summary.brackets;
        Self {
            precision: percent(summary.brackets.precision()),
            recall: percent(summary.brackets.recall()),
            f1: percent(summary.brackets.f1()),
            exact: percent(summary.exact),
            failures: summary.failures,
            sentences: summary.sentences,
            skipped: summary.skipped,
            crossing: summary.crossing,
            no_crossing: percent(summary.no_crossing),
            two_or_less_crossing: percent(summary.two_or_less_crossing),
            tags: percent(summary.tags),
            words: summary.words,
            matched,
            gold,
            predicted,
        }
    }
}

impl From<&BracketScores> for BracketReport {
    fn from(scores: &BracketScores) -> Self {
        let up_to = |length| BracketCutoff { length, figures: scores.summary_up_to(length).into() };
        Self {
            all: scores.summary().into(),
            up_to: scores.cutoff.map(up_to),
            by_label: by_class(&scores.by_label),
        }
    }
}

impl BracketReport {
    pub(super) fn tables(&self) -> Vec<Table> {
        let columns: Vec<(String, &BracketFigures)> = std::iter::once(("all".to_owned(), &self.all))
            .chain(self.up_to.iter().map(|cut| (format!("up to {} words", cut.length), &cut.figures)))
            .collect();
        let mut header = vec!["brackets".to_owned()];
        header.extend(columns.iter().map(|(name, _)| name.clone()));
        let row = |name: &str, cell: &dyn Fn(&BracketFigures) -> String| {
            let mut row = vec![name.to_owned()];
            row.extend(columns.iter().map(|(_, figures)| cell(figures)));
            row
        };
        let rows = vec![
            row("F1", &|figures| figure(figures.f1)),
            row("precision", &|figures| figure(figures.precision)),
            row("recall", &|figures| figure(figures.recall)),
            row("exact match", &|figures| figure(figures.exact)),
            row("tags", &|figures| figure(figures.tags)),
            row("crossing brackets per tree", &|figures| figure(figures.crossing)),
            row("trees without crossing", &|figures| figure(figures.no_crossing)),
            row("sentences", &|figures| figures.sentences.to_string()),
            row("failures", &|figures| figures.failures.to_string()),
            row("skipped", &|figures| figures.skipped.to_string()),
        ];
        let labels = self.by_label.iter().map(|(label, figures)| (label.as_str(), figures));
        vec![Table { header, rows }, class_table("label", labels)]
    }
}

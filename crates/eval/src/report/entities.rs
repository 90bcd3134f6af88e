//! The report on entities.

use std::collections::BTreeMap;

use serde::Serialize;

use super::figures::{ClassFigures, by_class, class_table, percent};
use super::table::Table;
use crate::entities::EntityScores;

/// All entity figures, in percent.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct EntityReport {
    /// Precision over all classes.
    pub precision: f64,
    /// Recall over all classes.
    pub recall: f64,
    /// F1 over all classes.
    pub f1: f64,
    /// Words with the gold tag.
    pub tags: f64,
    /// Number of matched entities.
    pub matched: u64,
    /// Number of gold entities.
    pub gold: u64,
    /// Number of predicted entities.
    pub predicted: u64,
    /// Number of sentences.
    pub sentences: usize,
    /// By entity class.
    pub by_type: BTreeMap<String, ClassFigures>,
}

impl From<&EntityScores> for EntityReport {
    fn from(scores: &EntityScores) -> Self {
        let total = scores.total();
        Self {
            precision: percent(total.precision()),
            recall: percent(total.recall()),
            f1: percent(total.f1()),
            tags: percent(scores.tag_accuracy()),
            matched: total.matched,
            gold: total.gold,
            predicted: total.predicted,
            sentences: scores.sentences.len(),
            by_type: by_class(&scores.by_class),
        }
    }
}

impl EntityReport {
    pub(super) fn tables(&self) -> Vec<Table> {
        let rows =
            [("F1", self.f1), ("precision", self.precision), ("recall", self.recall), ("tags", self.tags)];
        let counts =
            [("sentences", self.sentences as u64), ("gold", self.gold), ("predicted", self.predicted)];
        let types = self.by_type.iter().map(|(class, figures)| (class.as_str(), figures));
        vec![Table::of_figures("entities", &rows, &counts), class_table("type", types)]
    }
}

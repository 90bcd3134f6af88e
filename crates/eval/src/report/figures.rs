//! Figures shared by several reports.

use std::collections::BTreeMap;

use serde::Serialize;

use super::table::{Table, figure};
use crate::counts::Counts;

/// A share as a percentage.
pub(super) fn percent(share: f64) -> f64 {
    100.0 * share
}

/// Figures of one class, in percent.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ClassFigures {
    /// Precision.
    pub precision: f64,
    /// Recall.
    pub recall: f64,
    /// F1.
    pub f1: f64,
    /// Number of gold items.
    pub gold: u64,
    /// Number of predicted items.
    pub predicted: u64,
}

impl From<Counts> for ClassFigures {
    fn from(counts: Counts) -> Self {
        Self {
            precision: percent(counts.precision()),
            recall: percent(counts.recall()),
            f1: percent(counts.f1()),
            gold: counts.gold,
            predicted: counts.predicted,
        }
    }
}

pub(super) fn by_class(counts: &BTreeMap<String, Counts>) -> BTreeMap<String, ClassFigures> {
    counts.iter().map(|(class, &counts)| (class.clone(), counts.into())).collect()
}

/// One row per class, the most frequent first.
pub(super) fn class_table<'c>(
    name: &str,
    classes: impl IntoIterator<Item = (&'c str, &'c ClassFigures)>,
) -> Table {
    let mut classes: Vec<(&str, &ClassFigures)> = classes.into_iter().collect();
    classes.sort_by_key(|(_, figures)| std::cmp::Reverse(figures.gold));
    let row = |(class, figures): (&str, &ClassFigures)| {
        vec![
            class.to_owned(),
            figure(figures.f1),
            figure(figures.precision),
            figure(figures.recall),
            figures.gold.to_string(),
            figures.predicted.to_string(),
        ]
    };
    Table {
        header: [name, "F1", "precision", "recall", "gold", "predicted"].map(str::to_owned).to_vec(),
        rows: classes.into_iter().map(row).collect(),
    }
}

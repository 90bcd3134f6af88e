//! The figures, their table and their plot.

use eval::report::Table;
use plots::{LineChart, Scale, series_by_name};
use serde::Serialize;
use serde_json::Value;

use super::config::Config;
use crate::charts::lines_or_bars;
use crate::comparison::{Comparison, json_of};
use crate::document::{Document, Plot, Section};

/// The whole comparison.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Report {
    /// States of every symbol.
    pub states: usize,
    /// Starts of EM per sample.
    pub restarts: usize,
    /// Steps of EM.
    pub em_steps: usize,
    /// Trees on which probabilities are compared.
    pub test_trees: usize,
    /// One per learner and sample.
    pub points: Vec<Point>,
}

/// One learner on one sample.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Point {
    /// The learner.
    pub learner: String,
    /// The size of the sample.
    pub trees: usize,
    /// The number of the sample of this size, from 0.
    pub repeat: usize,
    /// The mean of `|log |p̂| − log p|` over new trees.
    pub error: f64,
    /// New trees whose estimate is not positive, in percent.
    pub negative: f64,
    /// Processor seconds of learning, all starts together where there are several.
    pub seconds: f64,
}

/// Means over the samples of one size.
struct Row<'p> {
    learner: &'p str,
    trees: usize,
    error: f64,
    negative: f64,
    seconds: f64,
}

impl Report {
    pub(super) fn new(config: &Config, points: Vec<Point>) -> Self {
        let &Config { states, restarts, em_steps, test_trees, .. } = config;
        Self { states, restarts, em_steps, test_trees, points }
    }

    fn rows(&self) -> Vec<Row<'_>> {
        let mut rows: Vec<Row<'_>> = Vec::new();
        for point in &self.points {
            if rows.iter().any(|row| row.learner == point.learner && row.trees == point.trees) {
                continue;
            }
            let same: Vec<&Point> = self
                .points
                .iter()
                .filter(|other| other.learner == point.learner && other.trees == point.trees)
                .collect();
            let mean =
                |of: fn(&Point) -> f64| same.iter().map(|point| of(point)).sum::<f64>() / same.len() as f64;
            rows.push(Row {
                learner: &point.learner,
                trees: point.trees,
                error: mean(|point| point.error),
                negative: mean(|point| point.negative),
                seconds: mean(|point| point.seconds),
            });
        }
        rows
    }

    /// The slope of the error over the size of the sample, both on logarithmic scales, between the smallest and the
    /// largest sample.
    pub fn slope(&self, learner: &str) -> Option<f64> {
        let rows = self.rows();
        let own: Vec<&Row<'_>> = rows.iter().filter(|row| row.learner == learner).collect();
        let first = own.iter().min_by_key(|row| row.trees)?;
        let last = own.iter().max_by_key(|row| row.trees)?;
        let doublings = (last.trees as f64 / first.trees as f64).ln();
        (doublings > 0.0 && first.error > 0.0).then(|| (last.error / first.error).ln() / doublings)
    }
}

impl Comparison for Report {
    fn document(&self) -> Document {
        let header = ["learner", "trees", "error", "not positive, %", "seconds"];
        let row = |row: &Row<'_>| {
            vec![
                row.learner.to_owned(),
                row.trees.to_string(),
                format!("{:.3}", row.error),
                format!("{:.1}", row.negative),
                format!("{:.2}", row.seconds),
            ]
        };
        let mut remarks = vec![format!(
            "Error is the mean of |log |p̂| − log p| over {} new trees. {} states; EM with {} starts of {} steps.",
            self.test_trees, self.states, self.restarts, self.em_steps
        )];
        let mut learners: Vec<&str> = self.points.iter().map(|point| &point.learner[..]).collect();
        learners.sort_unstable();
        learners.dedup();
        for learner in learners {
            if let Some(slope) = self.slope(learner) {
                remarks
                    .push(format!("{learner}: slope {slope:.2} in log–log; a consistent learner has −0.5."));
            }
        }
        Document {
            introduction: Vec::new(),
            sections: vec![Section {
                title: "Recovery of a known grammar".to_owned(),
                table: Table {
                    header: header.map(str::to_owned).to_vec(),
                    rows: self.rows().iter().map(row).collect(),
                },
                remarks,
            }],
        }
    }

    fn to_json(&self) -> Value {
        json_of(self)
    }

    fn plots(&self) -> Vec<Plot> {
        let rows = self.rows();
        let (series, ticks) =
            series_by_name(rows.iter().map(|row| (row.learner, row.trees as f64, row.error.log10())));
        let chart = LineChart {
            title: "Recovery of a known grammar".to_owned(),
            x_label: "trees".to_owned(),
            y_label: "log₁₀ of the mean |log p̂ − log p|".to_owned(),
            x_scale: Scale::Logarithmic,
            x_ticks: Some(ticks),
            series,
            ..LineChart::default()
        };
        lines_or_bars("recovery.svg".to_owned(), &chart).into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_means_and_slopes_are_those_of_the_means() {
        let point = |trees, repeat, error| Point {
            learner: "spectral".to_owned(),
            trees,
            repeat,
            error,
            negative: 0.0,
            seconds: 1.0,
        };
        let points = vec![point(100, 0, 0.9), point(100, 1, 1.1), point(10_000, 0, 0.1)];
        let report = Report::new(&Config::default(), points);
        let slope = report.slope("spectral").unwrap();
        assert!((slope + 0.5).abs() < 1e-12, "{slope}");
        assert_eq!(report.slope("EM"), None);
        assert_eq!(report.document().sections[0].table.rows.len(), 2);
        assert_eq!(report.plots().len(), 1);
    }
}

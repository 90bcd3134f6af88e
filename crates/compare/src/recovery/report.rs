//! The figures, their table and their plot.

use std::fmt;

use eval::report::Table;
use plots::{LineChart, Scale, series_by_name};
use serde::Serialize;
use serde_json::Value;

use crate::charts::lines_or_bars;
use crate::comparison::{Comparison, json_of};
use crate::document::{Document, Plot, Section};

/// The whole comparison.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Report {
    /// States of every symbol of the learners.
    pub states: usize,
    /// The most states that a label of the grammar has.
    pub grammar_states: usize,
    /// The most children in a rule of the grammar.
    pub longest_rule: usize,
    /// Starts of EM per sample.
    pub restarts: usize,
    /// Steps of EM.
    pub em_steps: usize,
    /// Longer sentences were drawn again.
    pub max_words: usize,
    /// Trees on which probabilities are compared.
    pub test_trees: usize,
    /// One per sample and learner, for EM one per start.
    pub points: Vec<Point>,
}

/// Who learnt.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// Nobody: a grammar without hidden states.
    OneState,
    /// The spectral learner.
    Spectral,
    /// EM from one random start.
    Em,
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::OneState => "one state",
            Self::Spectral => "spectral",
            Self::Em => "EM",
        })
    }
}

/// One learner on one sample.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Point {
    /// The learner.
    pub learner: Role,
    /// The size of the sample.
    pub trees: usize,
    /// The number of the sample of this size, from 0.
    pub repeat: usize,
    /// The mean of `|log |p̂| − log p|` over the new trees that the model derives.
    pub error: f64,
    /// New trees that are derived with an estimate that is not positive, in percent.
    pub negative: f64,
    /// New trees with a rule or a word that the sample lacks, in percent.
    pub impossible: f64,
    /// EM: the log-likelihood of the sample before the last step.
    pub log_likelihood: Option<f64>,
    /// Processor seconds of learning.
    pub seconds: f64,
}

/// Means over the samples of one size.
struct Row {
    name: String,
    trees: usize,
    error: f64,
    negative: f64,
    impossible: f64,
    seconds: f64,
}

impl Row {
    fn of(name: String, trees: usize, points: &[&Point]) -> Option<Self> {
        let count = points.len() as f64;
        let mean = |of: fn(&Point) -> f64| points.iter().map(|point| of(point)).sum::<f64>() / count;
        (count > 0.0).then(|| Self {
            name,
            trees,
            error: mean(|point| point.error),
            negative: mean(|point| point.negative),
            impossible: mean(|point| point.impossible),
            seconds: mean(|point| point.seconds),
        })
    }
}

impl Report {
    /// The rows of one sample size. EM has three: the start that a user would keep, the one in the middle, the worst.
    fn rows_of(&self, trees: usize) -> Vec<Row> {
        let of_size = || self.points.iter().filter(move |point| point.trees == trees);
        let role = |role: Role| -> Vec<&Point> { of_size().filter(|point| point.learner == role).collect() };
        let mut rows: Vec<Row> = [Role::OneState, Role::Spectral]
            .into_iter()
            .filter_map(|of| Row::of(of.to_string(), trees, &role(of)))
            .collect();
        let (mut best, mut middle, mut worst) = (Vec::new(), Vec::new(), Vec::new());
        let repeats = of_size().map(|point| point.repeat + 1).max().unwrap_or(0);
        for repeat in 0..repeats {
            let mut starts: Vec<&Point> =
                role(Role::Em).into_iter().filter(|point| point.repeat == repeat).collect();
            let likelihood = |point: &Point| point.log_likelihood.unwrap_or(f64::NEG_INFINITY);
            best.extend(starts.iter().copied().max_by(|a, b| likelihood(a).total_cmp(&likelihood(b))));
            starts.sort_by(|a, b| a.error.total_cmp(&b.error));
            middle.extend(starts.get(starts.len() / 2).copied());
            worst.extend(starts.last().copied());
        }
        let starts = self.restarts;
        if let Some(mut row) = Row::of(format!("EM, best of {starts} starts"), trees, &best) {
            row.seconds *= starts as f64;
            rows.push(row);
        }
        rows.extend(Row::of("EM, median start".to_owned(), trees, &middle));
        rows.extend(Row::of("EM, worst start".to_owned(), trees, &worst));
        rows
    }

    fn rows(&self) -> Vec<Row> {
        let mut sizes: Vec<usize> = self.points.iter().map(|point| point.trees).collect();
        sizes.sort_unstable();
        sizes.dedup();
        sizes.into_iter().flat_map(|trees| self.rows_of(trees)).collect()
    }

    /// The slope of the error over the size of the sample, both on logarithmic scales, between the smallest and the
    /// largest sample; for EM that of the start with the highest likelihood.
    pub fn slope(&self, role: Role) -> Option<f64> {
        let rows = self.rows();
        let own: Vec<&Row> = rows
            .iter()
            .filter(|row| match role {
                Role::Em => row.name.starts_with("EM, best"),
                role => row.name == role.to_string(),
            })
            .collect();
        let (first, last) = (own.first()?, own.last()?);
        let distance = (last.trees as f64 / first.trees as f64).ln();
        (distance > 0.0 && first.error > 0.0).then(|| (last.error / first.error).ln() / distance)
    }

    fn remarks(&self) -> Vec<String> {
        let mut remarks = vec![format!(
            "Error is the mean of |log |p̂| − log p| over {} new trees. {} states; EM makes {} steps; the best start is the one \
             with the highest likelihood, and its time is that of all starts.",
            self.test_trees, self.states, self.em_steps
        )];
        let slopes: Vec<String> = [Role::Spectral, Role::Em]
            .into_iter()
            .filter_map(|role| Some(format!("{role} {:.2}", self.slope(role)?)))
            .collect();
        if !slopes.is_empty() {
            remarks.push(format!(
                "Slope of the error in log–log: {}. A consistent learner has −0.5.",
                slopes.join(", ")
            ));
        }
        if self.states < self.grammar_states {
            remarks.push(format!(
                "Labels of the grammar have up to {} hidden states, so with {} no learner can reach an error of 0.",
                self.grammar_states, self.states
            ));
        }
        if self.longest_rule > 2 {
            remarks.push(format!(
                "Rules of the grammar have up to {} children; in binary rules that takes further states.",
                self.longest_rule
            ));
        }
        remarks
    }
}

impl Comparison for Report {
    fn document(&self) -> Document {
        let header = ["learner", "trees", "error", "not positive, %", "impossible, %", "seconds"];
        let row = |row: &Row| {
            vec![
                row.name.clone(),
                row.trees.to_string(),
                format!("{:.3}", row.error),
                format!("{:.1}", row.negative),
                format!("{:.1}", row.impossible),
                format!("{:.2}", row.seconds),
            ]
        };
        Document {
            introduction: Vec::new(),
            sections: vec![Section {
                title: "Recovery of a known grammar".to_owned(),
                table: Table {
                    header: header.map(str::to_owned).to_vec(),
                    rows: self.rows().iter().map(row).collect(),
                },
                remarks: self.remarks(),
            }],
        }
    }

    fn to_json(&self) -> Value {
        json_of(self)
    }

    fn plots(&self) -> Vec<Plot> {
        let rows = self.rows();
        let (series, ticks) =
            series_by_name(rows.iter().map(|row| (&row.name[..], row.trees as f64, row.error.log10())));
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
    fn rows_are_means_and_the_best_start_is_the_most_likely() {
        let point = |learner, trees, repeat, error, log_likelihood| Point {
            learner,
            trees,
            repeat,
            error,
            negative: 0.0,
            impossible: 0.0,
            log_likelihood,
            seconds: 1.0,
        };
        let mut points = vec![
            point(Role::Spectral, 100, 0, 0.9, None),
            point(Role::Spectral, 100, 1, 1.1, None),
            point(Role::Spectral, 10_000, 0, 0.1, None),
        ];
        for (error, likelihood) in [(0.5, -10.0), (0.7, -9.0), (2.0, -30.0)] {
            points.push(point(Role::Em, 100, 0, error, Some(likelihood)));
        }
        let report = Report {
            states: 2,
            grammar_states: 2,
            longest_rule: 2,
            restarts: 3,
            em_steps: 10,
            max_words: 1000,
            test_trees: 5,
            points,
        };
        let slope = report.slope(Role::Spectral).unwrap();
        assert!((slope + 0.5).abs() < 1e-12, "{slope}");
        assert_eq!(report.slope(Role::Em), None);
        let rows: Vec<(String, f64, f64)> =
            report.rows().into_iter().map(|row| (row.name, row.error, row.seconds)).collect();
        let names = ["spectral", "EM, best of 3 starts", "EM, median start", "EM, worst start", "spectral"];
        let found: Vec<&str> = rows.iter().map(|row| &row.0[..]).collect();
        assert_eq!(found, names);
        assert_eq!(rows.iter().map(|row| row.1).collect::<Vec<_>>(), [1.0, 0.7, 0.7, 2.0, 0.1]);
        assert_eq!(rows[1].2, 3.0);
        assert_eq!(report.plots().len(), 1);
        assert_eq!(report.document().sections[0].remarks.len(), 2);
    }
}

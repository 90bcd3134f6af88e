//! The figures, and their tables.

use eval::report::Table;
use plots::{Bar, BarChart, learner_colours};
use serde::Serialize;
use serde_json::Value;

use super::run::Setup;
use crate::comparison::{Comparison, json_of};
use crate::document::{Document, Plot, Section};
use crate::meter::Cost;

/// What one way came to on one treebank.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Outcome {
    /// Heads, in percent.
    pub uas: f64,
    /// Heads and labels, in percent.
    pub las: f64,
    /// What learning cost.
    pub training: Cost,
    /// What parsing cost.
    pub parsing: Cost,
}

/// A line of the table.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Row {
    /// The treebank.
    pub treebank: String,
    /// Sentences to learn from.
    pub sentences: usize,
    /// Words to learn from.
    pub words: usize,
    /// Words parsed.
    pub parsed_words: usize,
    /// The share of training sentences with crossing arcs, in percent.
    pub crossing: f64,
    /// In the order of the ways.
    pub outcomes: Vec<Outcome>,
}

/// The whole comparison.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Report {
    /// The ways.
    pub setups: Vec<String>,
    /// The treebanks, by falling share of crossing arcs.
    #[serde(rename = "treebanks")]
    pub rows: Vec<Row>,
}

impl Report {
    /// A report of these lines.
    pub fn new(setups: &[Setup], mut rows: Vec<Row>) -> Self {
        rows.sort_by(|one, other| other.crossing.total_cmp(&one.crossing));
        Self { setups: setups.iter().map(|setup| setup.name.clone()).collect(), rows }
    }
}

impl Comparison for Report {
    fn document(&self) -> Document {
        let columns =
            |suffix: &str| self.setups.iter().map(|name| format!("{name}{suffix}")).collect::<Vec<_>>();
        let start =
            |row: &Row| vec![row.treebank.clone(), row.words.to_string(), format!("{:.1}", row.crossing)];
        let header = |rest: Vec<String>| {
            let first = ["treebank", "training words", "crossing %"].map(str::to_owned);
            first.into_iter().chain(rest).collect::<Vec<_>>()
        };
        let accuracy = Table {
            header: header(columns(" UAS / LAS")),
            rows: self
                .rows
                .iter()
                .map(|row| {
                    let figures = row.outcomes.iter().map(|one| format!("{:.2} / {:.2}", one.uas, one.las));
                    start(row).into_iter().chain(figures).collect()
                })
                .collect(),
        };
        let speed = Table {
            header: header(columns(" train s, words/s")),
            rows: self
                .rows
                .iter()
                .map(|row| {
                    let figures = row.outcomes.iter().map(|one| {
                        let rate = row.parsed_words as f64 / one.parsing.time().max(1e-3);
                        format!("{:.1}, {:.0}", one.training.time(), rate)
                    });
                    start(row).into_iter().chain(figures).collect()
                })
                .collect(),
        };
        Document {
            introduction: Vec::new(),
            sections: vec![
                Section {
                    title: "Accuracy".to_owned(),
                    table: accuracy,
                    remarks: vec![
                        "Given words and tags; punctuation counts; labels up to the first colon.".to_owned(),
                        "Crossing: the share of training sentences with crossing arcs.".to_owned(),
                    ],
                },
                Section {
                    title: "Time".to_owned(),
                    table: speed,
                    remarks: vec!["Processor seconds of all threads, where they are known.".to_owned()],
                },
            ],
        }
    }

    fn to_json(&self) -> Value {
        json_of(self)
    }

    // LAS of every way on every treebank.
    fn plots(&self) -> Vec<Plot> {
        let colours = learner_colours(self.setups.iter().map(String::as_str));
        let mut bars = Vec::new();
        for row in &self.rows {
            for ((setup, outcome), &colour) in self.setups.iter().zip(&row.outcomes).zip(&colours) {
                let name = format!("{}, {setup}", row.treebank);
                bars.push(Bar { name, value: outcome.las, colour });
            }
        }
        let (title, label) = ("Labelled attachment by treebank".to_owned(), "LAS".to_owned());
        let chart = BarChart { title, label, bars, ..BarChart::default() };
        vec![Plot { file: "las.svg".to_owned(), svg: chart.to_svg() }]
    }
}

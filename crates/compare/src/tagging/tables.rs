//! The report as tables and plots.

use eval::report::Table;
use plots::{Level, LineChart, Scale, series_by_name};
use serde_json::Value;

use super::report::{Report, Run, Score};
use crate::charts::lines_or_bars;
use crate::comparison::{Comparison, json_of};
use crate::document::{Document, Plot, Section};

/// What a table shows where there is nothing.
const NOTHING: &str = "–";

impl Run {
    /// The method with its context.
    fn name(&self) -> String {
        match &self.context {
            Some(context) => format!("{} {context}", self.method),
            None => self.method.to_owned(),
        }
    }

    fn vocab_text(&self) -> String {
        self.vocab.map_or(NOTHING.to_owned(), |vocab| vocab.to_string())
    }
}

impl Comparison for Report {
    fn document(&self) -> Document {
        let threads =
            if self.threads == 1 { "One thread".to_owned() } else { format!("{} threads", self.threads) };
        let introduction = vec![
            format!("Clusters were learnt from {} tokens, {} of them.", self.tokens, self.clusters),
            format!("{threads}. Times are processor seconds of all threads where these are known."),
        ];
        Document { introduction, sections: vec![self.scores(), self.times()] }
    }

    fn to_json(&self) -> Value {
        json_of(self)
    }

    // Scores over the size of the vocabulary, if there are several.
    fn plots(&self) -> Vec<Plot> {
        let plot = |(column, task): (usize, &String)| {
            let points = self
                .runs
                .iter()
                .filter_map(|run| Some((run.name(), run.vocab? as f64, run.scores.get(column)?.score)));
            let points: Vec<(String, f64, f64)> = points.collect();
            let (series, ticks) =
                series_by_name(points.iter().map(|(name, vocab, score)| (name.as_str(), *vocab, *score)));
            let chart = LineChart {
                title: task.clone(),
                x_label: "words kept apart".to_owned(),
                y_label: "score, percent".to_owned(),
                x_scale: Scale::Logarithmic,
                x_ticks: Some(ticks),
                levels: self.without_clusters(column, series.len()),
                series,
                ..LineChart::default()
            };
            let stem: String = task
                .chars()
                .map(|c| if c.is_alphanumeric() { c.to_ascii_lowercase() } else { '-' })
                .collect();
            lines_or_bars(format!("{stem}.svg"), &chart)
        };
        self.tasks.iter().enumerate().filter_map(plot).collect()
    }
}

impl Report {
    /// Table 1 of the paper.
    fn scores(&self) -> Section {
        let columns = ["clusters", "vocabulary"].into_iter().map(str::to_owned);
        let cell = |score: &Score| match score.gain {
            None => format!("{:.2}", score.score),
            Some(gain) => format!(
                "{:.2} ({:+.2} [{:+.2}, {:+.2}])",
                score.score, gain.points, gain.interval.0, gain.interval.1
            ),
        };
        let row = |run: &Run| {
            let start = [run.name(), run.vocab_text()];
            start.into_iter().chain(run.scores.iter().map(cell)).collect()
        };
        Section {
            title: "Scores".to_owned(),
            table: Table {
                header: columns.chain(self.tasks.iter().cloned()).collect(),
                rows: self.runs.iter().map(row).collect(),
            },
            remarks: vec![
                "Accuracy of tags, F1 of entities, in percent; in brackets what clusters add, with 95 % of the paired bootstrap over sentences.".to_owned(),
            ],
        }
    }

    fn times(&self) -> Section {
        let row = |run: &Run| {
            vec![
                run.name(),
                run.vocab_text(),
                run.clustering.map_or(NOTHING.to_owned(), |cost| format!("{:.1}", cost.time())),
                format!("{:.1}", run.training.time()),
            ]
        };
        Section {
            title: "Time, seconds".to_owned(),
            table: Table {
                header: ["clusters", "vocabulary", "clustering", "learning all taggers"]
                    .map(str::to_owned)
                    .to_vec(),
                rows: self.runs.iter().map(row).collect(),
            },
            remarks: vec!["Clustering is without counting, which all methods share.".to_owned()],
        }
    }

    /// The score of a column without clusters.
    fn without_clusters(&self, column: usize, colour: usize) -> Vec<Level> {
        let run = self.runs.iter().find(|run| run.vocab.is_none());
        let score = run.and_then(|run| run.scores.get(column));
        score.map(|score| Level { name: "none".to_owned(), value: score.score, colour }).into_iter().collect()
    }
}

//! The report as tables and plots.

use eigentree::training::Preset;
use eval::report::Table;
use plots::{Level, LineChart, Scale, series_by_name};
use serde_json::Value;
use tagging::tagger::Objective;

use super::report::{Report, Run, Score};
use crate::charts::lines_or_bars;
use crate::comparison::Comparison;
use crate::document::{Document, Plot, Section};
use crate::published::json_with;

/// What a table shows where there is nothing.
pub(super) const NOTHING: &str = "–";

impl Run {
    /// The method with its context and κ.
    fn name(&self) -> String {
        match (&self.context, self.kappa) {
            (Some(context), Some(kappa)) => format!("{} {context} κ {kappa}", self.method),
            _ => self.method.to_owned(),
        }
    }

    fn vocab_text(&self) -> String {
        self.vocab.map_or(NOTHING.to_owned(), |vocab| vocab.to_string())
    }

    fn clusters_text(&self) -> String {
        self.clusters.map_or(NOTHING.to_owned(), |clusters| clusters.to_string())
    }
}

/// What the horizontal axis of a chart shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Over {
    Vocabulary,
    Clusters,
    Kappa,
}

impl Over {
    /// The end of the file name, and the label of the axis.
    fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::Vocabulary => ("", "words kept apart"),
            Self::Clusters => ("-clusters", "clusters"),
            Self::Kappa => ("-kappa", "κ"),
        }
    }

    fn of(self, run: &Run) -> Option<f64> {
        match self {
            Self::Vocabulary => run.vocab.map(|vocab| vocab as f64),
            Self::Clusters => run.clusters.map(|clusters| clusters as f64),
            Self::Kappa => run.kappa,
        }
    }

    /// The line that a run belongs to: what it has besides the quantity of the axis.
    fn line(self, run: &Run) -> String {
        let (vocab, clusters) = (run.vocab_text(), run.clusters_text());
        match (self, &run.context) {
            (Self::Vocabulary, _) => format!("{}, {clusters} clusters", run.name()),
            (Self::Clusters, _) => format!("{}, vocabulary {vocab}", run.name()),
            (Self::Kappa, Some(context)) => format!("{} {context}, {clusters} of {vocab}", run.method),
            (Self::Kappa, None) => run.name(),
        }
    }
}

impl Report {
    /// The kind of the taggers.
    pub(super) fn taggers(&self) -> &'static str {
        match self.objective {
            Objective::Likelihood => "conditional random fields",
            Objective::Perceptron => "structured perceptrons",
            Objective::Greedy => "greedy perceptrons",
        }
    }
}

impl Comparison for Report {
    fn document(&self) -> Document {
        let threads =
            if self.threads == 1 { "One thread".to_owned() } else { format!("{} threads", self.threads) };
        let introduction = vec![
            format!("Clusters were learnt from {} tokens. The taggers are {}.", self.tokens, self.taggers()),
            format!("{threads}. Times are processor seconds of all threads where these are known."),
        ];
        let mut sections = if self.preset == Preset::Paper { self.published() } else { Vec::new() };
        sections.extend([self.scores(), self.times()]);
        Document { introduction, sections }
    }

    fn to_json(&self) -> Value {
        json_with(self, &self.figures())
    }

    // Scores over the size of the vocabulary, over the number of clusters and over κ, if there are several.
    fn plots(&self) -> Vec<Plot> {
        let others = [Over::Clusters, Over::Kappa].into_iter().filter(|&over| self.several(over));
        std::iter::once(Over::Vocabulary).chain(others).flat_map(|over| self.plots_over(over)).collect()
    }
}

impl Report {
    /// Whether runs differ in this.
    fn several(&self, over: Over) -> bool {
        let mut values = self.runs.iter().filter_map(|run| over.of(run));
        values.next().is_some_and(|first| values.any(|value| value != first))
    }

    /// One chart per task: scores over what differs.
    fn plots_over(&self, over: Over) -> Vec<Plot> {
        let (suffix, label) = over.names();
        let plot = |(column, task): (usize, &String)| {
            let points = self
                .runs
                .iter()
                .filter_map(|run| Some((over.line(run), over.of(run)?, run.scores.get(column)?.score)));
            let points: Vec<(String, f64, f64)> = points.collect();
            let (series, ticks) =
                series_by_name(points.iter().map(|(name, vocab, score)| (name.as_str(), *vocab, *score)));
            let chart = LineChart {
                title: task.clone(),
                x_label: label.to_owned(),
                y_label: "score, percent".to_owned(),
                x_scale: Scale::Logarithmic,
                x_ticks: Some(ticks),
                levels: self.levels(column, over, series.len()),
                series,
                ..LineChart::default()
            };
            let stem: String = task
                .chars()
                .map(|c| if c.is_alphanumeric() { c.to_ascii_lowercase() } else { '-' })
                .collect();
            lines_or_bars(format!("{stem}{suffix}.svg"), &chart)
        };
        self.tasks.iter().enumerate().filter_map(plot).collect()
    }

    /// Table 1 of the paper.
    fn scores(&self) -> Section {
        let columns = ["clusters", "vocabulary", "m"].into_iter().map(str::to_owned);
        let cell = |score: &Score| match score.gain {
            None => format!("{:.2}", score.score),
            Some(gain) => format!(
                "{:.2} ({:+.2} [{:+.2}, {:+.2}])",
                score.score, gain.points, gain.interval.0, gain.interval.1
            ),
        };
        let row = |run: &Run| {
            let start = [run.name(), run.vocab_text(), run.clusters_text()];
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
                run.clusters_text(),
                run.clustering.map_or(NOTHING.to_owned(), |cost| format!("{:.1}", cost.time())),
                format!("{:.1}", run.training.time()),
            ]
        };
        Section {
            title: "Time, seconds".to_owned(),
            table: Table {
                header: ["clusters", "vocabulary", "m", "clustering", "learning all taggers"]
                    .map(str::to_owned)
                    .to_vec(),
                rows: self.runs.iter().map(row).collect(),
            },
            remarks: vec!["Clustering is without counting, which all methods share.".to_owned()],
        }
    }

    /// The score of a column without clusters, and over κ also those of methods that have none, as in figure 6 (b).
    fn levels(&self, column: usize, over: Over, colours: usize) -> Vec<Level> {
        let is_level = |run: &&Run| run.vocab.is_none() || (over == Over::Kappa && run.kappa.is_none());
        let runs = self.runs.iter().filter(is_level);
        let level = |(at, run): (usize, &Run)| {
            let name = match run.vocab {
                None => run.method.to_owned(),
                Some(_) => format!("{}, {} of {}", run.method, run.clusters_text(), run.vocab_text()),
            };
            Some(Level { name, value: run.scores.get(column)?.score, colour: colours + at })
        };
        runs.enumerate().filter_map(level).collect()
    }
}

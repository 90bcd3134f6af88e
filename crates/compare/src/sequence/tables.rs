//! The report as tables and plots.

use eval::report::Table;
use plots::{LineChart, Scale, series_by_name};
use serde_json::Value;

use super::report::{Report, Run};
use crate::charts::lines_or_bars;
use crate::comparison::{Comparison, json_of};
use crate::document::{Document, Plot, Section};

/// What a table shows where there is nothing.
const NOTHING: &str = "–";

impl Comparison for Report {
    fn document(&self) -> Document {
        let threads =
            if self.threads == 1 { "One thread".to_owned() } else { format!("{} threads", self.threads) };
        let introduction = vec![
            format!(
                "Learnt from {} sequences over {} symbols, scored on {} held-out sequences.",
                self.sequences, self.symbols, self.held_out
            ),
            format!("{threads}. Times are processor seconds of all threads where these are known."),
        ];
        Document { introduction, sections: vec![self.table()] }
    }

    fn to_json(&self) -> Value {
        json_of(self)
    }

    // Perplexity and time over the number of states.
    fn plots(&self) -> Vec<Plot> {
        let perplexity = self.plot("perplexity", "held-out perplexity", |run| run.perplexity);
        perplexity.into_iter().chain(self.plot("time", "seconds", Run::seconds)).collect()
    }
}

impl Report {
    fn table(&self) -> Section {
        let header = ["learner", "states", "perplexity", "weight", "seconds"];
        let row = |run: &Run| {
            vec![
                run.learner.clone(),
                run.states.map_or(NOTHING.to_owned(), |states| states.to_string()),
                format!("{:.4}", run.perplexity),
                run.weight.map_or(NOTHING.to_owned(), |weight| format!("{weight:.3}")),
                format!("{:.2}", run.seconds()),
            ]
        };
        Section {
            title: "Perplexity and time".to_owned(),
            table: Table {
                header: header.iter().map(|&name| name.to_owned()).collect(),
                rows: self.runs.iter().map(row).collect(),
            },
            remarks: vec![
                "Perplexity is over symbols and ends. Every automaton is mixed with the n-gram model, by the weight that makes a part \
                 of the training sequences most probable, and then learnt from all of them."
                    .to_owned(),
            ],
        }
    }

    fn plot(&self, stem: &str, label: &str, value: impl Fn(&Run) -> f64) -> Option<Plot> {
        let points =
            self.runs.iter().filter_map(|run| Some((&run.learner[..], run.states? as f64, value(run))));
        let (series, ticks) = series_by_name(points);
        let chart = LineChart {
            title: format!("{label} by number of states"),
            x_label: "states".to_owned(),
            y_label: label.to_owned(),
            x_scale: Scale::Logarithmic,
            x_ticks: Some(ticks),
            series,
            ..LineChart::default()
        };
        lines_or_bars(format!("{stem}.svg"), &chart)
    }
}

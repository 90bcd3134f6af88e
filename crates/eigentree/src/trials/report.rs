//! Curves and folds as tables, JSON and plots.

use eval::report::Table;
use plots::{Band, LineChart, Scale, Series, learner_colours};
use serde_json::{Value, json};

use super::cross_validation::{CrossValidation, mean_and_interval};
use super::curve::{CurvePoint, Forecast, LearningCurve};

fn owned<const N: usize>(cells: [&str; N]) -> Vec<String> {
    cells.map(str::to_owned).to_vec()
}

impl LearningCurve {
    /// The sizes, rising.
    fn sizes(&self) -> Vec<usize> {
        let mut sizes: Vec<usize> = self.points.iter().map(|point| point.sentences).collect();
        sizes.dedup();
        sizes
    }

    fn names(&self) -> Vec<&str> {
        let first = self.points.first();
        first
            .map(|point| point.figures.iter().map(|figure| figure.name.as_str()).collect())
            .unwrap_or_default()
    }

    /// Mean words, and mean and deviation of a figure, of the runs of a size.
    fn mean(&self, size: usize, name: &str) -> (f64, f64, f64) {
        let runs: Vec<&CurvePoint> = self.points.iter().filter(|point| point.sentences == size).collect();
        let values: Vec<f64> = runs
            .iter()
            .filter_map(|run| {
                run.figures.iter().find(|figure| figure.name == name).map(|figure| figure.value)
            })
            .collect();
        let words = runs.iter().map(|run| run.words as f64).sum::<f64>() / runs.len().max(1) as f64;
        let (mean, deviation, _) = mean_and_interval(&values);
        (words, mean, deviation)
    }

    /// The measured points, the forecasts, and how much data a gain takes.
    pub fn tables(&self) -> Vec<Table> {
        let names = self.names();
        let mut header = owned(["sentences", "words", "runs"]);
        header.extend(names.iter().map(|&name| name.to_owned()));
        let rows = self.sizes().into_iter().map(|size| {
            let runs = self.points.iter().filter(|point| point.sentences == size).count();
            let (words, ..) = self.mean(size, "");
            let mut row = vec![size.to_string(), format!("{words:.0}"), runs.to_string()];
            row.extend(names.iter().map(|name| {
                let (_, mean, deviation) = self.mean(size, name);
                if runs > 1 { format!("{mean:.2} ± {deviation:.2}") } else { format!("{mean:.2}") }
            }));
            row
        });
        let mut tables = vec![Table { header, rows: rows.collect() }];
        if !self.forecasts.is_empty() {
            tables.extend([self.forecast_table(), self.gain_table()]);
        }
        tables
    }

    fn forecast_table(&self) -> Table {
        let mut header = owned(["expected with", "words"]);
        header.extend(self.forecasts.iter().map(|forecast| format!("{} (95 %)", forecast.name)));
        let multiples = self.forecasts.first().map(|forecast| &forecast.values[..]).unwrap_or_default();
        let rows = multiples.iter().enumerate().map(|(at, &(multiple, words, ..))| {
            let mut row = vec![format!("{multiple} × data"), format!("{words:.0}")];
            row.extend(self.forecasts.iter().map(|forecast| match forecast.values.get(at) {
                Some((_, _, value, (low, high))) => format!("{value:.2} ({low:.2} to {high:.2})"),
                None => String::new(),
            }));
            row
        });
        Table { header, rows: rows.collect() }
    }

    /// How many more sentences a gain takes.
    fn gain_table(&self) -> Table {
        let mut header = owned(["to gain"]);
        header.extend(self.forecasts.iter().map(|forecast| format!("{}: more sentences", forecast.name)));
        let rows = [0.5, 1.0, 2.0].map(|gain| {
            let mut row = vec![format!("{gain} points")];
            row.extend(self.forecasts.iter().map(|forecast| match self.sentences_for(forecast, gain) {
                Some(more) => format!("{more:.0}"),
                None => "not by more data".to_owned(),
            }));
            row
        });
        Table { header, rows: rows.to_vec() }
    }

    /// Sentences beyond those at hand that a gain takes, by the law. `None` beyond its asymptote, or so far off that
    /// nobody will annotate as much.
    fn sentences_for(&self, forecast: &Forecast, gain: f64) -> Option<f64> {
        const FURTHEST: f64 = 1000.0;
        let words = self.all.1 as f64;
        // What falls, such as perplexity, gets better by falling.
        let gain = gain.copysign(forecast.law.loss);
        let needed = forecast.law.reaches(forecast.law.at(words) + gain)?;
        let per_sentence = words / self.all.0.max(1) as f64;
        (needed < FURTHEST * words).then(|| (needed - words).max(0.0) / per_sentence)
    }

    /// Sentences about the forecasts, for readers.
    pub fn remarks(&self) -> Vec<String> {
        if self.forecasts.is_empty() {
            return vec!["No forecast: it takes at least four sizes.".to_owned()];
        }
        let mut remarks = vec![
            "Forecasts by the power law a − b n^−c, with the interval that holds 95 % of a residual bootstrap. They hold \
             for more data of the same kind only."
                .to_owned(),
        ];
        for forecast in &self.forecasts {
            if let Some((value, (low, high), measured)) = forecast.tested {
                remarks.push(format!(
                    "{}: without the largest size the law gives {value:.2} ({low:.2} to {high:.2}) there; measured {measured:.2}.",
                    forecast.name
                ));
            }
        }
        remarks
    }

    /// All of it as JSON.
    pub fn to_json(&self) -> Value {
        let gains = self.forecasts.iter().map(|forecast| {
            let needed = |gain: f64| json!({ "gain": gain, "sentences": self.sentences_for(forecast, gain) });
            let more = [0.5, 1.0, 2.0].map(needed).to_vec();
            json!({ "name": forecast.name, "more": more })
        });
        json!({
            "family": self.family.name(),
            "sentences": self.all.0,
            "words": self.all.1,
            "held_out_sentences": self.held_out,
            "points": self.points,
            "forecasts": self.forecasts.iter().map(forecast_json).collect::<Vec<_>>(),
            "gains": gains.collect::<Vec<_>>(),
        })
    }

    /// Measured points with the fitted laws and their bands.
    pub fn to_svg(&self) -> String {
        let names = self.names();
        let colours = learner_colours(names.iter().copied());
        let colour = |name: &str| names.iter().position(|other| *other == name).map_or(0, |at| colours[at]);
        let series = names.iter().map(|&name| Series {
            name: name.to_owned(),
            points: self
                .sizes()
                .into_iter()
                .map(|size| self.mean(size, name))
                .map(|(n, y, _)| (n, y))
                .collect(),
            colour: colour(name),
        });
        let forecasts = self.forecasts.iter().map(|forecast| Series {
            name: format!("{}, fitted", forecast.name),
            points: forecast.band.iter().map(|&(n, y, _)| (n, y)).collect(),
            colour: colour(&forecast.name),
        });
        let bands = self.forecasts.iter().map(|forecast| Band {
            name: String::new(),
            points: forecast.band.iter().map(|&(n, _, (low, high))| (n, low, high)).collect(),
            colour: colour(&forecast.name),
        });
        let chart = LineChart {
            title: format!("Learning curve of {}", self.family.name()),
            x_label: "words of training data".to_owned(),
            y_label: "score on held-out sentences".to_owned(),
            x_scale: Scale::Logarithmic,
            series: series.collect(),
            forecasts: forecasts.collect(),
            bands: bands.collect(),
            ..LineChart::default()
        };
        chart.to_svg()
    }
}

fn forecast_json(forecast: &Forecast) -> Value {
    let values = forecast.values.iter().map(|&(multiple, words, value, (low, high))| {
        json!({ "multiple": multiple, "words": words, "value": value, "low": low, "high": high })
    });
    let tested = forecast.tested.map(|(value, (low, high), measured)| {
        json!({ "value": value, "low": low, "high": high, "measured": measured })
    });
    let law = &forecast.law;
    json!({
        "name": forecast.name,
        "law": { "asymptote": law.asymptote, "loss": law.loss, "rate": law.rate },
        "values": values.collect::<Vec<_>>(),
        "tested": tested,
    })
}

impl CrossValidation {
    /// The folds, and their mean with its interval.
    pub fn tables(&self) -> Vec<Table> {
        let summary = self.summary();
        let mut header = owned(["fold", "trained on", "scored on"]);
        header.extend(summary.iter().map(|(name, ..)| name.clone()));
        let folds = (1..).zip(&self.folds).map(|(number, fold)| {
            let mut row = vec![number.to_string(), fold.trained.to_string(), fold.scored.to_string()];
            row.extend(fold.figures.iter().map(|figure| format!("{:.2}", figure.value)));
            row
        });
        let folds = Table { header, rows: folds.collect() };
        let rows = summary.iter().map(|(name, mean, deviation, half)| {
            vec![
                name.clone(),
                format!("{mean:.2}"),
                format!("{:.2} to {:.2}", mean - half, mean + half),
                format!("{deviation:.2}"),
            ]
        });
        let header = owned(["figure", "mean", "95 %", "deviation of folds"]);
        vec![folds, Table { header, rows: rows.collect() }]
    }

    /// Sentences about the folds, for readers.
    pub fn remarks(&self) -> Vec<String> {
        let folds = match self.documents {
            Some(documents) => format!("Folds consist of whole documents ({documents})."),
            None => "Folds consist of single sentences, since the data marks no documents; sentences of one text in \
                     several folds make scores a little too good."
                .to_owned(),
        };
        let interval = "The interval is that of Student's distribution over folds, which share training data, so it is \
                        rather too narrow.";
        vec![folds, interval.to_owned()]
    }

    /// All of it as JSON.
    pub fn to_json(&self) -> Value {
        let summary = self.summary().into_iter().map(|(name, mean, deviation, half)| {
            json!({ "name": name, "mean": mean, "deviation": deviation, "low": mean - half, "high": mean + half })
        });
        json!({
            "family": self.family.name(),
            "documents": self.documents,
            "folds": self.folds,
            "summary": summary.collect::<Vec<_>>(),
        })
    }
}

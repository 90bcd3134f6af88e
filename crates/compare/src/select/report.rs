//! The curves, what they save, and their tables.

use eval::report::Table;
use plots::{Band, LineChart, Scale, Series, learner_colours};
use serde::Serialize;
use serde_json::Value;

use super::config::Config;
use crate::comparison::{Comparison, json_of};
use crate::document::{Document, Plot, Section};

/// The score with some annotated words.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Step {
    /// Annotated words.
    pub words: usize,
    /// Annotated sentences.
    pub sentences: usize,
    /// LAS on held-out sentences, in percent.
    pub las: f64,
}

/// One simulation.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Curve {
    /// The treebank.
    pub treebank: String,
    /// How sentences were chosen.
    pub strategy: String,
    /// Number of the repeat, from 1.
    pub repeat: usize,
    /// Round by round.
    pub steps: Vec<Step>,
}

impl Curve {
    /// Words needed for a score, between rounds on a logarithmic scale; `None` if it was not reached.
    fn words_for(&self, las: f64) -> Option<f64> {
        let reached = self.steps.iter().position(|step| step.las >= las)?;
        let to = &self.steps[reached];
        let Some(from) = reached.checked_sub(1).map(|before| &self.steps[before]) else {
            return Some(to.words as f64);
        };
        let share = (las - from.las) / (to.las - from.las).max(1e-9);
        let (low, high) = ((from.words as f64).ln(), (to.words as f64).ln());
        Some((low + share * (high - low)).exp())
    }
}

/// What a strategy saves on a treebank.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Saving {
    /// The treebank.
    pub treebank: String,
    /// The strategy.
    pub strategy: String,
    /// Gain in LAS with all words, over the reference: mean over repeats and half the width of the 95 % interval.
    pub gain: (f64, f64),
    /// Share of the words that the reference needs for its last score and the strategy does not, in percent: mean and
    /// half the width of the 95 % interval.
    pub saved: (f64, f64),
}

/// All simulations.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Report {
    /// All curves.
    pub curves: Vec<Curve>,
    /// What strategies save against the reference, which is the last one.
    pub savings: Vec<Saving>,
    #[serde(skip)]
    strategies: Vec<&'static str>,
    #[serde(skip)]
    repeats: usize,
}

impl Report {
    /// A report of these curves.
    pub fn new(config: &Config, curves: Vec<Curve>) -> Self {
        let strategies: Vec<&'static str> =
            config.strategies.iter().map(|strategy| strategy.name()).collect();
        let mut report = Self { curves, savings: Vec::new(), strategies, repeats: config.repeats };
        report.savings = report.find_savings();
        report
    }

    fn treebanks(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.curves.iter().map(|curve| curve.treebank.as_str()).collect();
        names.dedup();
        names
    }

    fn curves_of(&self, treebank: &str, strategy: &str) -> Vec<&Curve> {
        let of = |curve: &&Curve| curve.treebank == treebank && curve.strategy == strategy;
        self.curves.iter().filter(of).collect()
    }

    fn find_savings(&self) -> Vec<Saving> {
        let Some((reference, others)) = self.strategies.split_last() else { return Vec::new() };
        let mut savings = Vec::new();
        for treebank in self.treebanks() {
            for strategy in others {
                let (mut gains, mut saved) = (Vec::new(), Vec::new());
                for curve in self.curves_of(treebank, strategy) {
                    let base = self.curves_of(treebank, reference);
                    let Some(base) = base.iter().find(|base| base.repeat == curve.repeat) else { continue };
                    let (Some(own), Some(last)) = (curve.steps.last(), base.steps.last()) else { continue };
                    gains.push(own.las - last.las);
                    // If the strategy never gets there, the reference needs less for what it reached.
                    saved.push(match (curve.words_for(last.las), base.words_for(own.las)) {
                        (Some(words), _) => 100.0 * (1.0 - words / last.words as f64),
                        (None, Some(words)) => 100.0 * (1.0 - own.words as f64 / words),
                        (None, None) => 0.0,
                    });
                }
                savings.push(Saving {
                    treebank: treebank.to_owned(),
                    strategy: (*strategy).to_owned(),
                    gain: mean_and_half(&gains),
                    saved: mean_and_half(&saved),
                });
            }
        }
        savings
    }

    /// Mean words, mean and deviation of LAS in a round.
    fn round(&self, treebank: &str, strategy: &str, round: usize) -> Option<(f64, f64, f64)> {
        let steps: Vec<&Step> =
            self.curves_of(treebank, strategy).iter().filter_map(|curve| curve.steps.get(round)).collect();
        if steps.is_empty() {
            return None;
        }
        let count = steps.len() as f64;
        let mean = steps.iter().map(|step| step.las).sum::<f64>() / count;
        let squares = steps.iter().map(|step| (step.las - mean).powi(2)).sum::<f64>();
        let deviation = (squares / (count - 1.0).max(1.0)).sqrt();
        Some((steps.iter().map(|step| step.words as f64).sum::<f64>() / count, mean, deviation))
    }

    fn rounds(&self) -> usize {
        self.curves.iter().map(|curve| curve.steps.len()).max().unwrap_or(0)
    }

    fn plot(&self, treebank: &str) -> Plot {
        let colours = learner_colours(self.strategies.iter().copied());
        let mut chart = LineChart {
            title: format!("Annotation of {treebank}, chosen and at random"),
            x_label: "annotated words".to_owned(),
            y_label: "LAS on held-out sentences".to_owned(),
            x_scale: Scale::Logarithmic,
            ..LineChart::default()
        };
        for (&strategy, colour) in self.strategies.iter().zip(colours) {
            let rounds: Vec<(f64, f64, f64)> =
                (0..self.rounds()).filter_map(|round| self.round(treebank, strategy, round)).collect();
            chart.bands.push(Band {
                name: String::new(),
                points: rounds.iter().map(|&(n, y, d)| (n, y - d, y + d)).collect(),
                colour,
            });
            let points = rounds.iter().map(|&(n, y, _)| (n, y)).collect();
            chart.series.push(Series { name: strategy.to_owned(), points, colour });
        }
        Plot { file: format!("select-{treebank}.svg"), svg: chart.to_svg() }
    }
}

/// The mean, and half the width of the 95 % interval of the mean by Student's distribution.
fn mean_and_half(values: &[f64]) -> (f64, f64) {
    /// 97.5 % quantiles for 1 to 10 degrees of freedom.
    const QUANTILES: [f64; 10] = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228];
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count.max(1.0);
    if values.len() < 2 {
        return (mean, f64::NAN);
    }
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (count - 1.0);
    let quantile = QUANTILES.get(values.len() - 2).copied().unwrap_or(1.96);
    (mean, quantile * (variance / count).sqrt())
}

/// A figure with half the width of its interval, if that is known.
fn with_half(figure: String, half: f64, digits: usize) -> String {
    if half.is_finite() { format!("{figure} ± {half:.digits$}") } else { figure }
}

impl Comparison for Report {
    fn document(&self) -> Document {
        let mut sections = Vec::new();
        for treebank in self.treebanks() {
            let mut header = vec!["words".to_owned()];
            header.extend(self.strategies.iter().map(|&strategy| strategy.to_owned()));
            let row = |round: usize| {
                let words = self.strategies.iter().find_map(|strategy| self.round(treebank, strategy, round));
                let mut row = vec![format!("{:.0}", words.map_or(0.0, |(words, ..)| words))];
                row.extend(self.strategies.iter().map(
                    |strategy| match self.round(treebank, strategy, round) {
                        Some((_, mean, _)) if self.repeats < 2 => format!("{mean:.2}"),
                        Some((_, mean, deviation)) => format!("{mean:.2} ± {deviation:.2}"),
                        None => "-".to_owned(),
                    },
                ));
                row
            };
            sections.push(Section {
                title: format!("LAS on {treebank}"),
                table: Table { header, rows: (0..self.rounds()).map(row).collect() },
                remarks: Vec::new(),
            });
        }
        let rows = self.savings.iter().map(|saving| {
            vec![
                saving.treebank.clone(),
                saving.strategy.clone(),
                with_half(format!("{:+.2}", saving.gain.0), saving.gain.1, 2),
                with_half(format!("{:.0} %", saving.saved.0), saving.saved.1, 0),
            ]
        });
        let header = ["treebank", "strategy", "gain in LAS", "annotation saved"].map(str::to_owned).to_vec();
        let intervals = if self.repeats < 2 {
            "One run has no interval."
        } else {
            "Intervals hold 95 % of Student's distribution over repeats."
        };
        sections.push(Section {
            title: "Against the last strategy".to_owned(),
            table: Table { header, rows: rows.collect() },
            remarks: vec![format!(
                "Annotation saved: the share of the words that the last strategy needs for its final score and the other does \
                 not. {intervals}"
            )],
        });
        let repeats = match self.repeats {
            0 | 1 => "One run".to_owned(),
            several => {
                format!(
                    "{several} repeats with other first sentences; ± is the standard deviation over repeats"
                )
            }
        };
        let introduction = vec![format!(
            "{repeats}. Tagger and parser learn from the annotated sentences only; LAS with own tags."
        )];
        Document { introduction, sections }
    }

    fn to_json(&self) -> Value {
        json_of(self)
    }

    fn plots(&self) -> Vec<Plot> {
        self.treebanks().into_iter().map(|treebank| self.plot(treebank)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use eigentree::selection::Strategy;

    fn curve(strategy: &str, las: [f64; 3]) -> Curve {
        let steps = [1000, 2000, 4000].into_iter().zip(las);
        let steps = steps.map(|(words, las)| Step { words, sentences: words / 20, las }).collect();
        Curve { treebank: "x".to_owned(), strategy: strategy.to_owned(), repeat: 1, steps }
    }

    #[test]
    fn a_curve_that_is_one_doubling_ahead_saves_half() {
        let config =
            Config { strategies: vec![Strategy::Diverse, Strategy::Random], repeats: 1, ..Config::default() };
        let curves = vec![curve("select", [60.0, 70.0, 75.0]), curve("random", [50.0, 60.0, 70.0])];
        let report = Report::new(&config, curves);
        assert!((report.savings[0].saved.0 - 50.0).abs() < 1e-9, "{:?}", report.savings);
        assert!((report.savings[0].gain.0 - 5.0).abs() < 1e-9);
        // One run has no interval.
        let text = format!(
            "{:?}",
            report.document().sections.iter().map(|section| &section.table.rows).collect::<Vec<_>>()
        );
        assert!(
            text.contains("\"+5.00\", \"50 %\"") && !text.contains('±') && !text.contains("NaN"),
            "{text}"
        );
        // The other way round it costs twice as much.
        let curves = vec![curve("select", [50.0, 60.0, 70.0]), curve("random", [60.0, 70.0, 75.0])];
        let report = Report::new(&config, curves);
        assert!((report.savings[0].saved.0 + 100.0).abs() < 1e-9, "{:?}", report.savings);
    }
}

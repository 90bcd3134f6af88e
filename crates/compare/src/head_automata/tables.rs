//! The report as tables and plots.

use eigentree::training::Preset;
use eval::report::Table;
use plots::{Level, LineChart, Scale, Series, learner_colours};
use serde_json::Value;

use super::config::LEXICAL;
use super::graph::HeadGraph;
use super::published::peak;
use super::report::{Report, Run};
use crate::comparison::Comparison;
use crate::document::{Document, Plot, Section};
use crate::published::json_with;
use crate::published::luque_2012::{PEAKS, Peak};

/// What a table shows where there is nothing.
pub(super) const NOTHING: &str = "–";

impl Comparison for Report {
    fn document(&self) -> Document {
        let mut sections = vec![
            self.figure("Tags alone (figure 1): UAS by number of states", |learner| !is_lexical(learner)),
        ];
        if self.runs.iter().any(|run| is_lexical(&run.learner)) {
            sections.push(self.figure("With words (figure 2): UAS by number of states", is_lexical));
        }
        if self.preset == Preset::Paper {
            sections.push(self.table_1());
            sections.extend(self.equation_21());
            sections.extend(self.graph.as_ref().map(HeadGraph::section));
        }
        sections.push(self.best_of_each());
        sections.push(self.objectives());
        Document { introduction: self.introduction(), sections }
    }

    fn to_json(&self) -> Value {
        json_with(self, &self.figures())
    }

    // Figures 1 and 2.
    fn plots(&self) -> Vec<Plot> {
        let draw = |title: &str, shown: &dyn Fn(&str) -> bool| {
            let learners: Vec<&str> = self.learners().into_iter().filter(|learner| shown(learner)).collect();
            let of = |learner: &str| {
                self.runs.iter().filter(move |run| run.learner == learner).collect::<Vec<_>>()
            };
            let mut chart = LineChart {
                title: title.to_owned(),
                x_label: "number of states".to_owned(),
                y_label: "UAS on the development set".to_owned(),
                x_scale: Scale::Linear,
                x_ticks: Some(self.states().into_iter().map(|states| states as f64).collect()),
                ..LineChart::default()
            };
            let colours = learner_colours(learners.iter().copied());
            for (colour, learner) in colours.into_iter().zip(learners) {
                let runs = of(learner);
                let name = learner.to_owned();
                match runs.first() {
                    Some(run) if run.states.is_none() => {
                        chart.levels.push(Level { name, value: run.dev.uas, colour });
                    }
                    _ => {
                        let point = |run: &&Run| Some((run.states? as f64, run.dev.uas));
                        chart.series.push(Series {
                            name,
                            points: runs.iter().filter_map(point).collect(),
                            colour,
                        });
                    }
                }
            }
            chart.to_svg()
        };
        let tags = draw("Head automata over tags", &|learner| !is_lexical(learner));
        let mut plots = vec![Plot { file: "tags.svg".to_owned(), svg: tags }];
        if self.runs.iter().any(|run| is_lexical(&run.learner)) {
            let svg = draw("Head automata with words", &is_lexical);
            plots.push(Plot { file: "words.svg".to_owned(), svg });
        }
        plots.extend(self.graph.iter().flat_map(HeadGraph::plots));
        plots
    }
}

impl Report {
    fn introduction(&self) -> Vec<String> {
        let threads =
            if self.threads == 1 { "One thread".to_owned() } else { format!("{} threads", self.threads) };
        vec![
            format!(
                "Learnt from {} words, scored on {} words, punctuation included. Alphabet {}: {} symbols.",
                self.train_words, self.dev_words, self.alphabet, self.symbols
            ),
            format!(
                "{} modifier sequences, {} different ones; counting them takes {:.2} s, which all learners share.",
                self.sequences.0,
                self.sequences.1,
                self.shared.time()
            ),
            format!(
                "{threads}. Times are processor seconds of all threads where these are known, without reading."
            ),
        ]
    }

    fn states(&self) -> Vec<usize> {
        let mut states: Vec<usize> = self.runs.iter().filter_map(|run| run.states).collect();
        states.sort_unstable();
        states.dedup();
        states
    }

    /// One row a learner, one column a number of states.
    fn figure(&self, title: &str, shown: impl Fn(&str) -> bool) -> Section {
        let states = self.states();
        let mut header = vec!["learner".to_owned(), "no states".to_owned()];
        header.extend(states.iter().map(|states| format!("n = {states}")));
        let paper = self.preset == Preset::Paper
            && self.learners().iter().any(|one| shown(one) && peak(one).is_some());
        header.extend(paper.then(|| "paper, WSJ development".to_owned()));
        let cell = |learner: &str, states: Option<usize>| {
            let run = self.runs.iter().find(|run| run.learner == learner && run.states == states);
            run.map_or_else(|| NOTHING.to_owned(), |run| format!("{:.2}", run.dev.uas))
        };
        let rows = self.learners().into_iter().filter(|learner| shown(learner)).map(|learner| {
            let mut row = vec![learner.to_owned(), cell(learner, None)];
            row.extend(states.iter().map(|&states| cell(learner, Some(states))));
            row.extend(paper.then(|| peak(learner).map_or_else(|| NOTHING.to_owned(), Peak::shown)));
            row
        });
        Section {
            title: title.to_owned(),
            table: Table { header, rows: rows.collect() },
            remarks: Vec::new(),
        }
    }

    /// Table 1, with times.
    fn best_of_each(&self) -> Section {
        let header = [
            "learner",
            "n",
            "weight of words",
            "dev UAS",
            "test UAS",
            "training s",
            "words/s",
            "Z ≤ 0",
            "µ ≤ 0",
        ];
        let optional = |number: Option<f64>, digits: usize| {
            number.map_or_else(|| NOTHING.to_owned(), |number| format!("{number:.digits$}"))
        };
        let row = |run: &Run| {
            vec![
                run.learner.clone(),
                run.states.map_or_else(|| NOTHING.to_owned(), |states| states.to_string()),
                optional(run.lexical_weight, 2),
                format!("{:.2}", run.dev.uas),
                optional(run.test.map(|test| test.uas), 2),
                format!("{:.2}", run.training.time()),
                optional(run.dev.words_per_second, 0),
                format!("{} of {}", run.dev.fallbacks, run.dev.sentences),
                format!("{} of {}", run.dev.floored, run.dev.sentences),
            ]
        };
        let rows = self.learners().into_iter().filter_map(|learner| self.best(learner)).map(row).collect();
        let mut remarks = vec![
            "`Z ≤ 0` counts sentences of the development set whose sum over trees is not positive, where DET+F decides; `µ ≤ 0` those with a marginal that is not positive."
                .to_owned(),
        ];
        remarks.extend(self.equal_accuracy());
        Section {
            title: "The best of each learner on the development set (table 1)".to_owned(),
            table: Table { header: header.map(str::to_owned).to_vec(), rows },
            remarks,
        }
    }

    /// Footnote 7: the best of each learner by other objectives.
    fn objectives(&self) -> Section {
        let header = ["learner", "n", "product of µ (MBR)", "sum of µ", "Viterbi"];
        let shown =
            |number: Option<f64>| number.map_or_else(|| NOTHING.to_owned(), |number| format!("{number:.2}"));
        let mut rows = Vec::new();
        if self.preset == Preset::Paper {
            rows.extend(PEAKS.iter().filter(|peak| peak.viterbi.is_some()).map(|peak| {
                let learner = format!("{}, paper, WSJ development", peak.learner);
                vec![learner, NOTHING.to_owned(), shown(Some(peak.dev)), shown(None), shown(peak.viterbi)]
            }));
        }
        for run in self.learners().into_iter().filter_map(|learner| self.best(learner)) {
            let Some(decoded) = run.decoded else { continue };
            rows.push(vec![
                run.learner.clone(),
                run.states.map_or_else(|| NOTHING.to_owned(), |states| states.to_string()),
                shown(Some(run.dev.uas)),
                shown(Some(decoded.sum)),
                shown(decoded.viterbi),
            ]);
        }
        Section {
            title: "Objectives (footnote 7): UAS on the development set".to_owned(),
            table: Table { header: header.map(str::to_owned).to_vec(), rows },
            remarks: vec![
                "The most probable tree is known only where there are no hidden states.".to_owned(),
            ],
        }
    }

    /// The spectral method at its best, and the run of EM that is as accurate in the least time.
    pub(super) fn equally_accurate(&self) -> Option<(&Run, Option<&Run>)> {
        let spectral = self.best("spectral")?;
        let reaches = |run: &&Run| run.steps.is_some() && run.dev.uas >= spectral.dev.uas;
        let runs = self.runs.iter().filter(reaches);
        Some((spectral, runs.min_by(|a, b| a.training.time().total_cmp(&b.training.time()))))
    }

    /// The training time of EM where it first reaches what the spectral method has at its best.
    fn equal_accuracy(&self) -> Option<String> {
        let (spectral, fastest) = self.equally_accurate()?;
        let own = spectral.training.time();
        Some(match fastest {
            Some(run) if own > 0.0 => format!(
                "At equal accuracy: the spectral method takes {own:.2} s to {:.2}; EM first reaches that with {} states after {} iterations, in {:.2} s ({:.1} times).",
                spectral.dev.uas,
                run.states.unwrap_or(0),
                run.steps.unwrap_or(0),
                run.training.time(),
                run.training.time() / own
            ),
            Some(_) => return None,
            None => {
                self.runs.iter().find(|run| run.steps.is_some())?;
                format!("EM does not reach the {:.2} of the spectral method.", spectral.dev.uas)
            }
        })
    }
}

fn is_lexical(learner: &str) -> bool {
    learner.starts_with(LEXICAL[0].1)
}

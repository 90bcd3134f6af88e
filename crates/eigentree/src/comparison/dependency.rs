//! Ways of dealing with crossing arcs side by side, over many treebanks: accuracy against the share of sentences that have such arcs.

use corpus::dependency::{DependencyTree, RootRule};
use corpus::format::conllu::Sentence;
use dependency::mst::{MstConfig, MstLearner, Order, Parser, Structure};
use eval::report::{AttachmentReport, Table};
use models::learn::{Learner, Observer};
use serde::Serialize;
use serde_json::{Value, json};

use super::meter::{Cost, Stopwatch, total};
use super::{Document, Meter, Section};
use crate::Error;
use crate::dependency_parsing::{parse_sentences, score_sentences};
use crate::parsing::Confidences;

/// A treebank in memory.
#[derive(Clone, Debug)]
pub struct Treebank {
    /// Its name in the table.
    pub name: String,
    /// What is learnt from.
    pub train: Vec<Sentence>,
    /// What is parsed.
    pub test: Vec<Sentence>,
}

/// A way to parse.
#[derive(Clone, Debug)]
pub struct Setup {
    /// How it is learnt.
    pub config: MstConfig,
    /// The trees it makes, in words.
    pub name: String,
}

impl Setup {
    /// The recipe with these trees.
    pub fn new(config: &MstConfig, structure: Structure) -> Self {
        let order = match config.order {
            Order::First => "1st order",
            Order::Second => "2nd order",
        };
        let trees = match structure {
            Structure::Projective => "projective",
            Structure::PseudoProjective => "pseudo-projective",
            Structure::NonProjective => "non-projective",
        };
        let config = MstConfig { structure: Some(structure), ..config.clone() };
        Self { config, name: format!("{order} {trees}") }
    }
}

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
#[derive(Clone, PartialEq, Debug)]
pub struct Report {
    /// The ways.
    pub setups: Vec<String>,
    /// The treebanks, by falling share of crossing arcs.
    pub rows: Vec<Row>,
}

/// Learns and parses one treebank in every way.
pub fn compare(
    treebank: &Treebank,
    setups: &[Setup],
    observer: &mut dyn Observer,
    meter: &dyn Meter,
) -> Result<Row, Error> {
    let crossing = |sentence: &&Sentence| {
        DependencyTree::from_sentence(sentence, RootRule::Any).is_ok_and(|tree| !tree.is_projective())
    };
    let share = treebank.train.iter().filter(crossing).count() as f64 / treebank.train.len().max(1) as f64;
    let mut outcomes = Vec::with_capacity(setups.len());
    for setup in setups {
        let title = format!("{} {}", treebank.name, setup.name);
        let mut watch = Stopwatch::new(title, observer, meter);
        let learner = MstLearner { config: setup.config.clone(), clusters: None };
        let model = learner.learn(&treebank.train, &mut watch)?.model;
        watch.pause();
        let parser = Parser::new(&model);
        let (parses, parsing, _) = watch.aside("parse", treebank.test.len(), |observer| {
            parse_sentences(&parser, &treebank.test, Confidences::Skip, observer)
        });
        let report = AttachmentReport::from(&score_sentences(&parser, &treebank.test, &parses?)?);
        let training = total(watch.stages());
        outcomes.push(Outcome { uas: report.uas, las: report.las, training, parsing });
    }
    let words = |sentences: &[Sentence]| sentences.iter().map(Sentence::len).sum::<usize>();
    Ok(Row {
        treebank: treebank.name.clone(),
        sentences: treebank.train.len(),
        words: words(&treebank.train),
        parsed_words: words(&treebank.test),
        crossing: 100.0 * share,
        outcomes,
    })
}

impl Report {
    /// A report of these lines.
    pub fn new(setups: &[Setup], mut rows: Vec<Row>) -> Self {
        rows.sort_by(|one, other| other.crossing.total_cmp(&one.crossing));
        Self { setups: setups.iter().map(|setup| setup.name.clone()).collect(), rows }
    }

    /// As a document.
    pub fn document(&self) -> Document {
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

    /// As JSON.
    pub fn to_json_value(&self) -> Value {
        json!({ "setups": self.setups, "treebanks": self.rows })
    }
}

//! The figures, and their table.

use eval::report::Table;
use plots::{Bar, BarChart, learner_colours};
use serde::Serialize;
use serde_json::Value;

use super::run::Config;
use super::treebank::{Punctuation, Tags};
use crate::comparison::Comparison;
use crate::document::{Document, Plot, Section};
use crate::meter::Cost;
use crate::published::dhillon_2012::RERANKING;
use crate::published::{Published, json_with};
use dependency::deptree::Neighbours;
use eigentree::training::Preset;

/// The whole comparison.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Report {
    /// One per treebank and parser.
    pub blocks: Vec<Block>,
    /// Trees per list.
    #[serde(skip)]
    pub trees: usize,
    /// Parts into which treebanks are cut.
    #[serde(skip)]
    pub folds: usize,
    /// Whether punctuation was part of the trees.
    #[serde(skip)]
    pub punctuation: Punctuation,
    /// Whose tags there were.
    #[serde(skip)]
    pub tags: Tags,
    /// What words were embedded by.
    #[serde(skip)]
    pub neighbours: Neighbours,
    /// Whether the table of the paper is printed.
    #[serde(skip)]
    pub preset: Preset,
}

/// What one way of choosing came to.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Choice {
    /// What is chosen by.
    pub name: String,
    /// Words with the right head, in percent.
    pub uas: f64,
    /// Sentences in which all heads are right, in percent.
    pub complete: f64,
    /// Against the way it is compared with: how much better, in points of UAS, with the interval that holds 95 % of resamples, and the p-value.
    pub gain: Option<Gain>,
}

/// A difference and how sure it is.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Gain {
    /// The name of the other way.
    pub over: String,
    /// In points.
    pub points: f64,
    /// In points.
    pub interval: (f64, f64),
    /// Of no difference.
    pub p_value: f64,
}

/// A latent tree model as it was learnt, which may have fewer states than were asked for.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct LatentModel {
    /// The learner.
    pub learner: String,
    /// The number of hidden states that the model has.
    pub states: usize,
    /// The largest number of hidden states that the learner could choose.
    pub asked: usize,
    /// The shrinkage of inverses, for spectral learners.
    pub shrinkage: Option<f64>,
    /// Trees among all candidates of the scored lists whose estimated probability is negative, in percent.
    pub negative: f64,
}

impl LatentModel {
    /// The model in words.
    fn describe(&self) -> String {
        let Self { learner, states, asked, .. } = self;
        let chosen =
            if states == asked { String::new() } else { format!(" (of up to {asked}, by held-out trees)") };
        let shrinkage = self.shrinkage.map_or_else(String::new, |part| format!(", shrinkage {part}"));
        format!(
            "{learner}: {states} hidden states{chosen}{shrinkage}, {:.1} % of the candidates negative",
            self.negative
        )
    }
}

/// What the comparison came to for one parser on one treebank.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Block {
    /// The treebank.
    pub treebank: String,
    /// Its part: `dev` or `test`.
    pub part: String,
    /// The parser.
    pub parser: String,
    /// The ways of choosing.
    pub choices: Vec<Choice>,
    /// The latent tree models.
    pub latent: Vec<LatentModel>,
    /// The best that can be chosen, in percent of words.
    pub oracle: f64,
    /// What making lists and learning cost, all ways together; lists of this part only.
    pub cost: Cost,
}

impl Block {
    /// The treebank with its part.
    fn name(&self) -> String {
        format!("{} {}", self.treebank, self.part)
    }
}

impl Report {
    /// A report of these blocks.
    pub fn new(config: &Config, blocks: Vec<Block>) -> Self {
        Self {
            blocks,
            trees: config.trees,
            folds: config.folds,
            punctuation: config.punctuation,
            tags: config.tags,
            neighbours: config.latent.neighbours,
            preset: config.preset,
        }
    }
}

impl Report {
    fn about_punctuation(&self) -> &'static str {
        match self.punctuation {
            Punctuation::Keep => "punctuation counts",
            Punctuation::Remove => "punctuation is left out of all trees",
        }
    }

    fn about_tags(&self) -> &'static str {
        match self.tags {
            Tags::Given => "tags are given",
            Tags::Jackknifed => "tags are those of a tagger, in ten parts for the training trees",
        }
    }

    /// Table 1 in its layout, with the numbers of the paper beside ours.
    fn published(&self) -> Option<Section> {
        if self.preset == Preset::Own {
            return None;
        }
        let header = ["treebank", "parser", "method", "accuracy", "complete", "gain over the row before"];
        let mut rows = Vec::new();
        let mut block = |treebank: &str, parser: &str, found: &[(&str, f64, f64)]| {
            for (at, &(method, accuracy, complete)) in found.iter().enumerate() {
                let before = at.checked_sub(1).map(|before| accuracy - found[before].1);
                rows.push(vec![
                    treebank.to_owned(),
                    parser.to_owned(),
                    method.to_owned(),
                    format!("{accuracy:.2}"),
                    format!("{complete:.2}"),
                    before.map_or_else(String::new, |gain| format!("{gain:+.2}")),
                ]);
            }
        };
        for (parser, paper) in &RERANKING {
            block("paper, WSJ 23", parser, &paper.each_ref().map(|row| (row.method, row.uas, row.complete)));
        }
        for own in &self.blocks {
            let ways =
                RERANKING[0].1.iter().filter_map(|row| Some((row.method, own.choices.get(row.choice)?)));
            let found: Vec<_> = ways.map(|(method, choice)| (method, choice.uas, choice.complete)).collect();
            block(&own.name(), &own.parser, &found);
        }
        Some(Section {
            title: "Table 1: re-ranking".to_owned(),
            table: Table { header: header.map(str::to_owned).to_vec(), rows },
            remarks: vec![format!(
                "The paper leaves punctuation out, has the tags of a tagger, ten parts of the training trees for those of these trees, \
                 and takes vectors of words from 63 million tokens of RCV1. Here {}, {}, and vectors of words are {}.",
                self.about_punctuation(),
                self.about_tags(),
                match self.neighbours {
                    Neighbours::Given => "given",
                    Neighbours::Sentences =>
                        "those of the sentences of the treebank (--vectors gives others)",
                    Neighbours::Trees => "those of the trees (--vectors gives others)",
                }
            )],
        })
    }
}

impl Report {
    /// The figures of the paper, each beside ours.
    fn figures(&self) -> Vec<Published> {
        let mut figures = Vec::new();
        if self.preset == Preset::Own {
            return figures;
        }
        for own in &self.blocks {
            let paper = RERANKING.iter().filter(|(parser, _)| own.parser.starts_with(parser));
            for row in paper.flat_map(|(_, rows)| rows) {
                let choice = own.choices.get(row.choice);
                let figure = |measure, paper, ours: Option<f64>| {
                    Published::new("table 1", measure, row.method, paper, ours)
                        .at("parser", own.parser.as_str())
                        .at("our_treebank", own.treebank.as_str())
                        .at("our_part", own.part.as_str())
                };
                figures.push(figure("uas", row.uas, choice.map(|choice| choice.uas)));
                figures.push(figure("complete", row.complete, choice.map(|choice| choice.complete)));
            }
        }
        figures
    }
}

impl Comparison for Report {
    fn document(&self) -> Document {
        let header = ["treebank", "parser", "chosen by", "UAS", "complete", "gain", "95 %", "p"];
        let rows = self.blocks.iter().flat_map(|block| {
            let last = vec![
                block.name(),
                block.parser.clone(),
                format!("oracle of {}", self.trees),
                format!("{:.2}", block.oracle),
            ];
            let last = last.into_iter().chain((0..4).map(|_| String::new())).collect::<Vec<_>>();
            let rows = block.choices.iter().map(|choice| {
                let gain = choice.gain.as_ref();
                vec![
                    block.name(),
                    block.parser.clone(),
                    choice.name.clone(),
                    format!("{:.2}", choice.uas),
                    format!("{:.2}", choice.complete),
                    gain.map_or_else(String::new, |gain| format!("{:+.2} over {}", gain.points, gain.over)),
                    gain.map_or_else(String::new, |gain| {
                        format!("{:+.2} to {:+.2}", gain.interval.0, gain.interval.1)
                    }),
                    gain.map_or_else(String::new, |gain| format!("{:.4}", gain.p_value)),
                ]
            });
            rows.chain([last]).collect::<Vec<_>>()
        });
        let mut remarks = vec![
            format!(
                "Lists of {} trees; {} parts of the treebank for learning. Words are given; {}; {}.",
                self.trees,
                self.folds,
                self.about_tags(),
                self.about_punctuation()
            ),
            "The interval holds 95 % of the differences over 10,000 resamples of the sentences, paired."
                .to_owned(),
        ];
        for block in &self.blocks {
            let models: Vec<String> = block.latent.iter().map(LatentModel::describe).collect();
            let cost = block.cost.time();
            remarks.push(format!("{}, {}: {}; {cost:.0} s.", block.name(), block.parser, models.join("; ")));
        }
        Document {
            introduction: Vec::new(),
            sections: self
                .published()
                .into_iter()
                .chain([Section {
                    title: "Re-ranking".to_owned(),
                    table: Table { header: header.map(str::to_owned).to_vec(), rows: rows.collect() },
                    remarks,
                }])
                .collect(),
        }
    }

    fn to_json(&self) -> Value {
        json_with(self, &self.figures())
    }

    // UAS of every choice, with the best possible one.
    fn plots(&self) -> Vec<Plot> {
        let mut bars = Vec::new();
        for block in &self.blocks {
            let oracle = format!("oracle of {}", self.trees);
            let choices = block.choices.iter().map(|choice| (choice.name.as_str(), choice.uas));
            let choices: Vec<(&str, f64)> = choices.chain([(oracle.as_str(), block.oracle)]).collect();
            let colours = learner_colours(choices.iter().map(|&(name, _)| name));
            for (&(name, value), colour) in choices.iter().zip(colours) {
                bars.push(Bar { name: format!("{}, {}, {name}", block.name(), block.parser), value, colour });
            }
        }
        let (title, label) = ("Re-ranking by treebank and parser".to_owned(), "UAS".to_owned());
        let chart = BarChart { title, label, bars, ..BarChart::default() };
        vec![Plot { file: "uas.svg".to_owned(), svg: chart.to_svg() }]
    }
}

//! Trains L-PCFGs and parses a treebank. Reports F1 and CPU time per stage.
//!
//! `cargo run --release -p eigentree-grammars --example lpcfg_bench -- TRAIN.ptb DEV.ptb --members s16,c16 [--raw]`

#![allow(clippy::print_stdout, reason = "the measurements are its output")]

use std::fs::File;
use std::time::Instant;

use corpus::format::penn::Entry;
use corpus::format::penn::PennReader;
use corpus::tree::Tree;
use corpus::tree::binarize::{Direction, Horizontal};
use corpus::tree::normal_form::NormalForm;
use eigentree_grammars::lexicon::Observation;
use eigentree_grammars::lpcfg::{
    Companion, Decoding, FeatureSet, LpcfgConfig, LpcfgLearner, Method, Parser, ParserConfig, Scratch,
    SmoothingConfig, SpectralConfig,
};
use eigentree_grammars::pcfg::{Outcome, PrunerConfig};
use eval::brackets::{BracketConfig, BracketScorer};
use models::learn::{Learner, Observer};

fn read(path: &str) -> Vec<Tree> {
    let input = corpus::compression::decompress(File::open(path).expect("a file")).expect("a readable file");
    PennReader::new(input, path).collect::<Result<_, _>>().expect("well-formed trees")
}

/// CPU seconds of the process.
fn seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").expect("Linux");
    let fields: Vec<&str> = text.rsplit(')').next().expect("fields").split_whitespace().collect();
    (fields[11].parse::<f64>().expect("utime") + fields[12].parse::<f64>().expect("stime")) / 100.0
}

struct Timer {
    stage: String,
    start: f64,
}

impl Timer {
    fn close(&mut self) {
        if !self.stage.is_empty() {
            print!("{} {:.2} s; ", self.stage, seconds() - self.start);
        }
        self.start = seconds();
    }
}

impl Observer for Timer {
    fn stage(&mut self, name: &str, _: Option<u64>) {
        self.close();
        self.stage = name.to_owned();
    }
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let option = |name: &str| args.iter().position(|arg| arg == name).map(|at| args[at + 1].clone());
    let number =
        |name: &str, default: f64| option(name).map_or(default, |text| text.parse().expect("a number"));
    let flag = |name: &str| args.iter().any(|arg| arg == name);
    let direction = match option("--binarize").as_deref() {
        Some("right") => Direction::Right,
        Some("head") => Direction::HeadOutward(corpus::tree::heads::HeadRules::english()),
        _ => Direction::Left,
    };
    let normal_form = NormalForm {
        horizontal: Horizontal::Order(number("--horizontal", 1.0) as usize),
        vertical: number("--vertical", 1.0) as usize,
        direction,
        ..NormalForm::default()
    };
    let mut config = LpcfgConfig::default();
    config.grammar.normal_form = normal_form;
    if flag("--plain-rules") {
        config.grammar.rule_smoothing = eigentree_grammars::grammar::RuleSmoothing::None;
    }
    let smoothing = SmoothingConfig::default();
    config.smoothing = SmoothingConfig {
        rules: number("--rules", smoothing.rules),
        words: number("--words", smoothing.words),
        classes: number("--classes", smoothing.classes),
    };
    let features = match option("--features").as_deref() {
        Some("rules") => FeatureSet::Rules,
        Some("paper") => FeatureSet::Paper,
        _ => FeatureSet::Rich,
    };
    let members = |text: String, first: usize| -> Vec<Method> {
        text.split(',')
            .enumerate()
            .map(|(at, member)| {
                let at = at + first;
                let (kind, rest) = member.split_at(1);
                let mut parts = rest.split('x');
                let states = parts.next().expect("states").parse().expect("states");
                let steps = parts.next().map_or(0, |steps| steps.parse().expect("steps"));
                let spectral = SpectralConfig {
                    states,
                    features,
                    seed: at as u64 + number("--seed", 0.0) as u64,
                    dropout: number("--dropout", 0.0),
                    tolerance: number("--tolerance", 1e-2),
                    nodes_per_state: number("--nodes", 30.0),
                    ..SpectralConfig::default()
                };
                match kind {
                    "s" => Method::Spectral(spectral),
                    "c" => Method::Cluster { spectral, steps },
                    _ => Method::Em { states, steps, seed: at as u64 },
                }
            })
            .collect()
    };
    config.members = members(option("--members").unwrap_or("s16".to_owned()), 0);
    if let Some(text) = option("--right") {
        let normal_form = NormalForm { direction: Direction::Right, ..config.grammar.normal_form.clone() };
        config.companions.push(Companion { normal_form, members: members(text, 100) });
    }
    if let Some(text) = option("--head") {
        let direction = Direction::HeadOutward(corpus::tree::heads::HeadRules::english());
        let normal_form = NormalForm { direction, ..config.grammar.normal_form.clone() };
        config.companions.push(Companion { normal_form, members: members(text, 200) });
    }
    if let Some(text) = option("--parents") {
        let normal_form = NormalForm { vertical: 2, ..config.grammar.normal_form.clone() };
        config.companions.push(Companion { normal_form, members: members(text, 300) });
    }
    let (train, dev) = (read(&args[0]), read(&args[1]));
    let dev: Vec<Tree> = dev.into_iter().step_by(number("--every", 1.0) as usize).collect();
    let mut timer = Timer { stage: String::new(), start: seconds() };
    let start = seconds();
    let learned = LpcfgLearner { config }.learn(&train, &mut timer).expect("a treebank");
    timer.close();
    let model = learned.model;
    println!("\ntrain {:.2} s; {} numbers", seconds() - start, model.tensor_size());
    let decoding = if flag("--sum") { Decoding::RuleSum } else { Decoding::RuleProduct };
    let mut search = ParserConfig { decoding, ..ParserConfig::default() };
    let default = search.pruner(model.members());
    search.pruner = Some(PrunerConfig {
        coarse_threshold: number("--coarse", default.coarse_threshold.into()) as f32,
        edge_threshold: number("--edges", default.edge_threshold.into()) as f32,
        estimate_threshold: number("--estimate", default.estimate_threshold.into()) as f32,
    });
    for least in option("--votes").unwrap_or("0.1".to_owned()).split(',') {
        search.least_vote = least.parse().expect("a number");
        println!("least vote {least}");
        let parser = Parser::new(&model, search.clone());
        for given in [true, false] {
            if flag("--raw") && given || flag("--tags") && !given {
                continue;
            }
            let mut scratch = Scratch::default();
            let start = seconds();
            let wall = Instant::now();
            let mut fallbacks = 0;
            let mut parsed = Vec::new();
            for tree in &dev {
                let sentence: Vec<Observation<'_>> = tree
                    .words()
                    .zip(tree.tags())
                    .map(
                        |(word, tag)| {
                            if given { Observation::Tagged(word, tag) } else { Observation::Word(word) }
                        },
                    )
                    .collect();
                let parse = parser.parse(&sentence, &mut scratch).expect("a tree");
                fallbacks += usize::from(parse.outcome == Outcome::Fallback);
                parsed.push(Some(parse.tree));
            }
            let taken = seconds() - start;
            let (mut right, mut words) = (0, 0);
            for (gold, tree) in dev.iter().zip(&parsed) {
                for (a, b) in gold.tags().zip(tree.as_ref().expect("a tree").tags()) {
                    words += 1;
                    right += usize::from(a == b);
                }
            }
            let mut scorer = BracketScorer::new(BracketConfig::collins());
            for (gold, tree) in dev.iter().zip(&parsed) {
                scorer.score(gold, &Entry::Tree(tree.clone().expect("a tree"))).expect("the same words");
            }
            let scores = scorer.finish().summary();
            println!(
                "{} F1 {:.2}, tags {:.2}, {:.1} sentences/s CPU, {:.1} s wall, {fallbacks} fallbacks, {} negative",
                if given { "tags " } else { "words" },
                100.0 * scores.brackets.f1(),
                100.0 * right as f64 / words as f64,
                dev.len() as f64 / taken,
                wall.elapsed().as_secs_f64(),
                scratch.negative,
            );
        }
    }
}

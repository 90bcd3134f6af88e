//! Trains a PCFG and parses a treebank in several ways: CPU time, and how far pruned and exhaustive parses agree.
//!
//! `cargo run --release -p eigentree-models --example pcfg_bench -- TRAIN.ptb DEV.ptb [--horizontal N]`

#![allow(clippy::print_stdout, reason = "the measurements are its output")]

use std::fs::File;
use std::io::Write;
use std::time::Instant;

use corpus::format::penn::{PennReader, to_line};
use corpus::tree::Tree;
use corpus::tree::binarize::{Direction, Horizontal};
use corpus::tree::normal_form::NormalForm;
use eigentree_models::learn::{Learner, Silent};
use eigentree_models::lexicon::Observation;
use eigentree_models::pcfg::{
    Decoding, Outcome, Parser, ParserConfig, PcfgConfig, PcfgLearner, Pruning, Scratch,
};

fn read(path: &str) -> Vec<Tree> {
    let input = corpus::compression::decompress(File::open(path).expect("a file")).expect("a readable file");
    PennReader::new(input, path).collect::<Result<_, _>>().expect("well-formed trees")
}

/// CPU seconds of this thread, where the system tells them (Linux); wall-clock seconds elsewhere.
fn seconds(origin: Instant) -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanos =
        told.as_deref().and_then(|text| text.split(' ').next()).and_then(|text| text.parse::<f64>().ok());
    nanos.map_or_else(|| origin.elapsed().as_secs_f64(), |nanos| nanos * 1e-9)
}

fn main() {
    let origin = Instant::now();
    let args: Vec<String> = std::env::args().skip(1).collect();
    let option = |name: &str| args.iter().position(|arg| arg == name).map(|at| args[at + 1].clone());
    let horizontal: usize = option("--horizontal").map_or(1, |text| text.parse().expect("a number"));
    let vertical: usize = option("--vertical").map_or(1, |text| text.parse().expect("a number"));
    let direction = match option("--binarize").as_deref() {
        Some("right") => Direction::Right,
        Some("head") => Direction::HeadOutward(corpus::tree::heads::HeadRules::english()),
        _ => Direction::Left,
    };
    let normal_form = NormalForm {
        horizontal: Horizontal::Order(horizontal),
        vertical,
        direction,
        ..NormalForm::default()
    };
    let start = seconds(origin);
    let (train, dev) = (read(&args[0]), read(&args[1]));
    println!("read {:.2} s", seconds(origin) - start);
    let start = seconds(origin);
    let learner = PcfgLearner { config: PcfgConfig { normal_form, ..PcfgConfig::default() } };
    let learned = learner.learn(&train, &mut Silent).expect("a treebank");
    let model = learned.model;
    println!(
        "train {:.2} s: {} phrases, {} symbols, {} rules, {} coarse phrases",
        seconds(origin) - start,
        model.symbols().phrases(),
        model.symbols().len(),
        model.rules().len(),
        model.coarse_phrases()
    );
    let pruning = Pruning::Posterior(option("--prune").map_or(1e-5, |text| text.parse().expect("a number")));
    let coarse_from = option("--coarse-from").map_or(40, |text| text.parse().expect("a number"));
    let with = |decoding, pruning| ParserConfig { decoding, pruning, coarse_from, ..ParserConfig::default() };
    let mut runs = vec![
        ("viterbi", true, with(Decoding::Viterbi, pruning)),
        ("sum", true, with(Decoding::MaxRuleSum, pruning)),
        ("product", true, with(Decoding::MaxRuleProduct, pruning)),
        ("words-sum", false, with(Decoding::MaxRuleSum, pruning)),
        ("words-product", false, with(Decoding::MaxRuleProduct, pruning)),
    ];
    if args.iter().any(|arg| arg == "--exhaustive") {
        runs.push(("viterbi-exhaustive", true, with(Decoding::Viterbi, Pruning::None)));
        runs.push(("sum-exhaustive", true, with(Decoding::MaxRuleSum, Pruning::None)));
        runs.push(("product-exhaustive", true, with(Decoding::MaxRuleProduct, Pruning::None)));
    }
    if let Some(only) = option("--only") {
        runs.retain(|(name, _, _)| only.split(',').any(|wanted| wanted == *name));
    }
    let mut results: Vec<(&str, Vec<Tree>)> = Vec::new();
    for (name, given, config) in runs {
        let parser = Parser::new(&model, config);
        let mut scratch = Scratch::default();
        let start = seconds(origin);
        let mut fallbacks = 0;
        let mut trees = Vec::new();
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
            trees.push(parse.tree);
        }
        let taken = seconds(origin) - start;
        let agree = results
            .iter()
            .find(|(other, _)| name.strip_suffix("-exhaustive") == Some(other))
            .map(|(_, other)| other.iter().zip(&trees).filter(|(a, b)| a == b).count());
        println!(
            "{name:20} {:7.1} sentences/s, {fallbacks} fallbacks{}",
            dev.len() as f64 / taken,
            agree.map_or(String::new(), |agree| format!(", same tree as pruned: {agree} of {}", dev.len()))
        );
        if let Some(folder) = option("--out") {
            let mut out = File::create(format!("{folder}/{name}.ptb")).expect("a writable folder");
            for tree in &trees {
                writeln!(out, "{}", to_line(tree)).expect("a writable file");
            }
        }
        results.push((name, trees));
    }
}

//! Trains a PCFG and parses a treebank in several ways. Reports CPU time and how often pruned and exhaustive parses
//! agree.
//!
//! `cargo run --release -p eigentree-grammars --example pcfg_bench -- TRAIN.ptb DEV.ptb [--horizontal N]`
//!
//! With `--forest 1e-4:1e-6:1e-4,1e-3:1e-6:1e-4` (thresholds for the coarse pass, for estimates, and for rule
//! applications) it measures forests instead: the share of gold rule applications that they keep (among rules that the
//! grammar has), their size, and CPU time.

#![allow(clippy::print_stdout, reason = "the measurements are its output")]

use std::fs::File;
use std::io::Write;
use std::time::Instant;

use corpus::format::penn::{PennReader, to_line};
use corpus::ids::Id;
use corpus::tree::Tree;
use corpus::tree::binarize::{Direction, Horizontal};
use corpus::tree::normal_form::NormalForm;
use eigentree_grammars::chart::Forest;
use eigentree_grammars::grammar::{BinaryRule, SymbolKind};
use eigentree_grammars::lexicon::Observation;
use eigentree_grammars::pcfg::{
    Decoding, Outcome, Parser, ParserConfig, Pcfg, PcfgConfig, PcfgLearner, Pruner, PrunerConfig, Pruning,
    Scratch,
};
use models::learn::{Learner, Silent};

fn read(path: &str) -> Vec<Tree> {
    let input = corpus::compression::decompress(File::open(path).expect("a file")).expect("a readable file");
    PennReader::new(input, path).collect::<Result<_, _>>().expect("well-formed trees")
}

/// CPU seconds of this thread where the system reports them (Linux), wall-clock seconds otherwise.
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
    let every = option("--every").map_or(1, |text| text.parse().expect("a number"));
    let (train, dev) = (read(&args[0]), read(&args[1]));
    let dev: Vec<Tree> = dev.into_iter().step_by(every).collect();
    println!("read {:.2} s", seconds(origin) - start);
    let start = seconds(origin);
    let config = PcfgConfig { normal_form: normal_form.clone(), ..PcfgConfig::default() };
    let learner = PcfgLearner { config };
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
    if let Some(thresholds) = option("--forest") {
        let gold: Vec<Gold> =
            dev.iter().map(|tree| Gold::of(&model, &normal_form.apply(tree.clone()))).collect();
        for pair in thresholds.split(',') {
            let numbers: Vec<f32> = pair.split(':').map(|text| text.parse().expect("a number")).collect();
            let &[coarse_threshold, estimate_threshold, edge_threshold] = &numbers[..] else {
                panic!("three thresholds with colons")
            };
            let config = PrunerConfig { coarse_threshold, estimate_threshold, edge_threshold };
            for given in [false, true] {
                measure_forests(&model, config, &dev, &gold, given, origin);
            }
        }
        return;
    }
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
            let sentence = observe(tree, given);
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

fn observe(tree: &Tree, given: bool) -> Vec<Observation<'_>> {
    let observation =
        |(word, tag)| if given { Observation::Tagged(word, tag) } else { Observation::Word(word) };
    tree.words().zip(tree.tags()).map(observation).collect()
}

/// The parts of a gold tree that the grammar knows, sorted.
struct Gold {
    /// Symbol, start, end.
    items: Vec<(u32, u32, u32)>,
    /// Rule, start, split, end.
    edges: Vec<(u32, u32, u32, u32)>,
}

impl Gold {
    fn of(model: &Pcfg, tree: &Tree) -> Self {
        let (mut items, mut edges) = (Vec::new(), Vec::new());
        let symbol = |label: &str, preterminal: bool| {
            let kind = if preterminal { SymbolKind::Preterminal } else { SymbolKind::Phrase };
            model.symbols().get(kind, label)
        };
        for node in tree.nodes().filter(|node| !node.is_word()) {
            let Some(parent) = symbol(node.label(), node.is_preterminal()) else { continue };
            let (start, end) = (node.span().start as u32, node.span().end as u32);
            items.push((parent.index() as u32, start, end));
            let mut children = node.children().filter(|child| !child.is_word());
            if let (Some(left), Some(right)) = (children.next(), children.next()) {
                let split = left.span().end as u32;
                let children = (
                    symbol(left.label(), left.is_preterminal()),
                    symbol(right.label(), right.is_preterminal()),
                );
                let (Some(left), Some(right)) = children else { continue };
                if let Some(rule) = model.rules().find(BinaryRule { parent, left, right }) {
                    edges.push((rule.index() as u32, start, split, end));
                }
            }
        }
        items.sort_unstable();
        edges.sort_unstable();
        Self { items, edges }
    }
}

fn measure_forests(
    model: &Pcfg,
    config: PrunerConfig,
    dev: &[Tree],
    gold: &[Gold],
    given: bool,
    origin: Instant,
) {
    let pruner = Pruner::new(model, config);
    let (mut scratch, mut forest) = (Scratch::default(), Forest::default());
    let (mut words, mut items, mut bundles, mut splits, mut failures, mut taken) = (0, 0, 0, 0, 0, 0.0);
    let (mut gold_items, mut gold_edges, mut kept_items, mut kept_edges) = (0, 0, 0, 0);
    for (tree, gold) in dev.iter().zip(gold) {
        let sentence = observe(tree, given);
        let start = seconds(origin);
        let log = pruner.prune(&sentence, &mut scratch, &mut forest);
        taken += seconds(origin) - start;
        words += sentence.len();
        failures += usize::from(log.is_none());
        items += forest.items().len();
        bundles += forest.bundles().len();
        splits += forest.all_splits().len();
        gold_items += gold.items.len();
        gold_edges += gold.edges.len();
        let in_gold = forest
            .items()
            .iter()
            .filter(|item| gold.items.binary_search(&(item.symbol, item.start, item.end)).is_ok());
        kept_items += in_gold.count();
        for bundle in forest.bundles() {
            let parent = forest.items()[bundle.parent as usize];
            for split in forest.splits(bundle) {
                let middle = forest.items()[split.left as usize].end;
                let edge = (bundle.rule, parent.start, middle, parent.end);
                kept_edges += usize::from(gold.edges.binary_search(&edge).is_ok());
            }
        }
    }
    let share = |part: usize, whole: usize| 100.0 * part as f64 / whole as f64;
    let per_word = |count: usize| count as f64 / words as f64;
    println!(
        "{:5} {:.0e} {:.0e} {:.0e}: gold edges {:.2} %, items {:.2} %; \
         per word: {:.1} edges, {:.1} bundles, {:.1} items; {:.3} ms, {:.0} sentences/s, {failures} without",
        if given { "tags" } else { "words" },
        config.coarse_threshold,
        config.estimate_threshold,
        config.edge_threshold,
        share(kept_edges, gold_edges),
        share(kept_items, gold_items),
        per_word(splits),
        per_word(bundles),
        per_word(items),
        1e3 * taken / dev.len() as f64,
        dev.len() as f64 / taken,
    );
}

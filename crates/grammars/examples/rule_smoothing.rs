//! Measures how well smoothed rules predict held-out trees.
//!
//! `cargo run --release -p eigentree-grammars --example rule_smoothing -- TRAIN.ptb [DEV.ptb] [--horizontal N]
//! [--vertical N] [--binarize left|right|head] [--tune]`
//!
//! Without DEV every tenth training tree is held out.

#![allow(clippy::print_stdout, reason = "the measurements are its output")]

use std::fs::File;
use std::time::Instant;

use corpus::format::penn::{Entry, PennReader};
use corpus::ids::Id;
use corpus::tree::Tree;
use corpus::tree::binarize::{Direction, Horizontal};
use corpus::tree::normal_form::NormalForm;
use corpus::tree::strip::{StripConfig, strip};
use eigentree_grammars::grammar::{
    BinaryRule, Discount, LowerOrder, RuleSmoothing, SiblingSmoothing, SmoothedRules, SymbolKind,
    SymbolTable, TreebankCounts, Weights,
};
use eigentree_grammars::lexicon::Observation;
use eigentree_grammars::pcfg::{Outcome, Parser, ParserConfig, PcfgConfig, PcfgLearner, Scratch};
use eval::brackets::{BracketConfig, BracketScorer};
use models::learn::{Learner, Silent};

fn read(path: &str) -> Vec<Tree> {
    let input = corpus::compression::decompress(File::open(path).expect("a file")).expect("a readable file");
    let trees = PennReader::new(input, path).map(|tree| tree.expect("a well-formed tree"));
    let config = StripConfig::default();
    trees.filter_map(|tree| strip(&tree, &config).map(|(tree, _)| tree)).collect()
}

/// The rules of a tree, `None` for rules with a symbol that is not in the table; and whether the root symbol is known.
fn rules(symbols: &SymbolTable, tree: &Tree) -> Vec<Option<BinaryRule>> {
    let kind = |is_preterminal| if is_preterminal { SymbolKind::Preterminal } else { SymbolKind::Phrase };
    tree.nodes()
        .filter(|node| !node.is_word() && !node.is_preterminal())
        .map(|node| {
            let mut children =
                node.children().map(|child| symbols.get(kind(child.is_preterminal()), child.label()));
            let parent = symbols.get(SymbolKind::Phrase, node.label())?;
            Some(BinaryRule { parent, left: children.next()??, right: children.next()?? })
        })
        .collect()
}

/// Probability of a rule that the table lacks.
const FLOOR: f64 = 1e-7;

#[derive(Default)]
struct Measured {
    trees: usize,
    rules: usize,
    /// Rules with a symbol not seen in training.
    foreign: usize,
    /// Rules of known symbols that the table lacks.
    lacking: usize,
    trees_lacking: usize,
    trees_foreign: usize,
    log_likelihood: f64,
}

fn measure(smoothed: &SmoothedRules, weights: &Weights, held_out: &[Vec<Option<BinaryRule>>]) -> Measured {
    let mut measured = Measured::default();
    for tree in held_out {
        let (mut lacks, mut is_foreign) = (false, false);
        for rule in tree {
            measured.rules += 1;
            match rule.map(|rule| smoothed.table.find(rule)) {
                None => {
                    measured.foreign += 1;
                    is_foreign = true;
                }
                Some(None) => {
                    measured.lacking += 1;
                    measured.log_likelihood += FLOOR.ln();
                    lacks = true;
                }
                Some(Some(id)) => {
                    measured.log_likelihood += f64::from(weights.rules[id.index()]).max(FLOOR).ln();
                }
            }
        }
        measured.trees += 1;
        measured.trees_foreign += usize::from(is_foreign);
        measured.trees_lacking += usize::from(lacks || is_foreign);
    }
    measured
}

/// CPU seconds of this thread where the system reports them (Linux), wall-clock seconds otherwise.
fn seconds(origin: Instant) -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanos =
        told.as_deref().and_then(|text| text.split(' ').next()).and_then(|text| text.parse::<f64>().ok());
    nanos.map_or_else(|| origin.elapsed().as_secs_f64(), |nanos| nanos * 1e-9)
}

fn parse(train: &[Tree], dev: &[Tree], normal_form: &NormalForm, rule_smoothing: RuleSmoothing, given: bool) {
    let origin = Instant::now();
    let config = PcfgConfig { normal_form: normal_form.clone(), rule_smoothing, ..PcfgConfig::default() };
    let start = seconds(origin);
    let model = PcfgLearner { config }.learn(train, &mut Silent).expect("a treebank").model;
    let learning = seconds(origin) - start;
    let parser = Parser::new(&model, ParserConfig::default());
    let mut scratch = Scratch::default();
    let mut scorer = BracketScorer::new(BracketConfig::collins());
    let (mut taken, mut fallbacks) = (0.0, 0);
    for tree in dev {
        let observe =
            |(word, tag)| if given { Observation::Tagged(word, tag) } else { Observation::Word(word) };
        let sentence: Vec<Observation<'_>> = tree.words().zip(tree.tags()).map(observe).collect();
        let start = seconds(origin);
        let parse = parser.parse(&sentence, &mut scratch).expect("a tree");
        taken += seconds(origin) - start;
        fallbacks += usize::from(parse.outcome == Outcome::Fallback);
        scorer.score(tree, &Entry::Tree(parse.tree)).expect("the same words");
    }
    let summary = scorer.finish().summary();
    let made = model.rule_counts().iter().filter(|&&count| count == 0.0).count();
    println!(
        "{} {}: F1 {:.2}, exact {:.2}, {fallbacks} fallbacks, {} rules of which {made} made; learnt in {learning:.2} s, \
         parsed in {taken:.1} s, {:.0} sentences/s",
        if given { "tags" } else { "words" },
        if rule_smoothing == RuleSmoothing::None { "plain" } else { "smoothed" },
        100.0 * summary.brackets.f1(),
        100.0 * summary.exact,
        model.rules().len(),
        dev.len() as f64 / taken
    );
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let option = |name: &str| args.iter().position(|arg| arg == name).map(|at| args[at + 1].clone());
    let number =
        |name: &str, default: f64| option(name).map_or(default, |text| text.parse().expect("a number"));
    let normal_form = NormalForm {
        horizontal: Horizontal::Order(number("--horizontal", 1.0) as usize),
        vertical: number("--vertical", 1.0) as usize,
        direction: match option("--binarize").as_deref() {
            Some("right") => Direction::Right,
            Some("head") => Direction::HeadOutward(corpus::tree::heads::HeadRules::english()),
            _ => Direction::Left,
        },
        ..NormalForm::default()
    };
    let mut train = read(&args[0]);
    let held_out: Vec<Tree> = match args.get(1).filter(|arg| !arg.starts_with("--")) {
        Some(path) => read(path),
        None => {
            let (held_out, rest): (Vec<_>, Vec<_>) =
                train.into_iter().enumerate().partition(|(index, _)| index % 10 == 9);
            train = rest.into_iter().map(|(_, tree)| tree).collect();
            held_out.into_iter().map(|(_, tree)| tree).collect()
        }
    };
    let mut counts = TreebankCounts::default();
    for tree in train {
        counts.add(&normal_form.apply(tree)).expect("a tree in normal form");
    }
    let symbols = counts.symbol_table();
    let (table, rule_counts, roots) = counts.rule_counts();
    let held_out: Vec<Tree> = held_out.into_iter().map(|tree| normal_form.apply(tree)).collect();
    let unknown_roots = held_out
        .iter()
        .filter(|tree| {
            let root = tree.root();
            let kind = if root.is_preterminal() { SymbolKind::Preterminal } else { SymbolKind::Phrase };
            symbols.get(kind, root.label()).is_none_or(|symbol| roots[symbol.index()] == 0.0)
        })
        .count();
    let gold: Vec<_> = held_out.iter().map(|tree| rules(&symbols, tree)).collect();
    let show = |name: &str, smoothed: &SmoothedRules, seconds: f64| {
        let weights = Weights::relative_frequencies(&smoothed.table, &smoothed.expected, &roots);
        let m = measure(smoothed, &weights, &gold);
        println!(
            "{name}: {} rules, {seconds:.2} s; of {} trees {} lack a rule ({} a symbol); of {} rules {} lack a symbol, {} are lacking; \
             log-likelihood {:.5} per rule",
            smoothed.table.len(),
            m.trees,
            m.trees_lacking,
            m.trees_foreign,
            m.rules,
            m.foreign,
            m.lacking,
            m.log_likelihood / (m.rules - m.foreign) as f64
        );
        m
    };
    println!("{} phrases, {} symbols, {unknown_roots} unknown roots", symbols.phrases(), symbols.len());
    show("plain", &SmoothedRules::unsmoothed(table.clone(), rule_counts.clone()), 0.0);
    let default = SiblingSmoothing::default();
    let config = SiblingSmoothing {
        rules: Discount {
            amount: number("--rd", default.rules.amount),
            strength: number("--rs", default.rules.strength),
        },
        steps: Discount {
            amount: number("--sd", default.steps.amount),
            strength: number("--ss", default.steps.strength),
        },
        lower: if args.iter().any(|arg| arg == "--types") { LowerOrder::Types } else { default.lower },
        least_expected: number("--least", default.least_expected),
        growth: number("--growth", default.growth),
    };
    if args.iter().any(|arg| arg == "--tune") {
        let full = SiblingSmoothing { least_expected: 1e-5, growth: 1e9, ..config };
        for lower in [LowerOrder::Counts, LowerOrder::Types] {
            for rd in [0.3, 0.5, 0.7, 0.8] {
                for rs in [0.0, 1.0, 4.0] {
                    for sd in [0.2, 0.5, 0.8] {
                        for ss in [0.5, 2.0, 8.0] {
                            let config = SiblingSmoothing {
                                rules: Discount { amount: rd, strength: rs },
                                steps: Discount { amount: sd, strength: ss },
                                lower,
                                ..full
                            };
                            let start = Instant::now();
                            let smoothed = config.smooth(&symbols, &table, &rule_counts);
                            show(
                                &format!("{lower:?} rd {rd} rs {rs} sd {sd} ss {ss}"),
                                &smoothed,
                                start.elapsed().as_secs_f64(),
                            );
                        }
                    }
                }
            }
        }
        return;
    }
    if args.iter().any(|arg| arg == "--parse") {
        let (train, dev) = (read(&args[0]), read(&args[1]));
        for given in [true, false] {
            if option("--only").is_some_and(|only| (only == "tags") != given) {
                continue;
            }
            for smoothing in [RuleSmoothing::None, RuleSmoothing::Siblings(config)] {
                if args.iter().any(|arg| arg == "--on") && smoothing == RuleSmoothing::None {
                    continue;
                }
                parse(&train, &dev, &normal_form, smoothing, given);
            }
        }
        return;
    }
    let start = Instant::now();
    let smoothed = config.smooth(&symbols, &table, &rule_counts);
    show("smoothed", &smoothed, start.elapsed().as_secs_f64());
}

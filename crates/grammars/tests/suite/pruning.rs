//! On real text pruned and exhaustive parses agree, and accuracy is that expected of a treebank grammar.

use crate::treebanks::{for_each, learn, tagged, treebank, untagged};
use corpus::format::penn::Entry;
use corpus::tree::Tree;
use corpus::tree::binarize::Horizontal;
use corpus::tree::normal_form::NormalForm;
use eigentree_grammars::lexicon::Observation;
use eigentree_grammars::pcfg::{Decoding, Outcome, Parser, ParserConfig, Pcfg, Pruning};
use eval::brackets::{BracketConfig, BracketScorer};

fn parse_all(
    model: &Pcfg,
    trees: &[&Tree],
    config: &ParserConfig,
    observe: for<'t> fn(&'t Tree) -> Vec<Observation<'t>>,
) -> Vec<(Tree, Outcome)> {
    let parser = Parser::new(model, config.clone());
    for_each(trees, |tree, scratch| {
        let parse = parser.parse(&observe(tree), scratch).unwrap();
        (parse.tree, parse.outcome)
    })
}

fn form(horizontal: usize) -> NormalForm {
    NormalForm { horizontal: Horizontal::Order(horizontal), ..NormalForm::default() }
}

fn scored(gold: &[&Tree], parses: &[(Tree, Outcome)]) -> (f64, usize) {
    let mut scorer = BracketScorer::new(BracketConfig::collins());
    for (gold, (tree, _)) in gold.iter().zip(parses) {
        scorer.score(gold, &Entry::Tree(tree.clone())).unwrap();
    }
    let fallbacks = parses.iter().filter(|(_, outcome)| *outcome == Outcome::Fallback).count();
    (100.0 * scorer.finish().summary().brackets.f1(), fallbacks)
}

/// F1 must be at most 0.3 below that of a simple exhaustive parser with the same grammar.
fn check_f1(name: &str, gold: &[&Tree], parses: &[(Tree, Outcome)], expected: f64) {
    let (f1, fallbacks) = scored(gold, parses);
    eprintln!("{name}: F1 {f1:.2} (expected {expected}), {fallbacks} fallbacks");
    assert!(f1 >= expected - 0.3, "{name}: F1 {f1:.2} is below {expected} - 0.3");
    assert!(fallbacks * 50 < gold.len(), "{name}: {fallbacks} fallbacks");
}

/// At least 99.5 % of the sentences get the same tree.
fn check_same(name: &str, pruned: &[(Tree, Outcome)], exhaustive: &[(Tree, Outcome)]) {
    let same = pruned.iter().zip(exhaustive).filter(|(a, b)| a == b).count();
    eprintln!("{name}: {same} of {} trees are the same as without pruning", pruned.len());
    assert!(same * 1000 >= pruned.len() * 995, "{name}: {same} of {}", pruned.len());
}

#[test]
fn markovised_grammar_with_given_tags() {
    let (Some(train), Some(dev)) = (treebank("gum/train.ptb"), treebank("gum/dev.ptb")) else { return };
    let model = learn(&train, form(1));
    let gold: Vec<&Tree> = dev.iter().collect();
    check_f1("h=1, tags given", &gold, &parse_all(&model, &gold, &ParserConfig::default(), tagged), 75.6);
    // The time of an exhaustive parse grows with the cube of the length: the few longest sentences would take most of
    // it.
    let short: Vec<&Tree> = dev.iter().filter(|tree| tree.word_count() <= 40).collect();
    assert!(short.len() * 10 > dev.len() * 9);
    for decoding in [ParserConfig::default().decoding, Decoding::Viterbi] {
        let pruned = ParserConfig { decoding, coarse_from: 0, ..ParserConfig::default() };
        let exhaustive = ParserConfig { pruning: Pruning::None, ..pruned.clone() };
        let parses = |config| parse_all(&model, &short, config, tagged);
        check_same(&format!("{decoding:?}"), &parses(&pruned), &parses(&exhaustive));
    }
}

#[test]
fn markovised_grammar_with_words_alone() {
    let (Some(train), Some(dev)) = (treebank("gum/train.ptb"), treebank("gum/dev.ptb")) else { return };
    let model = learn(&train, form(1));
    // Half of the sentences, since each takes several times as long as with tags.
    let gold: Vec<&Tree> = dev.iter().step_by(2).collect();
    check_f1("h=1, words", &gold, &parse_all(&model, &gold, &ParserConfig::default(), untagged), 72.7);
}

#[test]
fn plain_grammar_with_given_tags() {
    let (Some(train), Some(dev)) = (treebank("gum/train.ptb"), treebank("gum/dev.ptb")) else { return };
    let model = learn(&train, form(0));
    let gold: Vec<&Tree> = dev.iter().collect();
    check_f1("h=0, tags given", &gold, &parse_all(&model, &gold, &ParserConfig::default(), tagged), 70.8);
}

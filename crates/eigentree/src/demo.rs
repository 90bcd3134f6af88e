//! A complete run on an embedded sample: samples a treebank, trains grammars on one part, parses and scores the other.
//!
//! The grammar that the treebank was sampled from also parses, with its hidden states known: it shows how much there is
//! to learn.

use corpus::split::{SplitConfig, split_by_seed};
use corpus::synthetic::{LatentGrammar, Oracle, english, sample_treebank};
use corpus::tree::Tree;
use corpus::tree::binarize::Horizontal;
use corpus::tree::normal_form::NormalForm;
use corpus::tree::root::wrap_root;
use eval::brackets::{BracketConfig, BracketScores};
use grammars::lpcfg::{self, LpcfgConfig, LpcfgLearner, Quality};
use grammars::pcfg::{self, Outcome, Parse, PcfgConfig, PcfgLearner};
use models::learn::{Learner, Observer};
use rayon::prelude::*;

use crate::Error;
use crate::parsing::{TagUse, TreeParser, parse_trees, score_parses};

/// Size of the demonstration.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct DemoConfig {
    /// Number of trees sampled, of which a tenth is held out for scoring.
    pub trees: usize,
    /// Seed of sampling and splitting.
    pub seed: u64,
}

impl Default for DemoConfig {
    fn default() -> Self {
        Self { trees: 4000, seed: 1 }
    }
}

/// A grammar and its results.
#[derive(Clone, Debug)]
pub struct DemoResult {
    /// Its name.
    pub name: &'static str,
    /// Its Markov orders, for the options `--horizontal` and `--vertical`; `None` for the true grammar.
    pub orders: Option<(usize, usize)>,
    /// Its number of binary rules; those of the true grammar have any length and count once per choice of states.
    pub rules: usize,
    /// The maximum number of latent states of a symbol; 1 without states.
    pub states: usize,
    /// Its scores on the held-out trees, from words alone.
    pub scores: BracketScores,
    /// Its parses of the held-out trees.
    pub parses: Vec<Option<Parse>>,
}

/// The results of the demonstration.
#[derive(Clone, Debug)]
pub struct Demo {
    /// Number of training trees.
    pub train: usize,
    /// The trees held out for scoring.
    pub test: Vec<Tree>,
    /// The learnt grammars, the simplest first.
    pub results: Vec<DemoResult>,
    /// The grammar that the trees were sampled from, which learnt grammars beat only by chance.
    pub oracle: DemoResult,
}

const GRAMMARS: [(&str, usize, usize); 3] =
    [("PCFG, h=0", 0, 1), ("PCFG, h=1", 1, 1), ("Markovised PCFG, v=2 h=1", 1, 2)];

/// Name of the grammar with learnt latent states.
const LATENT: &str = "L-PCFG, h=1";

/// Name of the grammar that the data was sampled from.
const TRUTH: &str = "the true grammar";

/// Runs the demonstration.
pub fn run(config: &DemoConfig, observer: &mut dyn Observer) -> Result<Demo, Error> {
    observer.stage("sample", None);
    let trees = sample_treebank(english(), config.trees, config.seed)
        .map_err(|error| Error::Data(format!("cannot sample the treebank: {error}")))?;
    let shares = SplitConfig { dev_share: 0.0, test_share: 0.1, seed: config.seed };
    let split = split_by_seed(trees.len(), &shares)
        .map_err(|error| Error::Data(format!("cannot split {} trees: {error}", trees.len())))?;
    let part = |numbers: &[usize]| -> Vec<Tree> { numbers.iter().map(|&at| trees[at].clone()).collect() };
    let (train, test) = (part(&split.train), part(&split.test));
    let mut results = Vec::new();
    for (name, horizontal, vertical) in GRAMMARS {
        let normal_form =
            NormalForm { horizontal: Horizontal::Order(horizontal), vertical, ..NormalForm::default() };
        let learner = PcfgLearner { config: PcfgConfig { normal_form, ..PcfgConfig::default() } };
        let model = learner.learn(&train, observer)?.model;
        let parser = pcfg::Parser::new(&model, pcfg::ParserConfig::default());
        results.push(result(name, (horizontal, vertical), 1, &parser, &test, observer)?);
    }
    let learner = LpcfgLearner { config: LpcfgConfig::quality(Quality::Fast).with_seed(config.seed) };
    let model = learner.learn(&train, observer)?.model;
    let parser = lpcfg::Parser::new(&model, lpcfg::ParserConfig::default());
    results.push(result(LATENT, (1, 1), model.states(), &parser, &test, observer)?);
    let oracle = oracle_result(english(), &test, TagUse::Predicted, observer)?;
    Ok(Demo { train: train.len(), test, results, oracle })
}

/// Parses and scores the held-out sentences.
fn result(
    name: &'static str,
    orders: (usize, usize),
    states: usize,
    parser: &impl TreeParser,
    test: &[Tree],
    observer: &mut dyn Observer,
) -> Result<DemoResult, Error> {
    observer.stage("parse", Some(test.len() as u64));
    let parses = parse_trees(parser, test, TagUse::Predicted, observer)?;
    let scores = score_parses(test, &parses, &BracketConfig::collins())?;
    let orders = Some(orders);
    Ok(DemoResult { name, orders, rules: parser.grammar().rules().len(), states, scores, parses })
}

/// Parses and scores the held-out sentences by the exact posterior of the grammar that they were sampled from.
fn oracle_result(
    grammar: &LatentGrammar,
    test: &[Tree],
    tags: TagUse,
    observer: &mut dyn Observer,
) -> Result<DemoResult, Error> {
    let oracle = Oracle::new(grammar)
        .map_err(|error| Error::Data(format!("cannot parse with the sample's grammar: {error}")))?;
    observer.stage("parse", Some(test.len() as u64));
    let parse = |gold: &Tree| {
        let words: Vec<&str> = gold.words().collect();
        let parse = match tags {
            TagUse::Predicted => oracle.parse(&words),
            TagUse::Given => {
                let tags = gold.nodes().filter(|node| node.is_preterminal());
                oracle.parse_tagged(&words, &tags.map(|node| node.label()).collect::<Vec<_>>())
            }
        };
        parse.map(|parse| Parse {
            tree: wrap_root(parse.tree, gold.root().label()),
            log_probability: parse.log_probability,
            sign: 1,
            outcome: Outcome::Parsed,
        })
    };
    let mut parses: Vec<Option<Parse>> = Vec::with_capacity(test.len());
    for round in test.chunks(64) {
        parses.par_extend(round.par_iter().with_max_len(1).map(parse));
        observer.advance(round.len() as u64);
        if observer.cancelled() {
            return Err(Error::Cancelled);
        }
    }
    let scores = score_parses(test, &parses, &BracketConfig::collins())?;
    let states = grammar.labels().iter().map(|label| grammar.states_of(label).len()).max().unwrap_or(0);
    Ok(DemoResult { name: TRUTH, orders: None, rules: grammar.rule_count(), states, scores, parses })
}

impl Demo {
    /// Held-out sentences of at most `words` words that the first grammar parses wrongly and the last one correctly,
    /// the shortest first; then others that the last one parses wrongly.
    pub fn telling_sentences(&self, words: usize) -> Vec<usize> {
        let (Some(first), Some(last)) = (self.results.first(), self.results.last()) else {
            return Vec::new();
        };
        let exact = |result: &DemoResult, at: usize| result.scores.sentences[at].is_exact();
        let mut telling: Vec<usize> = (0..self.test.len())
            .filter(|&at| (5..=words).contains(&self.test[at].word_count()) && !exact(first, at))
            .collect();
        telling.sort_by_key(|&at| (!exact(last, at), self.test[at].word_count(), at));
        telling
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use models::learn::Silent;

    fn f1(result: &DemoResult) -> f64 {
        100.0 * result.scores.summary().brackets.f1()
    }

    #[test]
    fn no_learnt_grammar_beats_the_true_one() {
        let demo = run(&DemoConfig { trees: 3000, seed: 5 }, &mut Silent).unwrap();
        assert_eq!(demo.oracle.scores.summary().failures, 0);
        assert!(demo.oracle.parses.iter().all(Option::is_some));
        for learnt in &demo.results {
            assert!(f1(&demo.oracle) >= f1(learnt), "{}: {}, {}", learnt.name, f1(learnt), f1(&demo.oracle));
        }
        assert!(f1(&demo.oracle) > 98.0, "{}", f1(&demo.oracle));
        // Its knowledge of words can only help if tags are given.
        let tagged = oracle_result(english(), &demo.test, TagUse::Given, &mut Silent).unwrap();
        assert!(f1(&tagged) >= f1(&demo.oracle) - 0.1, "{} given tags", f1(&tagged));
        assert!(f1(&tagged) > 99.0, "{} given tags", f1(&tagged));
    }
}

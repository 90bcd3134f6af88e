//! Random grammars and sentences for tests, with the results of enumerating all derivations.

use std::collections::BTreeMap;

use corpus::ids::Id;
use rand::Rng;
use rand_chacha::ChaCha8Rng;

use super::{Allowed, Semiring};
use super::{Chart, ChartGrammar, Emissions, Forest};
use crate::grammar::{BinaryRule, RuleTable, SymbolId, Weights};

pub(super) const PHRASES: usize = 3;
pub(super) const TAGS: usize = 3;

/// A rule application: rule, start, split, end.
pub(super) type Edge = (u32, usize, usize, usize);

/// A random grammar and a random sentence, with the results of enumerating all derivations.
pub(super) struct Case {
    pub(super) table: RuleTable,
    pub(super) weights: Weights,
    pub(super) words: Emissions,
    pub(super) total: f64,
    pub(super) edges: BTreeMap<Edge, f64>,
}

pub(super) type Derivation = (f64, Vec<Edge>);

impl Case {
    pub(super) fn random(rng: &mut ChaCha8Rng, n: usize) -> Self {
        let id = |index| SymbolId::new(index).unwrap();
        let mut rules = Vec::new();
        for parent in 0..PHRASES {
            for left in 0..PHRASES + TAGS {
                for right in 0..PHRASES + TAGS {
                    if rng.random_bool(0.3) {
                        rules.push(BinaryRule { parent: id(parent), left: id(left), right: id(right) });
                    }
                }
            }
        }
        let table = RuleTable::new(rules, PHRASES + TAGS);
        let mut weights = |count: usize, zeros: f64| -> Vec<f32> {
            let weight = |rng: &mut ChaCha8Rng| 10.0_f32.powf(rng.random_range(-3.0..0.0));
            (0..count).map(|_| if rng.random_bool(zeros) { 0.0 } else { weight(rng) }).collect()
        };
        let weights = Weights { rules: weights(table.len(), 0.1), roots: weights(PHRASES + TAGS, 0.4) };
        let mut words = Emissions::default();
        for _ in 0..n {
            // A subset of the tags, not in order.
            let tags: Vec<usize> = (0..TAGS).rev().filter(|_| rng.random_bool(0.7)).collect();
            words.push_word(tags.into_iter().map(|tag| (tag, 10.0_f32.powf(rng.random_range(-4.0..0.0)))));
        }
        let mut case = Self { table, weights, words, total: 0.0, edges: BTreeMap::new() };
        for root in 0..PHRASES + TAGS {
            let prior = f64::from(case.weights.roots[root]);
            for (probability, edges) in case.derivations(root, 0, n) {
                case.total += prior * probability;
                for edge in edges {
                    *case.edges.entry(edge).or_insert(0.0) += prior * probability;
                }
            }
        }
        case.edges.retain(|_, sum| *sum > 0.0);
        case
    }

    /// All derivations of a symbol over a span.
    pub(super) fn derivations(&self, symbol: usize, start: usize, end: usize) -> Vec<Derivation> {
        if symbol >= PHRASES {
            let scale = |position| 2.0_f64.powi(self.words.exponent(position));
            let emitted =
                self.words.word(start).filter(|&(tag, _)| tag + PHRASES == symbol && end == start + 1);
            return emitted.map(|(_, value)| (f64::from(value) * scale(start), Vec::new())).collect();
        }
        let mut all = Vec::new();
        for (id, rule) in
            self.table.rules().iter().enumerate().filter(|(_, rule)| rule.parent.index() == symbol)
        {
            for split in start + 1..end {
                let rights = self.derivations(rule.right.index(), split, end);
                for (left, left_edges) in self.derivations(rule.left.index(), start, split) {
                    for (right, right_edges) in &rights {
                        let probability = f64::from(self.weights.rules[id]) * left * right;
                        let edge = (id as u32, start, split, end);
                        all.push((probability, [&[edge], &left_edges[..], right_edges].concat()));
                    }
                }
            }
        }
        all.retain(|(probability, _)| *probability > 0.0);
        all
    }

    /// The forest extracted from a dense chart, and the logarithm of Z.
    pub(super) fn forest(&self, threshold: f32) -> (Forest, Option<f64>) {
        let grammar = ChartGrammar::new(&self.table, &self.weights, PHRASES);
        let mut chart = Chart::default();
        let log = chart.inside(&grammar, &self.words, Allowed::All, Semiring::Sum);
        chart.outside(&grammar, &self.words, 0.0);
        // Leftovers of an earlier sentence must not matter.
        let mut forest = Forest::default();
        forest.begin(7);
        forest.push_preterminal(1, 2, 3);
        forest.push_root(0, 1.0);
        chart.forest(&grammar, &self.words, threshold, &mut forest);
        (forest, log)
    }
}

/// The rule applications of a forest with their posteriors.
pub(super) fn edges(forest: &Forest) -> BTreeMap<Edge, f32> {
    let mut all = BTreeMap::new();
    for bundle in forest.bundles() {
        let parent = forest.items()[bundle.parent as usize];
        for split in forest.splits(bundle) {
            let middle = forest.items()[split.left as usize].end as usize;
            let edge = (bundle.rule, parent.start as usize, middle, parent.end as usize);
            assert!(all.insert(edge, split.posterior).is_none(), "{edge:?} twice");
        }
    }
    all
}

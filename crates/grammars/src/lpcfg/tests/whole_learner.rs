//! The whole learner on a recursive grammar whose root symbol has several states: lexicon, rule probabilities and operators
//! together give every tree its true probability.
//!
//! `S` expands to `T U`, to `T S` or to `S U`, and at depth D to `T U` only. Hidden states h pass from an `S` to the `S`
//! below it and decide the words. All parameters are multiples of 1/4, so the population is a list in which every tree
//! occurs as often as its probability times a power of two says.

use std::collections::BTreeMap;

use corpus::tree::Tree;

use crate::lexicon::Observation;
use crate::lpcfg::config::{LpcfgConfig, Method, SmoothingConfig, SpectralConfig};
use crate::lpcfg::learner::LpcfgLearner;
use models::learn::{Learner, Silent};

/// Halves: the states of the root. Quarters: the rules by state, the state below by rule and state, the words by tag and
/// state.
const ROOT: [u64; 2] = [1, 1];
const RULES: [[u64; 2]; 3] = [[2, 1], [1, 1], [1, 2]];
const BELOW: [[[u64; 2]; 2]; 2] = [[[3, 1], [1, 3]], [[1, 3], [2, 2]]];
const WORDS: [[[u64; 2]; 2]; 2] = [[[3, 1], [1, 3]], [[1, 3], [4, 0]]];

/// A tree below an `S` with its probability for each state of that `S`, in units of [`unit`].
type Inside = (String, [u64; 2]);

/// One over the smallest probability that a tree of this depth can have: two words, and for each level above a rule, a
/// state and a word.
fn unit(depth: u32) -> u64 {
    4_u64.pow(2 + 3 * (depth - 1))
}

fn word(tag: usize, word: usize) -> String {
    format!("({} {}{word})", ["T", "U"][tag], ["t", "u"][tag])
}

/// All trees of at most this depth.
fn below(depth: u32) -> Vec<Inside> {
    let mut all = Vec::new();
    for words in 0..4 {
        let (t, u) = (words >> 1, words & 1);
        let inside = [0, 1].map(|h| {
            let rule = if depth == 1 { 1 } else { RULES[0][h] * unit(depth) / 64 };
            rule * WORDS[0][h][t] * WORDS[1][h][u]
        });
        all.push((format!("(S {} {})", word(0, t), word(1, u)), inside));
    }
    if depth == 1 {
        return all;
    }
    for (text, under) in below(depth - 1) {
        for (tag, outer) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            let inside = [0, 1].map(|h| {
                let passed: u64 = (0..2).map(|to| BELOW[tag][h][to] * under[to]).sum();
                RULES[tag + 1][h] * WORDS[tag][h][outer] * passed
            });
            let leaf = word(tag, outer);
            all.push((
                if tag == 0 { format!("(S {leaf} {text})") } else { format!("(S {text} {leaf})") },
                inside,
            ));
        }
    }
    all
}

/// All trees with their counts.
fn population(depth: u32) -> Vec<(Tree, u64)> {
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    for (text, inside) in below(depth) {
        *counts.entry(text).or_default() += ROOT[0] * inside[0] + ROOT[1] * inside[1];
    }
    assert_eq!(counts.values().sum::<u64>(), 2 * unit(depth), "all trees are listed");
    let some = counts.into_iter().filter(|(_, count)| *count > 0);
    some.map(|(text, count)| (text.parse().unwrap(), count)).collect()
}

/// The largest relative error of a tree's probability, and the number of states.
fn learn(population: &[(Tree, u64)], states: usize) -> (f64, usize) {
    let total: u64 = population.iter().map(|(_, count)| count).sum();
    let copies = population.iter().flat_map(|(tree, count)| std::iter::repeat_n(tree, *count as usize));
    let trees: Vec<Tree> = copies.cloned().collect();
    let spectral =
        SpectralConfig { min_singular_ratio: 1e-4, tolerance: 1e-7, ..SpectralConfig::paper(states) };
    let config =
        LpcfgConfig { smoothing: SmoothingConfig::none(), ..LpcfgConfig::paper(Method::Spectral(spectral)) };
    let model = LpcfgLearner { config }.learn(&trees, &mut Silent).unwrap().model;
    let error = |(tree, count): &(Tree, u64)| {
        let words: Vec<Observation<'_>> = tree.words().map(Observation::Word).collect();
        let found = model.tree_probabilities(tree, &words)[0].value();
        (found * total as f64 / *count as f64 - 1.0).abs()
    };
    (population.iter().map(error).fold(0.0, f64::max), model.states())
}

#[test]
fn every_tree_of_a_recursive_grammar_has_its_true_probability() {
    for depth in [2, 3] {
        let (worst, states) = learn(&population(depth), 8);
        eprintln!("depth {depth}: {states} states, {worst:e}");
        // The root as one mixture, and two states of an S at each depth below it.
        assert_eq!(states, 2 * depth as usize - 1);
        // Parameters are in single precision.
        assert!(worst < 1e-3, "depth {depth}: {worst:e}");
    }
}

#[test]
fn a_recursive_grammar_needs_all_its_states() {
    for states in [1, 2] {
        let (worst, found) = learn(&population(2), states);
        eprintln!("{states}: {worst:e}");
        assert_eq!(found, states);
        assert!(worst > 0.1, "{states} states: {worst:e}");
    }
}

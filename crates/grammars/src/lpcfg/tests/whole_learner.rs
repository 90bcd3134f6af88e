//! The whole learner on a recursive grammar whose root symbol has several states: lexicon, rule probabilities and operators
//! together give every tree its true probability.
//!
//! `S` expands to `T U`, or one level deeper to `T S` or `S U`; below the root it expands to `T U` only. Hidden states h
//! pass from an `S` to the `S` below it and decide the words. All parameters are multiples of 1/4, so the population is a
//! list in which every tree occurs as often as its probability times 2¹¹ says.

use corpus::tree::Tree;

use crate::lexicon::Observation;
use crate::lpcfg::config::{LpcfgConfig, Method, SmoothingConfig, SpectralConfig};
use crate::lpcfg::learner::LpcfgLearner;
use models::learn::{Learner, Silent};

/// Quarters: the states of the root, its rules by state, the state below by rule and state, the words by tag and state.
const ROOT: [u64; 2] = [1, 1];
const RULES: [[u64; 2]; 3] = [[2, 1], [1, 1], [1, 2]];
const BELOW: [[[u64; 2]; 2]; 2] = [[[3, 1], [1, 3]], [[1, 3], [2, 2]]];
const WORDS: [[[u64; 2]; 2]; 2] = [[[3, 1], [1, 3]], [[1, 3], [4, 0]]];

/// All trees with their counts.
fn population() -> Vec<(String, u64)> {
    let tag = |tag: usize, word: usize| format!("({} {}{word})", ["T", "U"][tag], ["t", "u"][tag]);
    let mut counts: std::collections::BTreeMap<String, u64> = std::collections::BTreeMap::new();
    for h in 0..2 {
        for (rule, &by_state) in RULES.iter().enumerate() {
            for words in 0..8_usize {
                let word = |at: usize| words >> at & 1;
                let weight = ROOT[h] * by_state[h];
                let q = |tag: usize, h: usize, at: usize| WORDS[tag][h][word(at)];
                match rule {
                    0 => {
                        // A word that the rule does not have is summed out: it occurs with both values.
                        let count = weight * q(0, h, 0) * q(1, h, 1) * 16 / 2;
                        let text = format!("(S {} {})", tag(0, word(0)), tag(1, word(1)));
                        *counts.entry(text).or_default() += count;
                    }
                    _ => {
                        for (below, passed) in BELOW[rule - 1][h].into_iter().enumerate() {
                            let inner = q(0, below, 1) * q(1, below, 2);
                            let pair = format!("(S {} {})", tag(0, word(1)), tag(1, word(2)));
                            let (outer, text) = match rule {
                                1 => (q(0, h, 0), format!("(S {} {pair})", tag(0, word(0)))),
                                _ => (q(1, h, 0), format!("(S {pair} {})", tag(1, word(0)))),
                            };
                            let count = weight * passed * inner * outer;
                            *counts.entry(text).or_default() += count;
                        }
                    }
                }
            }
        }
    }
    counts.into_iter().filter(|(_, count)| *count > 0).collect()
}

#[test]
fn every_tree_of_a_recursive_grammar_has_its_true_probability() {
    let population = population();
    let total: u64 = population.iter().map(|(_, count)| count).sum();
    assert_eq!(total, 2 * 4 * 4 * 4 * 4 * 4);
    let parsed: Vec<(Tree, u64)> =
        population.iter().map(|(text, count)| (text.parse().unwrap(), *count)).collect();
    let trees: Vec<Tree> =
        parsed.iter().flat_map(|(tree, count)| std::iter::repeat_n(tree.clone(), *count as usize)).collect();
    let spectral = SpectralConfig { min_singular_ratio: 1e-4, tolerance: 1e-7, ..SpectralConfig::paper(8) };
    let config =
        LpcfgConfig { smoothing: SmoothingConfig::none(), ..LpcfgConfig::paper(Method::Spectral(spectral)) };
    let model = LpcfgLearner { config }.learn(&trees, &mut Silent).unwrap().model;
    // The root as one mixture, and the two states of an S below it.
    assert_eq!(model.states(), 3);
    let mut worst = 0.0_f64;
    for (tree, count) in &parsed {
        let words: Vec<Observation<'_>> = tree.words().map(Observation::Word).collect();
        let found = model.tree_probabilities(tree, &words)[0].value();
        worst = worst.max((found * total as f64 / *count as f64 - 1.0).abs());
    }
    // Parameters are in single precision.
    assert!(worst < 1e-3, "{worst:e}");
}

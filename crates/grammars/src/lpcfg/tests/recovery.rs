//! From the population of a latent grammar the learner must recover the probability of every tree and the marginals of
//! every sentence.
//!
//! The treebank is the set of all trees with their exact probabilities, so no sampling noise can hide a wrong formula.

use std::collections::BTreeMap;

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use spectral::moments::Scaling;

use super::learnt::{Learnt, exact_config, label, narrow};
use super::truth::{Population, Truth};
use crate::chart::Forest;
use crate::lexicon::Observation;
use crate::lpcfg::features::FeatureSet;
use crate::lpcfg::inference::LatentChart;
use crate::pcfg::{Pruner, PrunerConfig, Scratch};

/// Prunes nothing.
pub(super) const EVERYTHING: PrunerConfig = PrunerConfig {
    coarse_threshold: 0.0,
    estimate_threshold: 0.0,
    boundary_threshold: 0.0,
    edge_threshold: 0.0,
};

/// The largest error of a tree's probability: absolute, and relative to the probability.
fn errors(population: &Population, learnt: &Learnt) -> (f64, f64) {
    let pairs = population.trees.iter().zip(&population.probabilities);
    pairs.fold((0.0, 0.0), |(absolute, relative), (tree, &truth)| {
        let error = (learnt.probability(&learnt.parameters, tree) - truth).abs();
        (f64::max(absolute, error), f64::max(relative, error / truth))
    })
}

#[test]
fn every_tree_has_its_true_probability() {
    for (seed, states) in [(1, [1, 1, 2, 2, 2, 2]), (2, [2, 2, 2, 2, 2, 2]), (3, [1, 2, 3, 2, 3, 2])] {
        let truth = Truth::random(&mut ChaCha8Rng::seed_from_u64(seed), states);
        let population = truth.population();
        for features in [FeatureSet::Paper, FeatureSet::Rich] {
            for scaling in [Scaling::None, Scaling::DiagonalCca { pseudo_count: 0.0 }] {
                // More states than the truth has: the rest has no singular values.
                let config = exact_config(8, features, scaling);
                let learnt = Learnt::new(&population.trees, &population.probabilities, &config);
                let found = ["S", "R", "A", "B", "T", "U"].map(|label| learnt.states(label));
                // A root has only one outside, and so shows one state.
                let mut expected = states;
                expected[..2].fill(1);
                assert_eq!(found, expected, "{features:?}, {scaling:?}");
                let (absolute, relative) = errors(&population, &learnt);
                eprintln!(
                    "{} trees, states {states:?}, {features:?}, {scaling:?}: absolute {absolute:e}, relative {relative:e}",
                    population.trees.len()
                );
                assert!(absolute < 1e-12 && relative < 1e-8, "{features:?}, {scaling:?}");
            }
        }
    }
}

#[test]
fn fewer_states_than_the_truth_has_are_not_enough() {
    let truth = Truth::random(&mut ChaCha8Rng::seed_from_u64(3), [1, 1, 3, 2, 3, 2]);
    let population = truth.population();
    for states in [1, 2] {
        let config = exact_config(states, FeatureSet::Rich, Scaling::DiagonalCca { pseudo_count: 0.0 });
        let learnt = Learnt::new(&population.trees, &population.probabilities, &config);
        let (_, relative) = errors(&population, &learnt);
        assert!(relative > 1e-2, "{states} states: {relative:e}");
    }
}

#[test]
fn every_sentence_has_its_true_marginals() {
    let truth = Truth::random(&mut ChaCha8Rng::seed_from_u64(4), [1, 1, 2, 2, 2, 2]);
    let population = truth.population();
    let config = exact_config(8, FeatureSet::Rich, Scaling::DiagonalCca { pseudo_count: 0.0 });
    let learnt = Learnt::new(&population.trees, &population.probabilities, &config);
    let single = narrow(&learnt.parameters);
    let mut sentences: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (number, tree) in population.trees.iter().enumerate() {
        let words: Vec<&str> = tree.words().collect();
        sentences.entry(words.join(" ")).or_default().push(number);
    }
    let pruner = Pruner::new(&learnt.grammar, EVERYTHING);
    let (mut scratch, mut forest, mut chart) =
        (Scratch::default(), Forest::default(), LatentChart::default());
    let phrases = learnt.grammar.symbols().phrases();
    let (mut checked, mut ambiguous, mut worst) = (0, 0, [0.0_f64; 2]);
    for (sentence, trees) in &sentences {
        let words: Vec<&str> = sentence.split(' ').collect();
        let mut total = [0.0; 2];
        // Marginals of labels over spans: the truth, and by the probabilities of trees under the learnt parameters.
        let mut marginals: BTreeMap<(&str, usize, usize), [f64; 2]> = BTreeMap::new();
        for &tree in trees {
            let found = learnt.probability(&learnt.parameters, &population.trees[tree]);
            let both = [population.probabilities[tree], found];
            for node in population.trees[tree].nodes().filter(|node| !node.is_word()) {
                let sums = marginals.entry((node.label(), node.span().start, node.span().end)).or_default();
                (0..2).for_each(|at| sums[at] += both[at]);
            }
            (0..2).for_each(|at| total[at] += both[at]);
        }
        ambiguous += usize::from(trees.len() > 1);
        for sums in marginals.values() {
            worst[0] = worst[0].max((sums[0] / total[0] - sums[1] / total[1]).abs());
        }
        let observed: Vec<Observation<'_>> = words.iter().map(|&word| Observation::Word(word)).collect();
        pruner.prune(&observed, &mut scratch, &mut forest).unwrap();
        let ran = chart.run(&single, &forest, |at, vector| {
            let item = forest.items()[at];
            let tag = item.symbol as usize - phrases;
            let emission = learnt.emission(&learnt.parameters, tag, words[item.start as usize]);
            vector.iter_mut().zip(emission).for_each(|(out, value)| *out = value as f32);
            0
        });
        assert!(ran, "{sentence}");
        assert!((chart.signed_partition().value() / total[0] - 1.0).abs() < 1e-4, "{sentence}");
        assert_eq!(
            forest.items().len(),
            marginals.len(),
            "{sentence}: the forest holds all trees and no more"
        );
        for (item, &posterior) in forest.items().iter().zip(&chart.items) {
            let key = (label(&learnt.grammar, item.symbol), item.start as usize, item.end as usize);
            worst[1] = worst[1].max((f64::from(posterior) - marginals[&key][0] / total[0]).abs());
        }
        checked += 1;
    }
    eprintln!("{checked} sentences, {ambiguous} with several trees: {worst:?}");
    assert!(ambiguous > 50);
    assert!(worst[0] < 1e-8, "by enumeration: {worst:?}");
    assert!(worst[1] < 1e-4, "by the chart in single precision: {worst:?}");
}

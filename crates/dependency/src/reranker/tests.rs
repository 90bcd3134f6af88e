//! Lists with a hidden rule that the features can detect.

use corpus::dependency::{DependencyTree, Head, RootRule};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::*;
use crate::arcs::enumerate::{Crossing, all_trees};
use crate::deptree::{EmConfig, EmLearner, TreeWords};
use models::learn::{Learner, Silent};
use models::persist::ModelFile;

/// Sentences of four words whose tree depends on their tags: words hang from the word with the largest tag. The
/// parser's score is noise.
fn lists(count: usize, seed: u64) -> Vec<GoldList> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let trees = all_trees(4, RootRule::Single, Crossing::Forbidden);
    (0..count)
        .map(|_| {
            let mut tags = [0, 1, 2, 3];
            for at in (1..4).rev() {
                tags.swap(at, rng.random_range(0..=at));
            }
            let top = tags.iter().position(|&tag| tag == 3).unwrap();
            let gold: Vec<Head> =
                (0..4).map(|word| if word == top { Head::ROOT } else { Head::word(top).unwrap() }).collect();
            let words = tags.iter().map(|tag| (format!("w{tag}"), format!("t{tag}"))).collect();
            let candidates = trees
                .iter()
                .map(|heads| Candidate {
                    tree: DependencyTree::new(heads.clone(), RootRule::Single).unwrap(),
                    score: rng.random_range(-1.0..1.0),
                })
                .collect();
            GoldList { list: NBest::new(words, candidates).unwrap(), gold, part: 0 }
        })
        .collect()
}

fn accuracy(model: &Reranker, lists: &[GoldList]) -> f64 {
    let mut scratch = Scratch::default();
    let right: usize = lists
        .iter()
        .map(|gold| gold.correct(&gold.list.candidates()[model.choose(&gold.list, &mut scratch)]))
        .sum();
    right as f64 / (4 * lists.len()) as f64
}

fn latent(lists: &[GoldList]) -> crate::deptree::Deptree {
    let trees: Vec<TreeWords> = lists
        .iter()
        .map(|gold| {
            let tree = DependencyTree::new(gold.gold.clone(), RootRule::Single).unwrap();
            TreeWords::new(gold.list.words().to_vec(), tree).unwrap()
        })
        .collect();
    let config = EmConfig { states: 4, steps: 20, min_count: 1000, ..EmConfig::default() };
    EmLearner { config }.learn(&trees, &mut Silent).unwrap().model
}

#[test]
fn each_set_of_features_finds_the_secret() {
    let (train, test) = (lists(400, 1), lists(200, 2));
    for features in [FeatureSet::Tags, FeatureSet::Latent, FeatureSet::Both] {
        let config = RerankConfig { features, trust: 0.1, ..RerankConfig::default() };
        let deptree = features.has_latent().then(|| latent(&train));
        let model = RerankLearner { config, deptree, ..RerankLearner::default() }
            .learn(&train, &mut Silent)
            .unwrap()
            .model;
        let found = accuracy(&model, &test);
        assert!(found > 0.9, "{features:?}: {found}");
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let refused = RerankLearner::default().learn(&lists(2, 1), &mut Silent).unwrap_err();
    assert!(refused.to_string().contains("need a latent tree model"), "{refused}");
    assert!(NBest::new(Vec::new(), Vec::new()).is_none());
}

#[test]
fn the_oracle_has_most_words_right() {
    for gold in lists(20, 3) {
        let best = gold.correct(&gold.list.candidates()[gold.oracle()]);
        assert_eq!(best, 4);
    }
}

#[test]
fn a_model_survives_its_file() {
    let train = lists(60, 4);
    let learner = RerankLearner { deptree: Some(latent(&train)), ..RerankLearner::default() };
    let model = learner.learn(&train, &mut Silent).unwrap().model;
    let bytes = model.to_bytes().unwrap();
    let loaded = Reranker::from_bytes(bytes).unwrap();
    let mut scratch = Scratch::default();
    for gold in &train {
        assert_eq!(loaded.scores(&gold.list, &mut scratch), model.scores(&gold.list, &mut scratch));
    }
}

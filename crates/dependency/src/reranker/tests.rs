//! Lists with a hidden rule that the features can detect.

use corpus::dependency::{DependencyTree, Head, RootRule};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::*;
use crate::arcs::enumerate::{Crossing, all_trees};
use crate::deptree::known::Known;
use crate::deptree::{
    Children, Deptree, DeptreeConfig, EmConfig, EmLearner, Observe, SpectralLearner, TreeWords,
};
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

fn latent(lists: &[GoldList]) -> Deptree {
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

/// Lists of twenty trees of sentences drawn from a known model; the parser's score is noise.
fn drawn_lists(known: &Known, count: usize, rng: &mut ChaCha8Rng) -> Vec<GoldList> {
    let draw = |_| {
        let drawn = known.draw(4..=6, rng);
        let trees = all_trees(drawn.tree().len(), RootRule::Single, Crossing::Forbidden);
        let gold = drawn.tree().heads().to_vec();
        let mut heads: Vec<Vec<Head>> =
            (0..19).map(|_| trees[rng.random_range(0..trees.len())].clone()).collect();
        heads.push(gold.clone());
        let candidate = |heads| Candidate {
            tree: DependencyTree::new(heads, RootRule::Single).unwrap(),
            score: rng.random_range(-1.0..1.0),
        };
        let mut candidates: Vec<Candidate> = heads.into_iter().map(candidate).collect();
        candidates.sort_by(|a, b| b.score.total_cmp(&a.score));
        let words = drawn.words().map(|(form, tag)| (form.to_owned(), tag.to_owned())).collect();
        GoldList { list: NBest::new(words, candidates).unwrap(), gold, part: 0 }
    };
    (0..count).map(draw).collect()
}

/// The share of words with the right head.
fn right(lists: &[GoldList], mut choose: impl FnMut(&GoldList) -> usize) -> f64 {
    let words: usize = lists.iter().map(|gold| gold.gold.len()).sum();
    let right: usize = lists.iter().map(|gold| gold.correct(&gold.list.candidates()[choose(gold)])).sum();
    right as f64 / words as f64
}

#[test]
fn a_known_model_is_learnt_well_enough_to_choose_as_it_would() {
    let known = Known::new(3, 12, 1);
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let trees: Vec<TreeWords> = (0..6000).map(|_| known.draw(1..=50, &mut rng)).collect();
    let (lists, tests) = (drawn_lists(&known, 500, &mut rng), drawn_lists(&known, 500, &mut rng));
    let rerank = |deptree: Deptree| {
        let config = RerankConfig { features: FeatureSet::Latent, ..RerankConfig::default() };
        let learner = RerankLearner { config, deptree: Some(deptree), parts: Vec::new() };
        let model = learner.learn(&lists, &mut Silent).unwrap().model;
        let mut scratch = Scratch::default();
        right(&tests, |gold| model.choose(&gold.list, &mut scratch))
    };
    let chance = right(&tests, |_| 0);
    let truth = rerank(known.model());
    let em = EmConfig { observe: Observe::Tags, states: 3, steps: 40, ..EmConfig::from_spectral() };
    let counted = rerank(EmLearner { config: em.clone() }.learn(&trees, &mut Silent).unwrap().model);
    let given = EmConfig { children: Children::Given, ..em };
    let given = rerank(EmLearner { config: given }.learn(&trees, &mut Silent).unwrap().model);
    let config = DeptreeConfig { observe: Observe::Tags, dimension: 3, ..DeptreeConfig::default() };
    let spectral =
        rerank(SpectralLearner { config, vectors: None }.learn(&trees, &mut Silent).unwrap().model);
    eprintln!("chance {chance}, truth {truth}, counted {counted}, given {given}, spectral {spectral}");
    assert!(truth > chance + 0.3 && truth < 0.95, "chance {chance}, truth {truth}");
    // What was learnt from 6,000 trees chooses nearly as well as what the trees were drawn from.
    assert!(counted > truth - 0.02, "truth {truth}, counted {counted}");
    // Without numbers of children something is lost; the rest is still far from chance.
    assert!(given < counted && given > chance + 0.15, "chance {chance}, given {given}, counted {counted}");
    assert!(spectral > chance + 0.15, "chance {chance}, spectral {spectral}");
}

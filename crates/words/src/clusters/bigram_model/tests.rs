//! The language model sums to one, follows its formula, survives a round trip through a file, and its samples follow
//! it.

use corpus::cooccurrence::{Boundaries, CountConfig, CountedText, TextCounter, VocabLimit};
use corpus::ids::{Id, WordId};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use super::*;
use crate::clusters::{ClusterConfig, ClusterId, Method, learn};
use models::learn::Silent;
use models::persist::ModelFile;

const TEXT: &str =
    "the dog sees the cat\nthe cat sleeps\na dog sleeps\nthe bird sees a dog\nhere sleeps the cat\n";

fn counted(boundaries: Boundaries, vocab: Option<VocabLimit>) -> CountedText {
    let config = CountConfig { boundaries, vocab, ..CountConfig::default() };
    let mut counter = TextCounter::new(config).unwrap();
    counter.read(TEXT.as_bytes(), "-").unwrap();
    counter.finish().unwrap()
}

fn model(boundaries: Boundaries, vocab: Option<VocabLimit>) -> BrownModel {
    let counted = counted(boundaries, vocab);
    let config = ClusterConfig { method: Method::Brown, clusters: 3, ..ClusterConfig::default() };
    let hierarchy = learn(&counted.counts.pairs, None, &config, &mut Silent).unwrap().model;
    BrownModel::new(counted, hierarchy).unwrap()
}

fn models() -> Vec<BrownModel> {
    let limit = || Some(VocabLimit::most_frequent(4));
    vec![
        model(Boundaries::Lines, None),
        model(Boundaries::Lines, limit()),
        model(Boundaries::None, None),
        model(Boundaries::None, limit()),
    ]
}

#[test]
fn what_may_follow_a_word_sums_to_one() {
    for model in models() {
        let clusters = (0..3).map(|index| State::Cluster(ClusterId::new(index).unwrap()));
        for before in clusters.chain([State::Border, State::Unseen]) {
            let words = (0..model.word_counts().len()).map(|index| WordId::new(index).unwrap());
            let known: f64 = words.map(|word| model.log_probability(before, Some(word)).exp()).sum();
            let others: f64 = match model.unknown() {
                Some(_) => 0.0,
                None => model.log_probability(before, None).exp(),
            };
            let sum = known + others + model.transition(before, State::Border);
            assert!((sum - 1.0).abs() < 1e-12, "{before:?}: {sum}");
        }
    }
}

#[test]
fn borders_are_counted_where_lines_end() {
    let lines = model(Boundaries::Lines, None);
    let border = lines.hierarchy().clusters();
    let starts: u64 = lines.transitions().row(border).map(|(_, count)| count).sum();
    let ends: u64 = (0..border).map(|cluster| lines.transitions().get(cluster, border)).sum();
    assert_eq!((starts, ends), (5, 5));
    let one = model(Boundaries::None, None);
    assert_eq!(one.transitions().row(border).map(|(_, count)| count).sum::<u64>(), 1);
    assert_eq!(one.transition(State::Border, State::Border), 0.0);
}

#[test]
fn smoothing_is_as_the_formula_says() {
    let model = model(Boundaries::Lines, None);
    let the = model.state_of(model.word("the"));
    let State::Cluster(cluster) = the else { panic!("{the:?}") };
    let row: Vec<(u32, u64)> = model.transitions().row(cluster.index()).collect();
    let (n, kinds) = (row.iter().map(|&(_, count)| count).sum::<u64>() as f64, row.len() as f64);
    let total = (model.cluster_counts().iter().sum::<u64>() + 5 + model.unseen) as f64;
    for next in 0..3 {
        let state = State::Cluster(ClusterId::new(next).unwrap());
        let count = model.transitions().get(cluster.index(), next) as f64;
        let expected = (count + kinds * model.cluster_counts()[next] as f64 / total) / (n + kinds);
        assert!((model.transition(the, state) - expected).abs() < 1e-15);
    }
}

#[test]
fn what_is_saved_is_loaded_and_damage_is_refused() {
    for model in models() {
        let bytes = model.to_bytes().unwrap();
        assert_eq!(BrownModel::from_bytes(bytes).unwrap(), model);
        let mut bad = model.clone();
        bad.words[0] = 0;
        let bytes = bad.to_bytes().unwrap();
        assert!(BrownModel::from_bytes(bytes).unwrap_err().is_invalid());
    }
}

#[test]
fn samples_follow_the_probabilities() {
    let model = model(Boundaries::Lines, Some(VocabLimit::most_frequent(4)));
    let sampler = Sampler::new(&model);
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let draws = 40_000;
    let mut first = std::collections::BTreeMap::<&str, usize>::new();
    let mut bits = (0.0, 0usize);
    for _ in 0..draws {
        let words = sampler.sequence(1000, &mut rng);
        *first.entry(words[0]).or_default() += 1;
        bits = (bits.0 - model.score(words.iter().copied()), bits.1 + words.len() + 1);
    }
    // Lines without words are drawn again.
    let some = 1.0 - model.transition(State::Border, State::Border);
    for (id, word) in model.vocab().iter() {
        let expected = model.log_probability(State::Border, Some(id)).exp() / some;
        let found = first.get(word).copied().unwrap_or(0) as f64 / f64::from(draws);
        assert!((found - expected).abs() < 0.01, "{word}: {found} for {expected}");
    }
    // Text of the model itself cannot be coded in fewer nats per symbol than its entropy, which is below that of a
    // uniform choice.
    assert!(bits.0 / (bits.1 as f64) < (model.vocab().len() as f64 + 1.0).ln());
}

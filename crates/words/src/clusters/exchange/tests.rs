//! Properties of exchange.

use corpus::cooccurrence::PairCounts;
use corpus::ids::Id;

use super::exchange;
use super::passes::Exchange;
use crate::clusters::kernel::Kernel;
use crate::clusters::truth::{brown_model, random_counts, same_partition};
use crate::clusters::{ClusterBigrams, ClusterId, ExchangeConfig};
use models::learn::{Observer, Progress, Silent};

fn dealt(words: usize, clusters: usize) -> Vec<ClusterId> {
    (0..words).map(|word| ClusterId::new(word % clusters).unwrap()).collect()
}

fn learn(counts: &PairCounts, clusters: usize, regroupings: usize) -> Vec<ClusterId> {
    let config = ExchangeConfig { least_gain: 0.0, regroupings, ..ExchangeConfig::default() };
    exchange(counts, clusters, None, &config, &mut Progress::new(&mut Silent)).unwrap()
}

#[test]
fn information_never_falls_and_its_bookkeeping_is_exact() {
    for (words, clusters, seed) in [(300, 13, 1), (1000, 40, 2)] {
        let counts = random_counts(words, 0.15, seed);
        let start = dealt(words, clusters);
        let mut state = Exchange::new(&counts, clusters, &start, Kernel::detect());
        let mut information = ClusterBigrams::new(&counts, &start, clusters).mutual_information();
        let mut moves = 0;
        for _ in 0..8 {
            let pass = state.pass(&mut Progress::new(&mut Silent)).unwrap();
            assert!(pass.gain >= 0.0);
            moves += pass.moves;
            information += pass.gain;
            let recomputed = ClusterBigrams::new(&counts, &state.assignment(), clusters);
            assert_eq!(state.bigrams(), recomputed);
            let difference = information - recomputed.mutual_information();
            assert!(difference.abs() < 1e-9, "{difference} after {moves} moves");
        }
        assert!(moves > words / 2, "only {moves} moves");
    }
}

#[test]
fn each_move_goes_to_the_best_cluster() {
    let counts = random_counts(60, 0.3, 5);
    let start = dealt(60, 7);
    let mut state = Exchange::new(&counts, 7, &start, Kernel::detect());
    let information =
        |assignment: &[ClusterId]| ClusterBigrams::new(&counts, assignment, 7).mutual_information();
    for word in 0..60 {
        let before = state.assignment();
        let found = state.best(word);
        let mut tried = before.clone();
        let mut best = f64::NEG_INFINITY;
        for cluster in 0..7 {
            tried[word] = ClusterId::new(cluster).unwrap();
            best = best.max(information(&tried));
        }
        tried[word] = ClusterId::new(found).unwrap();
        assert!(information(&tried) > best - 1e-7, "word {word}");
        state.consider(word, found);
    }
}

#[cfg(target_arch = "x86_64")]
#[test]
fn all_processors_find_the_same_clusters() {
    if Kernel::detect() == Kernel::Portable {
        eprintln!("SKIPPED: this processor has no AVX2");
        return;
    }
    let counts = random_counts(700, 0.1, 3);
    let [portable, vectors] = [Kernel::Portable, Kernel::Avx2].map(|kernel| {
        let mut state = Exchange::new(&counts, 29, &dealt(700, 29), kernel);
        for _ in 0..5 {
            state.pass(&mut Progress::new(&mut Silent)).unwrap();
        }
        state.assignment()
    });
    assert_eq!(portable, vectors);
}

#[test]
fn threads_do_not_matter() {
    let counts = random_counts(3000, 0.02, 4);
    let [one, two] = [1, 2].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| learn(&counts, 50, 1))
    });
    assert_eq!(one, two);
}

#[test]
fn clear_clusters_are_found() {
    for seed in 0..5 {
        let (counts, truth) = brown_model(90, 6, seed);
        let found = learn(&counts, 6, 8);
        let truth: Vec<ClusterId> =
            truth.into_iter().map(|cluster| ClusterId::new(cluster).unwrap()).collect();
        let [found_information, true_information] = [&found, &truth]
            .map(|assignment| ClusterBigrams::new(&counts, assignment, 6).mutual_information());
        let figures = format!("seed {seed}: {found_information} for {true_information}");
        assert!(same_partition(&found, &truth), "{figures}");
    }
}

#[test]
fn as_many_clusters_as_words_are_one_each() {
    let counts = random_counts(20, 0.5, 6);
    for clusters in [20, 21, 1000] {
        assert!(same_partition(&learn(&counts, clusters, 2), &(0..20).collect::<Vec<_>>()));
    }
    assert!(same_partition(&learn(&counts, 1, 2), &[0; 20]));
}

#[test]
fn what_does_not_fit_is_refused() {
    let counts = random_counts(20, 0.5, 6);
    let config = ExchangeConfig::default();
    let run = |counts: &PairCounts, clusters, initial: Option<&[ClusterId]>| {
        exchange(counts, clusters, initial, &config, &mut Progress::new(&mut Silent))
    };
    assert!(run(&counts, 0, None).unwrap_err().is_bad_config());
    assert!(run(&counts, 4, Some(&dealt(19, 4))).unwrap_err().is_bad_config());
    assert!(run(&counts, 4, Some(&dealt(20, 5))).unwrap_err().is_bad_config());
    assert!(run(&PairCounts::empty(0), 4, None).unwrap_err().is_bad_data());
    assert!(run(&PairCounts::empty(9), 4, None).is_ok());
}

#[test]
fn it_stops_when_told() {
    struct Impatient;
    impl Observer for Impatient {
        fn cancelled(&self) -> bool {
            true
        }
    }
    let counts = random_counts(20, 0.5, 6);
    let config = ExchangeConfig::default();
    let stopped = exchange(&counts, 4, None, &config, &mut Progress::new(&mut Impatient));
    assert!(stopped.unwrap_err().is_cancelled());
}

//! Word clusters of real text.

#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a failed unwrap is a failed test; a skipped one says so"
)]

use std::fs::File;
use std::path::{Path, PathBuf};

use corpus::cooccurrence::{Boundaries, CountConfig, PairCounts, TextCounter, VocabLimit};
use corpus::ids::Id;
use eigentree_models::clusters::{ClusterBigrams, ClusterConfig, Hierarchy, Method, learn};
use eigentree_models::learn::Silent;

/// The bigrams of the small English text over its 10,000 most frequent words.
fn counts() -> Option<PairCounts> {
    let root = std::env::var_os("EIGENTREE_DATA").map(PathBuf::from);
    let root = root.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"));
    let path = root.join("text/en_small.txt");
    if !path.is_file() {
        eprintln!("SKIPPED: no {} (set EIGENTREE_DATA to run this test)", path.display());
        return None;
    }
    let vocab = Some(VocabLimit::most_frequent(10_000));
    let config = CountConfig { boundaries: Boundaries::None, vocab, ..CountConfig::default() };
    let mut counter = TextCounter::new(config).unwrap();
    counter.read(File::open(&path).unwrap(), "en_small.txt").unwrap();
    Some(counter.finish().unwrap().counts.pairs.swap_remove(0))
}

fn clusters(counts: &PairCounts, method: Method, clusters: usize) -> (Hierarchy, f64) {
    let config = ClusterConfig { method, clusters, ..ClusterConfig::default() };
    let learned = learn(std::slice::from_ref(counts), None, &config, &mut Silent).unwrap();
    let information = learned.report.figure("mutual information").unwrap();
    (learned.model, information)
}

/// The mutual information after the hierarchy's merges to `clusters`.
fn information_of_cut(counts: &PairCounts, hierarchy: &Hierarchy, clusters: usize) -> f64 {
    let cut = hierarchy.cut(clusters);
    let assignment: Vec<_> = hierarchy.assignment().iter().map(|cluster| cut[cluster.index()]).collect();
    ClusterBigrams::new(counts, &assignment, clusters).mutual_information()
}

#[test]
fn brown_is_the_classic_algorithm_and_exchange_finds_more() {
    let Some(counts) = counts() else { return };
    let (brown, brown_information) = clusters(&counts, Method::Brown, 100);
    // What Liang's implementation reaches on this text.
    assert!((brown_information / 0.9067 - 1.0).abs() < 0.005, "{brown_information}");
    let (exchange, exchange_information) = clusters(&counts, Method::Exchange, 100);
    assert!(exchange_information > 0.93, "{exchange_information}");
    for hierarchy in [&brown, &exchange] {
        assert_eq!((hierarchy.words(), hierarchy.clusters()), (10_001, 100));
    }
    let [classic, moved] = [&brown, &exchange].map(|tree| information_of_cut(&counts, tree, 50));
    assert!(moved > classic, "50 clusters: {moved} against {classic}");
}

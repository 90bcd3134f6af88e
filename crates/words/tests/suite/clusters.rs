//! Word clusters of real text.

use std::fs::File;
use std::path::{Path, PathBuf};

use corpus::cooccurrence::{Boundaries, CountConfig, PairCounts, TextCounter, VocabLimit};
use corpus::ids::Id;
use eigentree_words::clusters::{ClusterBigrams, ClusterConfig, Hierarchy, Method, SpectralConfig, learn};
use models::learn::Silent;

/// The pairs up to distance two in the small English text, over its 10,000 most frequent words.
fn counts() -> Option<Vec<PairCounts>> {
    let root = std::env::var_os("EIGENTREE_DATA").map(PathBuf::from);
    let root = root.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"));
    let path = root.join("text/en_small.txt");
    if !path.is_file() {
        eprintln!("SKIPPED: no {} (set EIGENTREE_DATA to run this test)", path.display());
        return None;
    }
    let vocab = Some(VocabLimit::most_frequent(10_000));
    let config = CountConfig { distance: 2, boundaries: Boundaries::None, vocab, ..CountConfig::default() };
    let mut counter = TextCounter::new(config).unwrap();
    counter.read(File::open(&path).unwrap(), "en_small.txt").unwrap();
    Some(counter.finish().unwrap().counts.pairs)
}

fn clusters(counts: &[PairCounts], method: Method, clusters: usize) -> (Hierarchy, f64) {
    let config = ClusterConfig { method, clusters, ..ClusterConfig::default() };
    let learned = learn(counts, None, &config, &mut Silent).unwrap();
    let information = learned.report.figure("mutual information").unwrap();
    (learned.model, information)
}

/// The mutual information after the hierarchy's merges to `clusters`.
fn information_of_cut(counts: &[PairCounts], hierarchy: &Hierarchy, clusters: usize) -> f64 {
    let cut = hierarchy.cut(clusters);
    let assignment: Vec<_> = hierarchy.assignment().iter().map(|cluster| cut[cluster.index()]).collect();
    ClusterBigrams::new(&counts[0], &assignment, clusters).mutual_information()
}

#[test]
fn brown_is_the_classic_algorithm_and_exchange_finds_more() {
    let Some(counts) = counts() else { return };
    let (brown, brown_information) = clusters(&counts, Method::Brown, 100);
    // The value that Liang's implementation reaches on this text.
    assert!((brown_information / 0.9067 - 1.0).abs() < 0.005, "{brown_information}");
    let (exchange, exchange_information) = clusters(&counts, Method::Exchange, 100);
    assert!(exchange_information > 0.93, "{exchange_information}");
    for hierarchy in [&brown, &exchange] {
        assert_eq!((hierarchy.words(), hierarchy.clusters()), (10_001, 100));
    }
    let [classic, moved] = [&brown, &exchange].map(|tree| information_of_cut(&counts, tree, 50));
    assert!(moved > classic, "50 clusters: {moved} against {classic}");
}

#[test]
fn weights_help_the_spectral_clusters_and_exchange_completes_them() {
    let Some(counts) = counts() else { return };
    let (paper, plain_information) = clusters(&counts, Method::Spectral, 100);
    let spectral = Some(SpectralConfig::start());
    let config =
        ClusterConfig { method: Method::Spectral, clusters: 100, spectral, ..ClusterConfig::default() };
    let weighted = learn(&counts, None, &config, &mut Silent).unwrap();
    let weighted_information = weighted.report.figure("mutual information").unwrap();
    let (moved, moved_information) = clusters(&counts, Method::SpectralExchange, 100);
    assert!(plain_information > 0.74, "{plain_information}");
    assert!(weighted_information > plain_information + 0.05, "{weighted_information}, {plain_information}");
    assert!(moved_information > 0.93, "{moved_information}");
    for (hierarchy, inner) in [(&paper, 9901), (&weighted.model, 9901), (&moved, 0)] {
        assert_eq!((hierarchy.clusters(), hierarchy.inner_merges().len()), (100, inner));
    }
}

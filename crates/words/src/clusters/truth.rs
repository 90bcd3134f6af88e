//! Counts for tests.

use corpus::cooccurrence::PairCounts;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Random counts of `words` words: about `density` of all pairs, small counts more often.
pub(super) fn random_counts(words: usize, density: f64, seed: u64) -> PairCounts {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut entries = Vec::new();
    for a in 0..words as u32 {
        for b in 0..words as u32 {
            if rng.random_bool(density) {
                let size: f64 = rng.random();
                entries.push((a, b, 1 + (300.0 * size.powi(6)) as u64));
            }
        }
    }
    by_frequency(&PairCounts::from_counts(words, entries))
}

/// The expected pairs of a random Brown model in a long text, and the true cluster of each word.
pub(super) fn brown_model(words: usize, clusters: usize, seed: u64) -> (PairCounts, Vec<usize>) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut cluster: Vec<usize> = (0..words).map(|word| word % clusters).collect();
    let emission: Vec<f64> = (0..words).map(|_| rng.random_range(0.2..1.0)).collect();
    let transition: Vec<Vec<f64>> = (0..clusters)
        .map(|_| (0..clusters).map(|_| rng.random_range(0.02..1.0_f64).powi(3)).collect())
        .collect();
    let mut entries = Vec::new();
    for a in 0..words {
        for b in 0..words {
            let rate = emission[a] * transition[cluster[a]][cluster[b]] * emission[b];
            entries.push((a as u32, b as u32, (1000.0 * rate).round() as u64));
        }
    }
    let counts = PairCounts::from_counts(words, entries);
    let names = ranks(&counts);
    let old = cluster.clone();
    for (word, &name) in names.iter().enumerate() {
        cluster[name as usize] = old[word];
    }
    (counts.renamed(&names, words), cluster)
}

/// The same counts with words numbered by decreasing frequency.
fn by_frequency(counts: &PairCounts) -> PairCounts {
    counts.renamed(&ranks(counts), counts.words())
}

pub(super) fn ranks(counts: &PairCounts) -> Vec<u32> {
    let sums = counts.left_sums();
    let mut order: Vec<usize> = (0..counts.words()).collect();
    order.sort_by_key(|&word| std::cmp::Reverse(sums[word]));
    let mut names = vec![0; order.len()];
    for (rank, word) in order.into_iter().enumerate() {
        names[word] = rank as u32;
    }
    names
}

/// Whether two clusterings are equal up to the names of clusters.
pub(super) fn same_partition<A: Copy + Eq, B: Copy + Eq>(one: &[A], other: &[B]) -> bool {
    let pairs = || (0..one.len()).flat_map(|a| (0..a).map(move |b| (a, b)));
    one.len() == other.len() && pairs().all(|(a, b)| (one[a] == one[b]) == (other[a] == other[b]))
}

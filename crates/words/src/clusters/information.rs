//! The mutual information of adjacent clusters.
//!
//! ```text
//! I = Σ_{c,d} n(c,d)/N log( n(c,d) N / (l(c) r(d)) )          (Stratos et al. 2014, Eq. 3)
//!   = log N + ( Σ g(n(c,d)) - Σ g(l(c)) - Σ g(r(d)) ) / N     g(x) = x log x
//! ```
//!
//! `n(c,d)` counts the positions where a word of cluster `c` directly precedes one of `d`, `N` all positions. The paper
//! uses the count of a cluster in both places; here `l` and `r` are the row and column sums of `n`. They differ only at
//! the ends of the text, and `I` is never negative.

use corpus::cooccurrence::PairCounts;
use corpus::ids::Id;

use super::ClusterId;

/// `x log x`, and 0 at 0.
#[inline]
pub(super) fn entropy_term(count: u64) -> f64 {
    if count == 0 { 0.0 } else { count as f64 * (count as f64).ln() }
}

/// Counts of pairs of adjacent clusters.
///
/// ```
/// use corpus::cooccurrence::PairCounts;
/// use corpus::ids::Id;
/// use eigentree_words::clusters::{ClusterBigrams, ClusterId};
/// // The words 0 and 2 alternate with 1 and 3.
/// let counts = PairCounts::from_pairs(4, vec![(0, 1), (1, 2), (2, 3), (3, 0)]);
/// let clusters = [0, 1, 0, 1].map(|index| ClusterId::new(index).unwrap());
/// let bigrams = ClusterBigrams::new(&counts, &clusters, 2);
/// assert_eq!(bigrams.count(clusters[0], clusters[1]), 2);
/// assert!((bigrams.mutual_information() - 2f64.ln()).abs() < 1e-12);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClusterBigrams {
    clusters: usize,
    counts: Vec<u64>,
    left: Vec<u64>,
    right: Vec<u64>,
}

impl ClusterBigrams {
    /// Sums the counts of words over their clusters, all below `clusters`.
    ///
    /// # Panics
    /// If `assignment` does not have one cluster below `clusters` per word.
    pub fn new(words: &PairCounts, assignment: &[ClusterId], clusters: usize) -> Self {
        assert_eq!(assignment.len(), words.words(), "one cluster per word");
        let mut counts = vec![0; clusters * clusters];
        for (left, &cluster) in assignment.iter().enumerate() {
            let row = &mut counts[cluster.index() * clusters..][..clusters];
            for (right, count) in words.row(left) {
                row[assignment[right as usize].index()] += count;
            }
        }
        Self::from_table(clusters, counts)
    }

    /// Builds the counts from a table with `clusters` rows and columns.
    pub(super) fn from_table(clusters: usize, counts: Vec<u64>) -> Self {
        let mut left = Vec::with_capacity(clusters);
        let mut right = vec![0; clusters];
        for row in counts.chunks_exact(clusters.max(1)) {
            left.push(row.iter().sum());
            right.iter_mut().zip(row).for_each(|(sum, count)| *sum += count);
        }
        Self { clusters, counts, left, right }
    }

    /// All counts, row-major.
    pub(super) fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// The number of clusters.
    pub fn clusters(&self) -> usize {
        self.clusters
    }

    /// How often `left` directly precedes `right`.
    pub fn count(&self, left: ClusterId, right: ClusterId) -> u64 {
        self.counts[left.index() * self.clusters + right.index()]
    }

    /// How often `left` precedes each cluster.
    pub fn row(&self, left: ClusterId) -> &[u64] {
        &self.counts[left.index() * self.clusters..][..self.clusters]
    }

    /// How often each cluster precedes another.
    pub fn left_sums(&self) -> &[u64] {
        &self.left
    }

    /// How often each cluster follows another.
    pub fn right_sums(&self) -> &[u64] {
        &self.right
    }

    /// The sum of all counts.
    pub fn total(&self) -> u64 {
        self.left.iter().sum()
    }

    /// The mutual information of neighbours, in nats; 0 if nothing was counted.
    pub fn mutual_information(&self) -> f64 {
        let total = self.total();
        if total == 0 {
            return 0.0;
        }
        let sum = |counts: &[u64]| counts.iter().map(|&count| entropy_term(count)).sum::<f64>();
        let joint: f64 = self.counts.chunks_exact(self.clusters).map(sum).sum();
        let total = total as f64;
        total.ln() + (joint - sum(&self.left) - sum(&self.right)) / total
    }
}

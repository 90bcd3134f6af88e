//! Word clusters against word classes.
//!
//! With `n(c, k)` the number of items of gold class `c` in cluster `k` and `N` their sum, entropies `H` and the mutual
//! information `I(C; K)` are those of the distribution n / N. Then
//!
//! - homogeneity h = I / H(C), completeness c = I / H(K), each 1 where its denominator is 0;
//! - V-measure = (1 + β) h c / (β h + c), β = 1 by default (Rosenberg and Hirschberg 2007, equation 2);
//! - variation of information = H(C) + H(K) - 2 I (Meilă 2003);
//! - many-to-one = Σ_k max_c n(c, k) / N: each cluster stands for its most frequent class.

use std::collections::BTreeMap;

/// Item counts by class and cluster.
///
/// ```
/// use eigentree_eval::clustering::Contingency;
/// let table: Contingency = [("NOUN", "0"), ("NOUN", "0"), ("VERB", "0"), ("VERB", "1")].into_iter().collect();
/// assert_eq!(table.many_to_one(), 0.75);
/// assert!(table.v_measure() < 1.0);
/// ```
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Contingency {
    /// `cells[cluster][class]`, all positive.
    cells: BTreeMap<String, BTreeMap<String, u64>>,
    /// Sums per class.
    classes: BTreeMap<String, u64>,
    total: u64,
}

impl<'a> FromIterator<(&'a str, &'a str)> for Contingency {
    /// Counts the given pairs of class and cluster.
    fn from_iter<I: IntoIterator<Item = (&'a str, &'a str)>>(items: I) -> Self {
        let mut table = Self::default();
        items.into_iter().for_each(|(class, cluster)| table.add(class, cluster, 1));
        table
    }
}

impl Contingency {
    /// Adds `count` items of `class` in `cluster`.
    pub fn add(&mut self, class: &str, cluster: &str, count: u64) {
        if count == 0 {
            return;
        }
        *self.cells.entry(cluster.to_owned()).or_default().entry(class.to_owned()).or_default() += count;
        *self.classes.entry(class.to_owned()).or_default() += count;
        self.total += count;
    }

    /// Number of items.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Number of clusters with items.
    pub fn clusters(&self) -> usize {
        self.cells.len()
    }

    /// Number of classes with items.
    pub fn classes(&self) -> usize {
        self.classes.len()
    }

    fn entropy(&self, sizes: impl Iterator<Item = u64>) -> f64 {
        let total = self.total as f64;
        sizes.map(|size| size as f64 / total).map(|share| -share * share.log2()).sum()
    }

    /// Entropy of the classes, in bits.
    pub fn class_entropy(&self) -> f64 {
        self.entropy(self.classes.values().copied())
    }

    /// Entropy of the clusters, in bits.
    pub fn cluster_entropy(&self) -> f64 {
        self.entropy(self.cells.values().map(|row| row.values().sum()))
    }

    /// Mutual information of class and cluster, in bits.
    pub fn mutual_information(&self) -> f64 {
        let joint = self.entropy(self.cells.values().flat_map(|row| row.values().copied()));
        // Negative only by rounding.
        (self.class_entropy() + self.cluster_entropy() - joint).max(0.0)
    }

    /// Information that the two partitions do not share, in bits; 0 for equal partitions.
    pub fn variation_of_information(&self) -> f64 {
        (self.class_entropy() + self.cluster_entropy() - 2.0 * self.mutual_information()).max(0.0)
    }

    /// 1 if no cluster mixes classes.
    pub fn homogeneity(&self) -> f64 {
        covered(self.mutual_information(), self.class_entropy())
    }

    /// 1 if no class is spread over clusters.
    pub fn completeness(&self) -> f64 {
        covered(self.mutual_information(), self.cluster_entropy())
    }

    /// Harmonic mean of homogeneity and completeness.
    pub fn v_measure(&self) -> f64 {
        self.v_beta(1.0)
    }

    /// Weighted harmonic mean; `beta` above 1 favours completeness.
    pub fn v_beta(&self, beta: f64) -> f64 {
        let (homogeneity, completeness) = (self.homogeneity(), self.completeness());
        let denominator = beta * homogeneity + completeness;
        if denominator > 0.0 { (1.0 + beta) * homogeneity * completeness / denominator } else { 0.0 }
    }

    /// Accuracy if each cluster stands for its most frequent class.
    pub fn many_to_one(&self) -> f64 {
        let best: u64 = self.cells.values().filter_map(|row| row.values().max()).sum();
        crate::counts::share(best, self.total)
    }
}

fn covered(information: f64, entropy: f64) -> f64 {
    if entropy > 0.0 { (information / entropy).min(1.0) } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(cells: &[(&str, &str, u64)]) -> Contingency {
        let mut table = Contingency::default();
        cells.iter().for_each(|&(class, cluster, count)| table.add(class, cluster, count));
        table
    }

    #[test]
    fn renamed_classes_are_perfect() {
        let same = table(&[("A", "1", 3), ("B", "0", 5)]);
        assert_eq!((same.many_to_one(), same.variation_of_information()), (1.0, 0.0));
        assert!((same.v_measure() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn independent_clusters_tell_nothing() {
        let noise = table(&[("A", "0", 2), ("A", "1", 2), ("B", "0", 2), ("B", "1", 2)]);
        assert!(noise.v_measure() < 1e-12);
        assert_eq!(noise.many_to_one(), 0.5);
        assert!((noise.variation_of_information() - 2.0).abs() < 1e-12);
    }

    #[test]
    fn one_cluster_is_complete_and_single_items_are_homogeneous() {
        let one = table(&[("A", "0", 1), ("B", "0", 1)]);
        assert_eq!((one.homogeneity(), one.completeness(), one.v_measure()), (0.0, 1.0, 0.0));
        let single = table(&[("A", "0", 1), ("A", "1", 1), ("B", "2", 1), ("B", "3", 1)]);
        assert_eq!((single.homogeneity(), single.completeness()), (1.0, 0.5));
        assert!((single.v_measure() - 2.0 / 3.0).abs() < 1e-12);
        // β = 2 gives completeness twice the weight: 3 · 1 · 0.5 / (2 + 0.5).
        assert!((single.v_beta(2.0) - 0.6).abs() < 1e-12);
        assert_eq!(Contingency::default().many_to_one(), 0.0);
    }
}

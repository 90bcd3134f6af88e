//! Stratos et al. (2014): clusters of the 205 million tokens of RCV1, and what they do for the entities of CoNLL 2003.

/// One row of Table 1: a greedy perceptron with 1,000 clusters or none.
pub(crate) struct Entities {
    /// By our name.
    pub(crate) method: &'static str,
    pub(crate) vocab: Option<usize>,
    pub(crate) context: Option<&'static str>,
    /// F1 on the development and on the test set.
    pub(crate) dev: f64,
    pub(crate) test: f64,
}

/// Table 1; spectral clusters with κ = 200.
pub(crate) const ENTITIES: [Entities; 5] = [
    Entities { method: "none", vocab: None, context: None, dev: BASELINE, test: 84.39 },
    Entities { method: "spectral", vocab: Some(50_000), context: Some("lr1"), dev: 92.0, test: 86.72 },
    Entities { method: "spectral", vocab: Some(300_000), context: Some("lr2"), dev: 92.31, test: 87.76 },
    Entities { method: "brown", vocab: Some(50_000), context: None, dev: 92.0, test: 88.56 },
    Entities { method: "brown", vocab: Some(300_000), context: None, dev: 92.68, test: 88.76 },
];

/// F1 without clusters, on the development set.
pub(crate) const BASELINE: f64 = 90.03;

/// Of Tables 1 and 2.
pub(crate) const CLUSTERS: usize = 1000;

/// Table 2: vocabulary, mutual information of the spectral clusters (LR2, κ = 5000) and of Brown's.
pub(crate) const INFORMATION: [(usize, f64, f64); 2] = [(50_000, 1.48, 1.52), (300_000, 1.54, 1.60)];

/// One row of Table 3.
pub(crate) struct Row {
    pub(crate) clusters: usize,
    pub(crate) vocab: usize,
    pub(crate) gamma: f64,
    /// Seconds of the SVD, of clustering, and of Brown's algorithm.
    pub(crate) seconds: [f64; 3],
    /// F1 on the development set with spectral clusters and with Brown's.
    pub(crate) f1: [f64; 2],
}

const fn row(clusters: usize, vocab: usize, gamma: f64, seconds: [f64; 3], f1: [f64; 2]) -> Row {
    Row { clusters, vocab, gamma, seconds, f1 }
}

/// Table 3.
pub(crate) const TIMES: [Row; 6] = [
    row(200, 50_000, 3.35, [264.0, 13.0, 637.0], [91.53, 90.79]),
    row(400, 50_000, 5.17, [399.0, 68.0, 2236.0], [91.73, 91.21]),
    row(600, 50_000, 9.80, [329.0, 181.0, 5635.0], [91.68, 91.79]),
    row(800, 50_000, 12.64, [566.0, 419.0, 8440.0], [91.81, 91.83]),
    row(1000, 50_000, 12.68, [670.0, 625.0, 13_020.0], [92.00, 92.00]),
    row(1000, 300_000, 13.77, [3578.0, 3877.0, 80_377.0], [92.31, 92.68]),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_of_the_paper_agree_with_each_other() {
        let ratios = [43.48, 20.89, 9.05, 11.67, 9.95, 9.28];
        for (row, ratio) in TIMES.iter().zip(ratios) {
            let [svd, cluster, brown] = row.seconds;
            assert!((100.0 * (svd + cluster) / brown - ratio).abs() < 0.02, "{} {}", row.clusters, row.vocab);
        }
        // The development column of Table 1 is in Table 3 as well.
        for one in ENTITIES.iter().filter(|one| one.vocab.is_some()) {
            let column = usize::from(one.method == "brown");
            let same = |row: &&Row| row.clusters == CLUSTERS && Some(row.vocab) == one.vocab;
            assert_eq!(TIMES.iter().find(same).map(|row| row.f1[column]), Some(one.dev));
        }
    }
}

//! Cluster paths as features: their prefixes.

use models::log_linear::Key;
use models::representations::ClusterPaths;

/// Lengths of the prefixes that are features, besides the whole path.
const PREFIXES: [usize; 4] = [4, 6, 10, 20];

/// Number of features per path.
pub(super) const CLUSTER_FEATURES: usize = PREFIXES.len() + 1;

/// Maximum length of distinguishable paths.
const LONGEST: usize = 63;

/// The prefixes of a word's path as parts of features; 0 for prefixes longer than the path.
pub(super) fn cluster_features(clusters: &ClusterPaths, word: &str) -> [u64; CLUSTER_FEATURES] {
    let mut features = [0; CLUSTER_FEATURES];
    let Some(bits) = clusters.of(word) else { return features };
    // The bits after a leading 1, so that paths of different lengths differ.
    let path = bits.bytes().take(LONGEST).fold(1, |code, bit| code << 1 | u64::from(bit == b'1'));
    let length = bits.len().min(LONGEST);
    for (feature, wanted) in features.iter_mut().zip(PREFIXES) {
        if wanted < length {
            *feature = Key::of(20).with(path >> (length - wanted)).value();
        }
    }
    features[PREFIXES.len()] = Key::of(21).with(path).value();
    features
}

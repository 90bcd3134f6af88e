//! Clusters of words as features: prefixes of their paths in the hierarchy (T. Koo, X. Carreras and M. Collins, Simple
//! semi-supervised dependency parsing, ACL 2008).

pub use models::representations::ClusterPaths;

use super::hashing::string;

/// Number of signs of a word vector that form its path, if there are vectors instead of clusters.
pub const VECTOR_SIGNS: usize = 12;

/// Path lengths of the coarse and the medium class; the whole path is the fine class.
const SHORT: usize = 4;
const MIDDLE: usize = 8;

/// Hashes of the short prefix, the medium prefix and the whole path; zeros for a word without a path.
pub(super) fn prefixes(clusters: &ClusterPaths, form: &str) -> [u64; 3] {
    let Some(path) = clusters.of(form) else { return [0; 3] };
    let prefix = |bits: usize| string(path.get(..bits).unwrap_or(path));
    [prefix(SHORT), prefix(MIDDLE), string(path)]
}

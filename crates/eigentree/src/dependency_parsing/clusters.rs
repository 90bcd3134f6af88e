//! Clusters of words for features, from a file.

use std::path::Path;

use models::mst::ClusterPaths;

use crate::Error;
use crate::clustering::read_paths;

/// Reads Brown `paths`, as `cluster` writes them.
pub fn read_clusters(path: &Path) -> Result<ClusterPaths, Error> {
    read_paths(path).map(ClusterPaths::new)
}

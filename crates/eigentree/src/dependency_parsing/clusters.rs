//! Clusters of words for features, from a file.

use std::path::Path;

use corpus::format::brown_paths::BrownPathsReader;
use models::mst::ClusterPaths;

use crate::Error;
use crate::files::Input;

/// Reads Brown `paths`, as `cluster` writes them.
pub fn read_clusters(path: &Path) -> Result<ClusterPaths, Error> {
    let input = Input::open(path)?;
    let name = input.name().to_owned();
    let paths = BrownPathsReader::new(input, &name).collect::<Result<Vec<_>, _>>()?;
    if paths.is_empty() {
        return Err(Error::Empty { name, wanted: "clusters as paths, `bits<TAB>word<TAB>count` a line" });
    }
    Ok(ClusterPaths::new(paths))
}

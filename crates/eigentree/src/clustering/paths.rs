//! Brown `paths`.

use std::io::{self, Write};
use std::path::Path;

use corpus::format::brown_paths::{BrownPath, BrownPathsReader};
use corpus::ids::{Id, WordId};
use models::representations::ClusterPaths;
use words::clusters::BrownModel;

use crate::Error;
use crate::files::Input;

/// The clusters from left to right in the tree: for each its number, its bits, and its words by decreasing frequency.
pub fn clusters_in_order(model: &BrownModel) -> Vec<(usize, String, Vec<WordId>)> {
    let members = model.hierarchy().members();
    let mut clusters: Vec<(usize, String, Vec<WordId>)> = model
        .hierarchy()
        .cluster_paths()
        .into_iter()
        .zip(members)
        .enumerate()
        .map(|(cluster, (bits, members))| {
            let mut words: Vec<WordId> =
                members.into_iter().filter_map(|word| WordId::new(word as usize)).collect();
            // Words are already numbered by decreasing frequency, unless a model was built by other means.
            words.sort_by_key(|word| (std::cmp::Reverse(model.word_counts()[word.index()]), *word));
            (cluster, bits, words)
        })
        .collect();
    clusters.sort_by(|one, other| one.1.cmp(&other.1));
    clusters
}

/// The words with their paths, cluster by cluster, the most frequent words of each first.
pub fn paths_of(model: &BrownModel) -> impl Iterator<Item = BrownPath> {
    clusters_in_order(model).into_iter().flat_map(move |(_, bits, words)| {
        words.into_iter().map(move |word| BrownPath {
            bits: bits.clone(),
            word: model.vocab().text(word).to_owned(),
            count: model.word_counts()[word.index()],
        })
    })
}

/// Writes one word per line, in the order of [`paths_of`].
pub fn write_paths(model: &BrownModel, mut sink: impl Write) -> io::Result<()> {
    paths_of(model).try_for_each(|path| path.write_to(&mut sink))
}

/// Reads paths as written by [`write_paths`], for the features of taggers and parsers. A file without any path is an
/// error.
pub fn read_clusters(path: impl AsRef<Path>) -> Result<ClusterPaths, Error> {
    let input = Input::open(path)?;
    let name = input.name().to_owned();
    let paths: Vec<_> =
        BrownPathsReader::new(input, &name).collect::<Result<_, _>>().map_err(Error::Table)?;
    let paths = ClusterPaths::new(paths);
    if paths.is_empty() {
        return Err(Error::Empty {
            name,
            wanted: "clusters as paths, one `bits<TAB>word<TAB>count` per line",
        });
    }
    Ok(paths)
}

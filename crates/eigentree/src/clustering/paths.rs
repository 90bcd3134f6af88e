//! Brown `paths`.

use std::io::{self, Write};

use corpus::format::brown_paths::BrownPath;
use corpus::ids::{Id, WordId};
use models::clusters::BrownModel;

/// The clusters from left to right in the tree: for each its number, its bits, and its words by falling frequency.
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
            // Words are numbered by falling frequency already, unless a model was made by other means.
            words.sort_by_key(|word| (std::cmp::Reverse(model.word_counts()[word.index()]), *word));
            (cluster, bits, words)
        })
        .collect();
    clusters.sort_by(|one, other| one.1.cmp(&other.1));
    clusters
}

/// Writes one word a line, cluster by cluster, the most frequent words of each first.
pub fn write_paths(model: &BrownModel, mut sink: impl Write) -> io::Result<()> {
    for (_, bits, words) in clusters_in_order(model) {
        let mut path = BrownPath { bits, word: String::new(), count: 0 };
        for word in words {
            path.word = model.vocab().text(word).to_owned();
            path.count = model.word_counts()[word.index()];
            path.write_to(&mut sink)?;
        }
    }
    Ok(())
}

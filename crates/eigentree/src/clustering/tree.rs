//! The hierarchy as JSON.
//!
//! The tree is flat, as nested objects would be deeper than most JSON readers allow: `clusters` are the nodes 0, 1, …,
//! and each of `merges` is the next node, made of the two nodes that it names, that of bit 0 first. The last node is
//! the root.

use std::io::{self, Write};

use corpus::ids::Id;
use serde::Serialize;
use words::clusters::BrownModel;

#[derive(Serialize)]
struct Cluster<'m> {
    path: &'m str,
    count: u64,
    words: Vec<(&'m str, u64)>,
}

#[derive(Serialize)]
struct Tree<'m> {
    tokens: u64,
    unknown: Option<&'m str>,
    clusters: Vec<Cluster<'m>>,
    merges: &'m [[u32; 2]],
}

/// Writes the clusters with their words, and the merges over them, as one JSON object.
pub fn write_tree(model: &BrownModel, mut sink: impl Write) -> io::Result<()> {
    let mut ordered = super::clusters_in_order(model);
    ordered.sort_unstable_by_key(|(cluster, ..)| *cluster);
    let clusters = ordered.iter().map(|(cluster, path, words)| Cluster {
        path,
        count: model.cluster_counts()[*cluster],
        words: words
            .iter()
            .map(|&word| (model.vocab().text(word), model.word_counts()[word.index()]))
            .collect(),
    });
    let tree = Tree {
        tokens: model.word_counts().iter().sum(),
        unknown: model.unknown().map(|word| model.vocab().text(word)),
        clusters: clusters.collect(),
        merges: model.hierarchy().merges(),
    };
    serde_json::to_writer(&mut sink, &tree)?;
    writeln!(sink)
}

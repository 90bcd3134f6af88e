//! Word clusters as text.

use std::fmt::Write as _;

use eigentree::inspection::{ClusterContents, ClusterGroup, ClusterSelection};

/// Shows the requested clusters, or the top of the tree.
pub(super) fn put(text: &mut String, shown: &ClusterContents) {
    for answer in &shown.shown {
        let _ = match &answer.selection {
            ClusterSelection::Cut { prefix } => writeln!(text, "clusters, cut after {prefix} bits"),
            ClusterSelection::Below { below } => writeln!(text, "clusters that begin with {below}"),
            ClusterSelection::Around { word, known } => {
                let note = if *known { "" } else { ", which is not in the vocabulary" };
                writeln!(text, "the cluster of {word}{note}, and its neighbours in the tree")
            }
            _ => Ok(()),
        };
        put_groups(text, &answer.clusters);
    }
}

fn put_groups(text: &mut String, groups: &[ClusterGroup]) {
    let width = groups.iter().map(|group| group.path.len()).max().unwrap_or(0);
    for group in groups {
        let more = if group.words > group.top.len() { " …" } else { "" };
        let _ = writeln!(
            text,
            "  {:width$}  {:>5} words  {:>9}  {}{more}",
            group.path,
            group.words,
            group.count,
            group.top.join(" ")
        );
    }
}

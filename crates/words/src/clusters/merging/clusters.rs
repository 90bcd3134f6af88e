//! A hierarchy over given clusters.

use corpus::cooccurrence::PairCounts;
use corpus::ids::Id;

use super::window::{Merged, merge_in_window, work};
use crate::clusters::kernel::Kernel;
use crate::clusters::{ClusterBigrams, ClusterId, Hierarchy};
use models::learn::{LearnError, Progress};

/// The hierarchy of given clusters of words. They are merged to one, at each step the two whose merge loses the least
/// mutual information of neighbours.
///
/// Empty clusters are dropped; the others are renumbered by decreasing frequency.
pub fn merge_clusters(
    counts: &PairCounts,
    assignment: &[ClusterId],
    progress: &mut Progress<'_>,
) -> Result<Hierarchy, LearnError> {
    if assignment.len() != counts.words() {
        return Err(LearnError::bad_config(format!(
            "{} words have a cluster, but there are {} words; give one cluster per word",
            assignment.len(),
            counts.words()
        )));
    }
    let used = 1 + assignment.iter().map(|cluster| cluster.index()).max().unwrap_or(0);
    progress.stage("merge", Some(work(used, used)))?;
    let (merged, _) = merge(counts, assignment, 1, progress)?;
    Ok(Hierarchy::new(merged.assignment, merged.merges).expect("merges make one tree of all clusters"))
}

/// Reduces the number of clusters to `until` by the cheapest merges.
pub(crate) fn fewer_clusters(
    counts: &PairCounts,
    assignment: &[ClusterId],
    until: usize,
    progress: &mut Progress<'_>,
) -> Result<Vec<ClusterId>, LearnError> {
    let (merged, clusters) = merge(counts, assignment, until, progress)?;
    // A node's name is that of the node it is merged into; the others are numbered.
    let nodes = clusters + merged.merges.len();
    let mut names = vec![usize::MAX; nodes];
    let mut next = 0;
    for node in (0..nodes).rev() {
        if names[node] == usize::MAX {
            names[node] = next;
            next += 1;
        }
        if node >= clusters {
            for child in merged.merges[node - clusters] {
                names[child as usize] = names[node];
            }
        }
    }
    let id = |cluster: &ClusterId| ClusterId::new(names[cluster.index()]).expect("fewer than before");
    Ok(merged.assignment.iter().map(id).collect())
}

/// Merges clusters, as if each were a word, until there are `until`; also returns how many there were.
fn merge(
    counts: &PairCounts,
    assignment: &[ClusterId],
    until: usize,
    progress: &mut Progress<'_>,
) -> Result<(Merged, usize), LearnError> {
    let highest = assignment.iter().map(|cluster| cluster.index() + 1).max().unwrap_or(0);
    let mut used = vec![false; highest];
    assignment.iter().for_each(|cluster| used[cluster.index()] = true);
    let mut next = 0;
    let names: Vec<usize> = used
        .iter()
        .map(|&used| {
            next += usize::from(used);
            next.saturating_sub(1)
        })
        .collect();
    let id = |index: usize| ClusterId::new(index).expect("no more than there were");
    let dense: Vec<ClusterId> = assignment.iter().map(|cluster| id(names[cluster.index()])).collect();

    let table = table_of(&ClusterBigrams::new(counts, &dense, next));
    let mut merged = merge_in_window(&table, next, until, Kernel::detect(), progress)?;
    merged.assignment = dense.iter().map(|cluster| merged.assignment[cluster.index()]).collect();
    Ok((merged, next))
}

/// The counts of clusters, sparse.
fn table_of(bigrams: &ClusterBigrams) -> PairCounts {
    let clusters = bigrams.clusters();
    let (mut offsets, mut right, mut counts) = (vec![0], Vec::new(), Vec::new());
    for left in 0..clusters {
        let row = bigrams.row(ClusterId::new(left).expect("no more than there were"));
        for (other, &count) in row.iter().enumerate().filter(|&(_, &count)| count > 0) {
            right.push(other as u32);
            counts.push(count);
        }
        offsets.push(right.len());
    }
    PairCounts::from_parts(offsets, right, counts).expect("rows are in order and counts positive")
}

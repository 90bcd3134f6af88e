//! The greedy algorithm of Brown et al. (1992).
//!
//! The `m` most frequent words start as clusters of their own. Each next word is added as a cluster of its own, and of
//! the `m+1` clusters the two are merged whose merge loses the least mutual information of adjacent clusters. Finally
//! the `m` clusters are merged to one in the same way. As in Liang's (2005) formulation, the probabilities of words are
//! those of the whole text from the beginning, while pairs count only once both words have been added.
//!
//! A step costs `O(m k)` for a word with `k` neighbouring clusters, rather than `O(m²)`, plus the search for the
//! smallest of the `m²/2` losses.

use corpus::cooccurrence::PairCounts;

use super::Hierarchy;
use super::kernel::Kernel;
use super::merging::{merge_in_window, work};
use models::learn::{LearnError, Progress};

/// Clusters the words of `counts`, which must be in order of decreasing frequency.
pub fn brown(
    counts: &PairCounts,
    clusters: usize,
    progress: &mut Progress<'_>,
) -> Result<Hierarchy, LearnError> {
    progress.stage("merge", Some(work(counts.words(), clusters)))?;
    let merged = merge_in_window(counts, clusters, 1, Kernel::detect(), progress)?;
    Ok(Hierarchy::new(merged.assignment, merged.merges).expect("merges make one tree of all clusters"))
}

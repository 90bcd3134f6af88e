//! The greedy algorithm of Brown et al. (1992).
//!
//! The `m` most frequent words are clusters of their own. Each next word comes as a cluster of its own, too, and of the `m+1`
//! clusters the two are merged whose merge takes least from the mutual information of adjacent clusters; in the end the `m` clusters
//! are merged to one in the same way. As in Liang's (2005) formulation, the probabilities of words are those of the whole text from
//! the beginning, while pairs count only once both words have come.
//!
//! A step costs `O(m k)` for a word that stands next to `k` clusters, rather than `O(m²)`, and the search for the smallest
//! of the `m²/2` losses.

use corpus::cooccurrence::PairCounts;

use super::Hierarchy;
use super::kernel::Kernel;
use super::merging::{merge_in_window, work};
use models::learn::{LearnError, Progress};

/// Clusters of the words of `counts`, which must be in order of falling frequency.
pub fn brown(
    counts: &PairCounts,
    clusters: usize,
    progress: &mut Progress<'_>,
) -> Result<Hierarchy, LearnError> {
    progress.stage("merge", Some(work(counts.words(), clusters)))?;
    let merged = merge_in_window(counts, clusters, 1, Kernel::detect(), progress)?;
    Ok(Hierarchy::new(merged.assignment, merged.merges).expect("merges make one tree of all clusters"))
}

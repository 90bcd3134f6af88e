//! Parts of the tree: cut at a depth, below a prefix of bits, around a word.

use corpus::ids::{Id, WordId};
use words::clusters::BrownModel;

use super::clusters_in_order;

/// Clusters with a common prefix of bits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Group {
    /// The common bits.
    pub bits: String,
    /// Number of clusters.
    pub clusters: usize,
    /// Total count of their words.
    pub count: u64,
    /// Their words by decreasing frequency.
    pub words: Vec<WordId>,
}

/// The tree cut after `depth` bits, from left to right. Clusters with fewer bits form groups of their own.
pub fn groups_at(model: &BrownModel, depth: usize) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for (cluster, bits, words) in clusters_in_order(model) {
        let cut = &bits[..bits.len().min(depth)];
        let count = model.cluster_counts()[cluster];
        match groups.last_mut().filter(|group| group.bits == cut) {
            Some(group) => {
                group.clusters += 1;
                group.count += count;
                group.words.extend(words);
            }
            None => groups.push(Group { bits: cut.to_owned(), clusters: 1, count, words }),
        }
    }
    for group in &mut groups {
        group.words.sort_by_key(|word| (std::cmp::Reverse(model.word_counts()[word.index()]), *word));
    }
    groups
}

/// The clusters whose bits begin with `bits`, from left to right.
pub fn groups_below(model: &BrownModel, bits: &str) -> Vec<Group> {
    let mut groups = groups_at(model, usize::MAX);
    groups.retain(|group| group.bits.starts_with(bits));
    groups
}

/// The cluster of a word first, then at most `most - 1` others by the number of bits they share with it, ties by
/// decreasing frequency. Words that were not counted are in the cluster of the class of other words; `None` if there is
/// no such class.
pub fn neighbours_of(model: &BrownModel, word: &str, most: usize) -> Option<Vec<Group>> {
    let word = model.word(word)?;
    let cluster = model.hierarchy().assignment()[word.index()];
    let own = model.hierarchy().cluster_paths().swap_remove(cluster.index());
    let shared = |bits: &str| bits.bytes().zip(own.bytes()).take_while(|(one, other)| one == other).count();
    let mut groups = groups_at(model, usize::MAX);
    groups.sort_by_key(|group| {
        (group.bits != own, std::cmp::Reverse(shared(&group.bits)), std::cmp::Reverse(group.count))
    });
    groups.truncate(most.max(1));
    Some(groups)
}

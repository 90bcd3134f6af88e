//! Sums of parts that many bundles share.
//!
//! Bundles are paths of a tree: the parts of each, those of most bundles first (as in the FP-tree of J. Han, J. Pei and Y. Yin,
//! SIGMOD 2000). A node is scored once for all bundles below it,
//!
//! ```text
//! s(n) = s(parent of n) + s(part of n)
//! ```
//!
//! so that 2,000 bundles of ten parts each take a few thousand additions.

use hashbrown::HashMap;

/// The tree of the bundles of a layer.
#[derive(Clone, Default, Debug)]
pub(super) struct Prefixes {
    /// Nodes other than the root, which is node 0: the node above, which comes before, and the part.
    nodes: Vec<(u32, u16)>,
    /// The node of each bundle.
    ends: Vec<u32>,
}

/// The scores of all bundles of a layer.
#[derive(Clone, Default, Debug)]
pub(super) struct BundleScores {
    /// Scratch memory.
    nodes: Vec<f32>,
    pub(super) all: Vec<f32>,
}

impl Prefixes {
    /// The tree of bundles with these parts.
    pub(super) fn new<'p>(bundles: impl Iterator<Item = &'p [u16]> + Clone) -> Self {
        let mut counts: HashMap<u16, u32, foldhash::fast::FixedState> = HashMap::default();
        bundles.clone().flatten().for_each(|&part| *counts.entry(part).or_default() += 1);
        let mut known: HashMap<(u32, u16), u32, foldhash::fast::FixedState> = HashMap::default();
        let mut tree = Self::default();
        let mut path = Vec::new();
        for bundle in bundles {
            path.clear();
            path.extend_from_slice(bundle);
            path.sort_unstable_by_key(|part| (std::cmp::Reverse(counts[part]), *part));
            let mut node = 0;
            for &part in &path {
                node = *known.entry((node, part)).or_insert_with(|| {
                    tree.nodes.push((node, part));
                    tree.nodes.len() as u32
                });
            }
            tree.ends.push(node);
        }
        tree
    }

    /// The scores of all bundles, given those of all parts.
    pub(super) fn scores(&self, scores: &[f32], bundles: &mut BundleScores) {
        let BundleScores { nodes, all } = bundles;
        // All of them are written again, except the root's.
        nodes.resize(self.nodes.len() + 1, 0.0);
        nodes[0] = 0.0;
        for (node, &(above, part)) in (1..).zip(&self.nodes) {
            nodes[node] = nodes[above as usize] + scores[usize::from(part)];
        }
        all.clear();
        all.extend(self.ends.iter().map(|&node| nodes[node as usize]));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bundle_scores_the_sum_of_its_parts() {
        let bundles: [&[u16]; 6] = [&[4, 0, 1], &[0, 1, 2], &[1, 2, 0, 3], &[], &[3], &[0, 1, 2]];
        let tree = Prefixes::new(bundles.iter().copied());
        assert_eq!(tree.nodes.len(), 6, "0 and 1 are shared");
        let scores = [1.0, 2.0, 4.0, 8.0, 16.0];
        let mut bundles = BundleScores::default();
        tree.scores(&scores, &mut bundles);
        assert_eq!(bundles.all, [19.0, 7.0, 15.0, 0.0, 8.0, 7.0]);
    }
}

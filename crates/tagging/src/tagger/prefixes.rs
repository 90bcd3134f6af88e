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

/// Parts and nodes are numbered with 16 bits, so that an array of this length needs no check of an index.
const NUMBERS: usize = 1 << u16::BITS;

/// The tree of the bundles of a layer.
#[derive(Clone, Debug)]
pub(super) struct Prefixes {
    nodes: Vec<Node>,
    /// The node of each bundle.
    ends: Vec<u16>,
}

/// A node other than the root, which is node 0.
#[derive(Clone, Copy, Debug)]
struct Node {
    /// The node above, which comes before.
    above: u16,
    part: u16,
}

/// The scores of all bundles of a layer.
#[derive(Clone, Debug)]
pub(super) struct BundleScores {
    /// Scratch memory: the scores of parts and of nodes.
    parts: Box<[f32; NUMBERS]>,
    nodes: Box<[f32; NUMBERS]>,
    pub(super) all: Vec<f32>,
}

impl Default for BundleScores {
    fn default() -> Self {
        Self { parts: zeros(), nodes: zeros(), all: Vec::new() }
    }
}

/// Zeros that take memory where they are written.
fn zeros() -> Box<[f32; NUMBERS]> {
    vec![0.0; NUMBERS].into_boxed_slice().try_into().expect("the length is the array's")
}

impl Prefixes {
    /// The tree of bundles with these parts, unless it has too many nodes.
    pub(super) fn new<'p>(bundles: impl Iterator<Item = &'p [u16]> + Clone) -> Option<Self> {
        let mut counts: HashMap<u16, u32, foldhash::fast::FixedState> = HashMap::default();
        bundles.clone().flatten().for_each(|&part| *counts.entry(part).or_default() += 1);
        let mut known: HashMap<(u16, u16), u16, foldhash::fast::FixedState> = HashMap::default();
        let mut tree = Self { nodes: Vec::new(), ends: Vec::new() };
        let mut path = Vec::new();
        for bundle in bundles {
            path.clear();
            path.extend_from_slice(bundle);
            path.sort_unstable_by_key(|part| (std::cmp::Reverse(counts[part]), *part));
            let mut above = 0;
            for &part in &path {
                let next = u16::try_from(tree.nodes.len() + 1).ok()?;
                above = *known.entry((above, part)).or_insert_with(|| {
                    tree.nodes.push(Node { above, part });
                    next
                });
            }
            tree.ends.push(above);
        }
        Some(tree)
    }

    /// The scores of all bundles, given those of all parts.
    pub(super) fn scores(&self, scores: &[f32], bundles: &mut BundleScores) {
        let BundleScores { parts, nodes, all } = bundles;
        parts[..scores.len()].copy_from_slice(scores);
        // All nodes of the tree but the root are written again.
        nodes[0] = 0.0;
        for (node, &Node { above, part }) in (1_u16..).zip(&self.nodes) {
            nodes[usize::from(node)] = nodes[usize::from(above)] + parts[usize::from(part)];
        }
        all.clear();
        all.extend(self.ends.iter().map(|&node| nodes[usize::from(node)]));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bundle_scores_the_sum_of_its_parts() {
        let bundles: [&[u16]; 6] = [&[4, 0, 1], &[0, 1, 2], &[1, 2, 0, 3], &[], &[3], &[0, 1, 2]];
        let tree = Prefixes::new(bundles.iter().copied()).unwrap();
        assert_eq!(tree.nodes.len(), 6, "0 and 1 are shared");
        let scores = [1.0, 2.0, 4.0, 8.0, 16.0];
        let mut bundles = BundleScores::default();
        tree.scores(&scores, &mut bundles);
        assert_eq!(bundles.all, [19.0, 7.0, 15.0, 0.0, 8.0, 7.0]);
    }

    #[test]
    fn a_tree_with_too_many_nodes_is_not_made() {
        let parts: Vec<u16> = (0..u16::MAX).collect();
        assert!(Prefixes::new([&parts[..]].into_iter()).is_some());
        assert!(Prefixes::new([&parts[..], &[0, 0]].into_iter()).is_none());
    }
}

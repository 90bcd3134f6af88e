//! The prefix tree of some sequences.

use std::ops::Range;

use crate::automaton::counts::SequenceCounts;

/// Number of symbols per tree. Trees are processed separately, which bounds memory and divides the work.
const SYMBOLS: usize = 1 << 15;

/// Positions of the same depth that follow the same symbol.
#[derive(Clone, Debug)]
pub(super) struct Group {
    pub(super) symbol: u32,
    pub(super) nodes: Range<usize>,
}

/// Prefixes by length, then by last symbol. The first is the empty prefix.
#[derive(Clone, Debug)]
pub(super) struct PrefixTree {
    /// All groups, shorter prefixes first.
    pub(super) groups: Vec<Group>,
    /// The prefix without its last symbol.
    pub(super) parent: Vec<u32>,
    /// The weight of the sequences that end here.
    pub(super) ends: Vec<f64>,
}

impl PrefixTree {
    /// Trees of all sequences, each over a fixed part of them.
    pub(super) fn forest(counts: &SequenceCounts) -> Vec<Self> {
        let (mut trees, mut start, mut symbols) = (Vec::new(), 0, 0);
        for index in 0..counts.len() {
            symbols += counts.get(index).0.len() + 1;
            if symbols >= SYMBOLS || index + 1 == counts.len() {
                trees.push(Self::new(counts, start..index + 1));
                (start, symbols) = (index + 1, 0);
            }
        }
        trees
    }

    /// The tree of the sequences in a range, which are in lexicographic order.
    fn new(counts: &SequenceCounts, all: Range<usize>) -> Self {
        let mut tree = PrefixTree { groups: Vec::new(), parent: vec![0], ends: Vec::new() };
        // The nodes of one depth: their sequences are adjacent.
        let mut level = vec![all];
        let mut first = 0;
        for depth in 0.. {
            let mut children: Vec<(u32, u32, Range<usize>)> = Vec::new();
            for (node, range) in level.iter().enumerate() {
                let (mut ends, mut rest) = (0.0, range.clone());
                while let Some((sequence, weight)) = (!rest.is_empty()).then(|| counts.get(rest.start)) {
                    match sequence.get(depth) {
                        None => {
                            ends += weight;
                            rest.start += 1;
                        }
                        Some(&symbol) => {
                            let same = |index: &usize| counts.get(*index).0.get(depth) == Some(&symbol);
                            let end = rest.clone().take_while(same).last().unwrap_or(rest.start) + 1;
                            children.push((symbol, (first + node) as u32, rest.start..end));
                            rest.start = end;
                        }
                    }
                }
                tree.ends.push(ends);
            }
            if children.is_empty() {
                break;
            }
            children.sort_by_key(|child| child.0);
            first = tree.parent.len();
            for group in children.chunk_by(|a, b| a.0 == b.0) {
                let start = tree.parent.len();
                tree.parent.extend(group.iter().map(|child| child.1));
                tree.groups.push(Group { symbol: group[0].0, nodes: start..tree.parent.len() });
            }
            level = children.into_iter().map(|child| child.2).collect();
        }
        tree
    }

    pub(super) fn len(&self) -> usize {
        self.parent.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_prefix_is_a_node_once() {
        let sequences = [vec![], vec![0, 1], vec![0, 1, 0], vec![1, 1], vec![0, 1], vec![1]];
        let counts = SequenceCounts::of(2, &sequences).unwrap();
        let trees = PrefixTree::forest(&counts);
        assert_eq!(trees.len(), 1);
        let tree = &trees[0];
        // ε | 0 1 | 01 11 | 010
        assert_eq!(tree.parent, [0, 0, 0, 1, 2, 3]);
        assert_eq!(tree.ends, [1.0, 0.0, 1.0, 2.0, 1.0, 1.0]);
        let groups: Vec<_> = tree.groups.iter().map(|group| (group.symbol, group.nodes.clone())).collect();
        assert_eq!(groups, [(0, 1..2), (1, 2..3), (1, 3..5), (0, 5..6)]);
    }

    #[test]
    fn parts_hold_all_sequences() {
        let counts = SequenceCounts::of(
            7,
            (0..9000_u32).map(|i| vec![i % 7, i / 7 % 7, i / 49 % 7, i / 343 % 7, i / 2401]),
        )
        .unwrap();
        let trees = PrefixTree::forest(&counts);
        assert!(trees.len() > 1);
        assert_eq!(trees.iter().flat_map(|tree| &tree.ends).sum::<f64>(), 9000.0);
    }
}

//! The children of nodes of a trie, by symbol.

use foldhash::fast::FixedState;
use hashbrown::HashMap;

/// No child, and no row.
const NONE: u32 = u32::MAX;

/// Entries of all rows together. Nodes that come later keep their children in a hash map.
const MOST_ENTRIES: usize = 1 << 20;

/// The child of a node by symbol. Each node with children has a row with an entry for every symbol as long as there is room, which
/// spares the tries of small alphabets all hashing.
#[derive(Clone, Debug)]
pub(super) struct Children {
    alphabet: usize,
    /// The row of each node.
    row_of: Vec<u32>,
    rows: Vec<u32>,
    others: HashMap<(u32, u32), u32, FixedState>,
}

impl Children {
    /// For symbols below this number.
    pub(super) fn new(alphabet: usize) -> Self {
        Self { alphabet, row_of: Vec::new(), rows: Vec::new(), others: HashMap::default() }
    }

    /// The place of a node's child in the rows, if the node has one.
    fn place(&self, node: u32, symbol: u32) -> Option<usize> {
        let row = *self.row_of.get(node as usize)?;
        (row != NONE && (symbol as usize) < self.alphabet)
            .then(|| row as usize * self.alphabet + symbol as usize)
    }

    pub(super) fn get(&self, node: u32, symbol: u32) -> Option<u32> {
        match self.place(node, symbol) {
            Some(place) => Some(self.rows[place]).filter(|&child| child != NONE),
            None => self.others.get(&(node, symbol)).copied(),
        }
    }

    pub(super) fn insert(&mut self, node: u32, symbol: u32, child: u32) {
        if self.row_of.len() <= node as usize {
            self.row_of.resize(node as usize + 1, NONE);
        }
        let fits = self.rows.len() + self.alphabet <= MOST_ENTRIES;
        if self.row_of[node as usize] == NONE && fits && self.alphabet > 0 {
            self.row_of[node as usize] = (self.rows.len() / self.alphabet) as u32;
            self.rows.resize(self.rows.len() + self.alphabet, NONE);
        }
        match self.place(node, symbol) {
            Some(place) => self.rows[place] = child,
            None => {
                self.others.insert((node, symbol), child);
            }
        }
    }

    /// Forgets the children that are not to be kept.
    pub(super) fn retain(&mut self, keep: impl Fn(u32) -> bool) {
        self.rows
            .iter_mut()
            .filter(|child| **child != NONE && !keep(**child))
            .for_each(|child| *child = NONE);
        self.others.retain(|_, child| keep(*child));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_and_the_map_hold_the_same() {
        // The first 1,024 nodes have rows of 1,024 entries, the others do not.
        let mut children = Children::new(1024);
        let pairs: Vec<(u32, u32)> = (0..3000).map(|at| (at % 1500, (at * 7) % 1024)).collect();
        for (child, &(node, symbol)) in pairs.iter().enumerate() {
            children.insert(node, symbol, child as u32);
        }
        assert!(!children.others.is_empty() && children.rows.len() <= MOST_ENTRIES);
        for (child, &(node, symbol)) in pairs.iter().enumerate() {
            assert_eq!(children.get(node, symbol), Some(child as u32));
        }
        assert_eq!((children.get(0, 1), children.get(1400, 1), children.get(5000, 0)), (None, None, None));
        children.retain(|child| child % 2 == 0);
        for (child, &(node, symbol)) in pairs.iter().enumerate() {
            assert_eq!(children.get(node, symbol), (child % 2 == 0).then_some(child as u32));
        }
    }
}

//! Traversal of a tree from left to right, with separate events for closing brackets.

use super::structure::{NodeRef, Tree};

/// One step of a walk.
#[derive(Clone, Copy, Debug)]
pub enum Visit<'t> {
    /// A bracket begins.
    Open(NodeRef<'t>),
    /// A word.
    Word(NodeRef<'t>),
    /// The last opened bracket that is still open ends.
    Close(NodeRef<'t>),
}

/// Iterator over the steps of a walk; see [`NodeRef::walk`].
#[derive(Clone, Debug)]
pub struct Walk<'t> {
    nodes: std::ops::Range<usize>,
    tree: &'t Tree,
    open: Vec<NodeRef<'t>>,
}

impl<'t> Walk<'t> {
    pub(super) fn new(tree: &'t Tree, nodes: std::ops::Range<usize>) -> Self {
        Self { nodes, tree, open: Vec::new() }
    }
}

impl<'t> Iterator for Walk<'t> {
    type Item = Visit<'t>;

    fn next(&mut self) -> Option<Visit<'t>> {
        if let Some(node) = self.open.pop_if(|node| node.subtree_end() <= self.nodes.start) {
            return Some(Visit::Close(node));
        }
        let node = self.tree.node(self.nodes.next()?);
        if node.is_word() {
            return Some(Visit::Word(node));
        }
        self.open.push(node);
        Some(Visit::Open(node))
    }
}

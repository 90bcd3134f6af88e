//! The tree: nodes in pre-order over one text buffer.

use std::fmt;
use std::ops::Range;

use super::walk::Walk;

/// Kind of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// A bracket with a label.
    Phrase,
    /// A terminal.
    Word,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Node {
    /// `text[text_start..text_end]` is the label or the word.
    pub(super) text_start: u32,
    pub(super) text_end: u32,
    /// Index after the last node of the subtree: the next sibling, if any.
    pub(super) subtree_end: u32,
    /// The words below are `first_word..last_word`.
    pub(super) first_word: u32,
    pub(super) last_word: u32,
    pub(super) kind: Kind,
}

/// A constituency tree.
///
/// ```
/// let tree: eigentree_corpus::tree::Tree = "(S (NP (DT the) (NN dog)) (VP (VBZ barks)))".parse()?;
/// assert_eq!(tree.words().collect::<Vec<_>>(), ["the", "dog", "barks"]);
/// let np = tree.root().children().next().unwrap();
/// assert_eq!((np.label(), np.span()), ("NP", 0..2));
/// # Ok::<(), eigentree_corpus::error::ReadError>(())
/// ```
// Trees are equal if their arrays are, because only `TreeBuilder` creates trees, and it stores the text in pre-order.
#[derive(Clone, PartialEq, Eq)]
pub struct Tree {
    pub(super) text: String,
    /// Pre-order; the root is node 0, so there is at least one node.
    pub(super) nodes: Vec<Node>,
}

impl Tree {
    /// The topmost node.
    pub fn root(&self) -> NodeRef<'_> {
        NodeRef { tree: self, index: 0 }
    }

    /// The node number `index` in pre-order.
    pub(super) fn node(&self, index: usize) -> NodeRef<'_> {
        NodeRef { tree: self, index }
    }

    /// The whole tree from left to right.
    pub fn walk(&self) -> Walk<'_> {
        self.root().walk()
    }

    /// All nodes in pre-order, words included.
    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = NodeRef<'_>> + ExactSizeIterator {
        (0..self.nodes.len()).map(|index| NodeRef { tree: self, index })
    }

    /// The words from left to right.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        self.nodes().filter(|node| node.is_word()).map(|node| node.text())
    }

    /// The preterminals from left to right.
    pub fn preterminals(&self) -> impl Iterator<Item = NodeRef<'_>> {
        self.nodes().filter(|node| node.is_preterminal())
    }

    /// The labels of the preterminals from left to right.
    pub fn tags(&self) -> impl Iterator<Item = &str> {
        self.preterminals().map(|node| node.text())
    }

    /// Number of words.
    pub fn word_count(&self) -> usize {
        self.nodes[0].last_word as usize
    }

    /// Number of nodes, including words.
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }
}

impl fmt::Display for Tree {
    /// One line of Penn brackets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&crate::format::penn::to_line(self))
    }
}

impl fmt::Debug for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl std::str::FromStr for Tree {
    type Err = crate::error::ReadError;

    /// Reads exactly one tree in Penn brackets.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        crate::format::penn::parse_one(text)
    }
}

/// A node of a tree.
#[derive(Clone, Copy)]
pub struct NodeRef<'t> {
    tree: &'t Tree,
    index: usize,
}

impl<'t> NodeRef<'t> {
    fn node(self) -> &'t Node {
        &self.tree.nodes[self.index]
    }

    /// Position in pre-order, counted from 0.
    pub fn index(self) -> usize {
        self.index
    }

    /// The label of a phrase or the form of a word.
    pub fn text(self) -> &'t str {
        let node = self.node();
        &self.tree.text[node.text_start as usize..node.text_end as usize]
    }

    /// The label of a phrase; empty for a word.
    pub fn label(self) -> &'t str {
        if self.is_word() { "" } else { self.text() }
    }

    /// Whether this is a terminal.
    pub fn is_word(self) -> bool {
        self.node().kind == Kind::Word
    }

    /// Whether this is a bracket with exactly one word in it.
    pub fn is_preterminal(self) -> bool {
        let below = self.index + 1;
        self.node().subtree_end as usize == below + 1 && self.tree.nodes[below].kind == Kind::Word
    }

    /// The word of a preterminal.
    pub fn word(self) -> Option<&'t str> {
        self.is_preterminal().then(|| NodeRef { tree: self.tree, index: self.index + 1 }.text())
    }

    /// Positions of the words below.
    pub fn span(self) -> Range<usize> {
        let node = self.node();
        node.first_word as usize..node.last_word as usize
    }

    /// The children from left to right.
    pub fn children(self) -> Children<'t> {
        Children { tree: self.tree, next: self.index + 1, end: self.node().subtree_end as usize }
    }

    /// The child, if there is exactly one.
    pub fn only_child(self) -> Option<NodeRef<'t>> {
        let mut children = self.children();
        let first = children.next()?;
        children.next().is_none().then_some(first)
    }

    /// This node and all below it, in pre-order.
    pub fn descendants(self) -> impl DoubleEndedIterator<Item = NodeRef<'t>> {
        let tree = self.tree;
        (self.index..self.node().subtree_end as usize).map(move |index| NodeRef { tree, index })
    }

    /// The subtree from left to right.
    pub fn walk(self) -> Walk<'t> {
        Walk::new(self.tree, self.index..self.subtree_end())
    }

    /// Index after the last node of the subtree.
    pub fn subtree_end(self) -> usize {
        self.node().subtree_end as usize
    }
}

impl fmt::Debug for NodeRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:?}", self.text(), self.span())
    }
}

/// Iterator over the children of a node.
#[derive(Clone)]
pub struct Children<'t> {
    tree: &'t Tree,
    next: usize,
    end: usize,
}

impl<'t> Iterator for Children<'t> {
    type Item = NodeRef<'t>;

    fn next(&mut self) -> Option<NodeRef<'t>> {
        if self.next >= self.end {
            return None;
        }
        let index = self.next;
        self.next = self.tree.nodes[index].subtree_end as usize;
        Some(NodeRef { tree: self.tree, index })
    }
}

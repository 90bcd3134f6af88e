//! Positions of the nodes of a tree: words side by side, each phrase centred over its parts.
//!
//! Lengths are integers in a unit of the caller's choice, such as terminal columns or tenths of a pixel.

use crate::tree::{NodeRef, Tree};

/// Positions of all nodes, by their pre-order number.
pub(super) struct Layout {
    /// `left[n] .. left[n] + width[n]` is the range of node `n` and its descendants.
    left: Vec<usize>,
    width: Vec<usize>,
    center: Vec<usize>,
    /// Depth of the node.
    pub(super) depth: Vec<usize>,
    /// The level of the tags: below all phrases.
    pub(super) tag_depth: usize,
}

/// Whether `node` is in the lowest two rows: a preterminal with its word.
pub(super) fn is_leaf(node: NodeRef<'_>) -> bool {
    node.is_preterminal() || node.is_word()
}

/// The nodes that are drawn, in pre-order: all except words inside preterminals.
pub(super) fn units(tree: &Tree) -> impl Iterator<Item = NodeRef<'_>> {
    let mut inside = usize::MAX;
    tree.nodes().filter(move |node| {
        let hidden = node.index() == inside;
        if node.is_preterminal() {
            inside = node.index() + 1;
        }
        !hidden
    })
}

/// Tag and word of a leaf.
pub(super) fn leaf_texts(leaf: NodeRef<'_>) -> (&str, &str) {
    (leaf.label(), leaf.word().unwrap_or_else(|| leaf.text()))
}

impl Layout {
    /// Places the nodes of `tree` at least `gap` apart. `measure` gives the lengths of their texts.
    pub(super) fn new(tree: &Tree, measure: impl Fn(&str) -> usize, gap: usize) -> Self {
        let count = tree.node_count();
        let (mut width, mut inner) = (vec![0; count], vec![0; count]);
        for node in tree.nodes().rev() {
            let at = node.index();
            if is_leaf(node) {
                let (tag, word) = leaf_texts(node);
                width[at] = measure(tag).max(measure(word)).max(1);
                continue;
            }
            let mut children = 0;
            for child in node.children() {
                inner[at] += width[child.index()];
                children += 1;
            }
            inner[at] += gap * usize::saturating_sub(children, 1);
            width[at] = measure(node.text()).max(inner[at]).max(1);
        }
        let (mut left, mut depth) = (vec![0; count], vec![0; count]);
        let mut tag_depth = 0;
        for node in tree.nodes().filter(|&node| !is_leaf(node)) {
            let at = node.index();
            let mut start = left[at] + (width[at] - inner[at]) / 2;
            tag_depth = tag_depth.max(depth[at] + 1);
            for child in node.children() {
                left[child.index()] = start;
                depth[child.index()] = depth[at] + 1;
                start += width[child.index()] + gap;
            }
        }
        let mut center = vec![0; count];
        for node in tree.nodes().rev() {
            let at = node.index();
            center[at] = match (node.children().next(), node.children().last()) {
                (Some(first), Some(last)) if !is_leaf(node) => {
                    usize::midpoint(center[first.index()], center[last.index()])
                }
                _ => left[at] + (width[at] - 1) / 2,
            };
        }
        Self { left, width, center, depth, tag_depth }
    }

    /// Total width.
    pub(super) fn total_width(&self) -> usize {
        self.width[0]
    }

    /// The centre of a node, where lines meet it.
    pub(super) fn center(&self, node: NodeRef<'_>) -> usize {
        self.center[node.index()]
    }

    /// Start of a text of length `length` in `node`: centred, but within the range of the node.
    pub(super) fn text_start(&self, node: NodeRef<'_>, length: usize) -> usize {
        let at = node.index();
        let end = self.left[at] + self.width[at];
        let start = self.center[at].saturating_sub(length.saturating_sub(1) / 2);
        start.min(end.saturating_sub(length)).max(self.left[at])
    }

    /// The level at which a node is drawn.
    pub(super) fn level(&self, node: NodeRef<'_>) -> usize {
        if is_leaf(node) { self.tag_depth } else { self.depth[node.index()] }
    }
}

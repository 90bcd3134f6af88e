//! Construction of a tree from left to right and top-down: open, word, close.

use super::structure::{Kind, Node, NodeRef, Tree};
use super::walk::Visit;

/// Builds a [`Tree`] in pre-order.
///
/// ```
/// use eigentree_corpus::tree::TreeBuilder;
/// let mut builder = TreeBuilder::new();
/// builder.open("NP");
/// builder.preterminal("NN", "dogs");
/// builder.close();
/// assert_eq!(builder.finish().unwrap().to_string(), "(NP (NN dogs))");
/// ```
#[derive(Default)]
pub struct TreeBuilder {
    text: String,
    nodes: Vec<Node>,
    /// Indices of the open brackets.
    open: Vec<u32>,
    words: u32,
    /// Whether a second root was begun.
    closed_root: bool,
    broken: bool,
}

impl TreeBuilder {
    /// Creates an empty builder.
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates a builder with room for a tree of the size of `tree`.
    pub fn like(tree: &Tree) -> Self {
        Self {
            text: String::with_capacity(tree.text.len()),
            nodes: Vec::with_capacity(tree.nodes.len()),
            ..Self::default()
        }
    }

    fn push(&mut self, text: &str, kind: Kind) {
        let text_start = self.text.len();
        self.text.push_str(text);
        // A single tree beyond 4 GB of text cannot be addressed; `finish` then returns `None`.
        let (Ok(start), Ok(end)) = (u32::try_from(text_start), u32::try_from(self.text.len())) else {
            self.broken = true;
            return;
        };
        self.broken |= self.closed_root;
        self.nodes.push(Node {
            text_start: start,
            text_end: end,
            subtree_end: 0,
            first_word: self.words,
            last_word: self.words,
            kind,
        });
    }

    fn seal(&mut self, index: usize) {
        let end = self.nodes.len() as u32;
        if let Some(node) = self.nodes.get_mut(index) {
            node.subtree_end = end;
            node.last_word = self.words;
        }
        self.closed_root |= self.open.is_empty();
    }

    /// Opens a bracket.
    pub fn open(&mut self, label: &str) {
        let index = self.nodes.len() as u32;
        self.push(label, Kind::Phrase);
        self.open.push(index);
    }

    /// Appends to the label of the last opened bracket, before anything is added to it.
    pub fn extend_label(&mut self, more: &str) {
        if let (Some(&index), true) =
            (self.open.last(), self.open.last() == self.nodes.len().checked_sub(1).map(|i| i as u32).as_ref())
        {
            self.text.push_str(more);
            match u32::try_from(self.text.len()) {
                Ok(end) => self.nodes[index as usize].text_end = end,
                Err(_) => self.broken = true,
            }
        } else {
            self.broken = true;
        }
    }

    /// Adds a terminal.
    pub fn word(&mut self, form: &str) {
        let index = self.nodes.len();
        self.push(form, Kind::Word);
        self.words += 1;
        self.seal(index);
    }

    /// Closes the innermost bracket.
    pub fn close(&mut self) {
        match self.open.pop() {
            Some(index) => self.seal(index as usize),
            None => self.broken = true,
        }
    }

    /// Adds a bracket with one word in it.
    pub fn preterminal(&mut self, tag: &str, form: &str) {
        self.open(tag);
        self.word(form);
        self.close();
    }

    /// Adds a copy of the subtree at `node`.
    pub fn copy(&mut self, node: NodeRef<'_>) {
        for visit in node.walk() {
            match visit {
                Visit::Open(node) => self.open(node.text()),
                Visit::Word(node) => self.word(node.text()),
                Visit::Close(_) => self.close(),
            }
        }
    }

    /// Number of words so far.
    pub fn word_count(&self) -> usize {
        self.words as usize
    }

    /// The tree, or `None` if the brackets do not form exactly one.
    pub fn finish(self) -> Option<Tree> {
        let whole = !self.broken && self.open.is_empty() && !self.nodes.is_empty();
        whole.then_some(Tree { text: self.text, nodes: self.nodes })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unbalanced_building_gives_no_tree() {
        let mut open = TreeBuilder::new();
        open.open("S");
        assert!(open.finish().is_none());

        let mut twice = TreeBuilder::new();
        twice.preterminal("NN", "a");
        twice.preterminal("NN", "b");
        assert!(twice.finish().is_none());

        let mut closed = TreeBuilder::new();
        closed.close();
        closed.preterminal("NN", "a");
        assert!(closed.finish().is_none());
        assert!(TreeBuilder::new().finish().is_none());
    }

    #[test]
    fn a_copy_equals_its_original() {
        let tree: Tree = "(S (NP (DT the) (NN dog)) (VP (VBZ barks)))".parse().unwrap();
        let mut builder = TreeBuilder::like(&tree);
        builder.copy(tree.root());
        assert_eq!(builder.finish().unwrap(), tree);
    }
}

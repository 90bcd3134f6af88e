//! Vertical Markov order: each label remembers its ancestors, `NP^S` (Johnson 1998; Klein and Manning 2003).

use super::marks::{self, ANCESTOR};
use super::{Tree, TreeBuilder, Visit};

/// Which nodes are annotated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Annotated {
    /// Nodes above preterminals only.
    #[default]
    Phrases,
    /// Preterminals too.
    PhrasesAndTags,
}

/// Annotates each label with the nearest `order - 1` ancestors. Order 1 is the plain tree. There are no ancestors above
/// the root, and in a unary chain the bottom label is the ancestor.
pub fn annotate_parents(tree: &Tree, order: usize, annotated: Annotated) -> Tree {
    let mut builder = TreeBuilder::like(tree);
    let mut ancestors: Vec<&str> = Vec::new();
    for visit in tree.walk() {
        match visit {
            Visit::Open(node) => {
                builder.open(node.text());
                if annotated == Annotated::PhrasesAndTags || !node.is_preterminal() {
                    for label in ancestors.iter().rev().take(order.saturating_sub(1)) {
                        builder.extend_label(ANCESTOR.encode_utf8(&mut [0; 4]));
                        builder.extend_label(marks::chain_bottom(label));
                    }
                }
                ancestors.push(node.text());
            }
            Visit::Word(node) => builder.word(node.text()),
            Visit::Close(_) => {
                ancestors.pop();
                builder.close();
            }
        }
    }
    builder.finish().expect("a tree was walked in order")
}

/// The inverse of [`annotate_parents`].
pub fn remove_parents(tree: &Tree) -> Tree {
    marks::relabel(tree, |label| label.split(ANCESTOR).next().unwrap_or(label).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_and_nodes() {
        let tree: Tree = "(S (NP|NN a) (VP (VB b) (S|VP (VB c) (NP (NN d) (NN e)))))".parse().unwrap();
        assert_eq!(annotate_parents(&tree, 1, Annotated::PhrasesAndTags), tree);
        let second = annotate_parents(&tree, 2, Annotated::Phrases);
        assert_eq!(second.to_string(), "(S (NP|NN a) (VP^S (VB b) (S|VP^VP (VB c) (NP^VP (NN d) (NN e)))))");
        let third = annotate_parents(&tree, 3, Annotated::PhrasesAndTags);
        assert_eq!(
            third.to_string(),
            "(S (NP|NN^S a) (VP^S (VB^VP^S b) (S|VP^VP^S (VB^VP^VP c) (NP^VP^VP (NN^NP^VP d) (NN^NP^VP e)))))"
        );
        assert_eq!(remove_parents(&third), tree);
    }
}

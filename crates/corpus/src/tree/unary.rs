//! Unary chains as single labels: `(S (VP (VB go)))` is `(S|VP|VB go)`.
//!
//! A chart parser for binary rules then needs no unary step, and no infinite chain can arise. Labels must be free of
//! marks: see [`marks::protect`](super::marks::protect).

use super::marks::CHAIN;
use super::{NodeRef, Tree, TreeBuilder};

/// Joins each chain of single-child nodes, preterminals included, into one node.
pub fn collapse(tree: &Tree) -> Tree {
    let mut builder = TreeBuilder::like(tree);
    let mut ends: Vec<usize> = Vec::new();
    let mut chained = false;
    for node in tree.nodes() {
        while ends.last().is_some_and(|&end| end <= node.index()) {
            ends.pop();
            builder.close();
        }
        if node.is_word() {
            builder.word(node.text());
            continue;
        }
        if chained {
            builder.extend_label("|");
            builder.extend_label(node.text());
        } else {
            builder.open(node.text());
            ends.push(node.subtree_end());
        }
        chained = has_single_phrase(node);
    }
    ends.iter().for_each(|_| builder.close());
    builder.finish().expect("a tree was walked in order")
}

fn has_single_phrase(node: NodeRef<'_>) -> bool {
    node.only_child().is_some_and(|child| !child.is_word())
}

/// The inverse of [`collapse`].
pub fn expand(tree: &Tree) -> Tree {
    let mut builder = TreeBuilder::like(tree);
    let mut ends: Vec<(usize, usize)> = Vec::new();
    for node in tree.nodes() {
        while let Some(&(end, opened)) = ends.last()
            && end <= node.index()
        {
            ends.pop();
            (0..opened).for_each(|_| builder.close());
        }
        if node.is_word() {
            builder.word(node.text());
        } else {
            let mut opened = 0;
            for label in node.text().split(CHAIN) {
                builder.open(label);
                opened += 1;
            }
            ends.push((node.subtree_end(), opened));
        }
    }
    for (_, opened) in ends {
        (0..opened).for_each(|_| builder.close());
    }
    builder.finish().expect("a tree was walked in order")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chains_are_joined_and_parted() {
        let tree: Tree = "(S (NP (NN a)) (VP (VB b) (S (VP (VB c)))))".parse().unwrap();
        let collapsed = collapse(&tree);
        assert_eq!(collapsed.to_string(), "(S (NP|NN a) (VP (VB b) (S|VP|VB c)))");
        assert_eq!(expand(&collapsed), tree);
    }
}

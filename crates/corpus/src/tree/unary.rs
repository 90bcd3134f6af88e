//! Unary chains as single labels: `(S (VP (VB go)))` is `(S|VP|VB go)`.
//!
//! A chart parser for binary rules then needs no unary step, and infinite chains are impossible. Labels must not
//! contain marks: see [`marks::protect`](super::marks::protect).

use super::marks::CHAIN;
use super::{NodeRef, Tree, TreeBuilder, Visit};

/// Joins each chain of single-child nodes, including preterminals, into one node.
pub fn collapse(tree: &Tree) -> Tree {
    let mut builder = TreeBuilder::like(tree);
    let mut in_chain = false;
    for visit in tree.walk() {
        match visit {
            Visit::Open(node) => {
                if in_chain {
                    builder.extend_label(CHAIN.encode_utf8(&mut [0; 4]));
                    builder.extend_label(node.text());
                } else {
                    builder.open(node.text());
                }
                in_chain = has_single_phrase(node);
            }
            Visit::Word(node) => builder.word(node.text()),
            // The bottom of a chain closes the node that represents it.
            Visit::Close(node) if has_single_phrase(node) => {}
            Visit::Close(_) => builder.close(),
        }
    }
    builder.finish().expect("a tree was walked in order")
}

fn has_single_phrase(node: NodeRef<'_>) -> bool {
    node.only_child().is_some_and(|child| !child.is_word())
}

/// The inverse of [`collapse`].
pub fn expand(tree: &Tree) -> Tree {
    let mut builder = TreeBuilder::like(tree);
    for visit in tree.walk() {
        match visit {
            Visit::Open(node) => node.text().split(CHAIN).for_each(|label| builder.open(label)),
            Visit::Word(node) => builder.word(node.text()),
            Visit::Close(node) => node.text().split(CHAIN).for_each(|_| builder.close()),
        }
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

//! The root node above the sentence.

use super::{Tree, TreeBuilder};
use crate::format::penn::TOP_LABELS;

/// The tree below a root node (`ROOT`, `TOP`, …) with a single phrase under it; any other tree unchanged.
///
/// A grammar then starts from the categories themselves, with a probability for each, instead of from one symbol that
/// hides them.
pub fn unwrap_root(tree: Tree) -> Tree {
    let root = tree.root();
    let inner = match root.only_child() {
        Some(child)
            if TOP_LABELS.contains(&root.label()) && !child.is_word() && child.label() != root.label() =>
        {
            child
        }
        _ => return tree,
    };
    let mut builder = TreeBuilder::like(&tree);
    builder.copy(inner);
    builder.finish().expect("a subtree is a tree")
}

/// The inverse of [`unwrap_root`] for a treebank whose root label is `label`.
pub fn wrap_root(tree: Tree, label: &str) -> Tree {
    if tree.root().label() == label {
        return tree;
    }
    let mut builder = TreeBuilder::like(&tree);
    builder.open(label);
    builder.copy(tree.root());
    builder.close();
    builder.finish().expect("a tree below a node is a tree")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_unary_top_is_removed() {
        let tree = |text: &str| text.parse::<Tree>().unwrap();
        assert_eq!(unwrap_root(tree("(ROOT (NP (NN a)))")), tree("(NP (NN a))"));
        assert_eq!(unwrap_root(tree("(ROOT (NP (NN a)) (, ,))")), tree("(ROOT (NP (NN a)) (, ,))"));
        assert_eq!(unwrap_root(tree("(S (NP (NN a)))")), tree("(S (NP (NN a)))"));
        assert_eq!(unwrap_root(tree("(ROOT a)")), tree("(ROOT a)"));
        for text in
            ["(ROOT (NP (NN a)))", "(ROOT (NP (NN a)) (, ,))", "(ROOT (ROOT (NN a)))", "(ROOT (NN a))"]
        {
            assert_eq!(wrap_root(unwrap_root(tree(text)), "ROOT"), tree(text));
        }
    }
}

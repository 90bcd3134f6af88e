//! Transforms of trees, in the one order in which they make sense.

use corpus::tree::binarize::{self, Direction, Horizontal};
use corpus::tree::markov::{self, Annotated};
use corpus::tree::strip::{StripConfig, strip};
use corpus::tree::{Tree, marks, root, unary};

/// Two children a node at most.
#[derive(Clone, Debug)]
pub struct Binarization {
    /// Which way.
    pub direction: Direction,
    /// How many siblings intermediate labels remember.
    pub horizontal: Horizontal,
}

/// What happens to the node above the sentence.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub enum RootLabel {
    /// It stays as it is.
    #[default]
    Keep,
    /// `ROOT`, `TOP` and the like go.
    Remove,
    /// A node with this label is put above trees that have another at their top.
    Add(String),
}

/// Whether a transform is applied.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Step {
    /// The tree stays as it is.
    #[default]
    Leave,
    /// It is.
    Apply,
}

/// What is done to trees; by default nothing. In this order: undone are binarisation, ancestors and chains; function tags
/// and empty elements go; the root is changed; chains are joined; ancestors are noted; nodes are split.
#[derive(Clone, Debug, Default)]
pub struct TreeTransforms {
    /// Undo binarisation and remove ancestors from labels.
    pub unbinarize: Step,
    /// Undo the joining of unary chains.
    pub expand: Step,
    /// Remove function tags and empty elements.
    pub strip: Option<StripConfig>,
    /// Change the top.
    pub root: RootLabel,
    /// Join unary chains.
    pub collapse: Step,
    /// Note ancestors: a vertical Markov order above 1.
    pub vertical: Option<usize>,
    /// Split nodes with many children.
    pub binarize: Option<Binarization>,
}

impl TreeTransforms {
    /// The tree transformed; `None` if nothing is left of it.
    ///
    /// Labels that hold the marks of these transforms are protected before marks are added, and restored when they are
    /// removed, so that the inverses give the tree back.
    pub fn apply(&self, mut tree: Tree) -> Option<Tree> {
        if self.unbinarize == Step::Apply {
            tree = markov::remove_parents(&binarize::unbinarize(&tree));
        }
        if self.expand == Step::Apply {
            tree = unary::expand(&tree);
        }
        if [self.unbinarize, self.expand].contains(&Step::Apply) {
            tree = marks::unprotect(tree);
        }
        if let Some(config) = &self.strip {
            tree = strip(&tree, config)?.0;
        }
        tree = match &self.root {
            RootLabel::Keep => tree,
            RootLabel::Remove => root::unwrap_root(tree),
            RootLabel::Add(label) => root::wrap_root(tree, label),
        };
        if self.collapse == Step::Apply || self.vertical.is_some() || self.binarize.is_some() {
            tree = marks::protect(tree);
        }
        if self.collapse == Step::Apply {
            tree = unary::collapse(&tree);
        }
        if let Some(order) = self.vertical.filter(|&order| order > 1) {
            tree = markov::annotate_parents(&tree, order, Annotated::Phrases);
        }
        if let Some(Binarization { direction, horizontal }) = &self.binarize {
            tree = binarize::binarize(&tree, direction, *horizontal);
        }
        Some(tree)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_inverses_give_the_tree_back() {
        let tree: Tree =
            "(ROOT (S (NP (PRP she)) (VP (VBD saw) (NP (PRP him)) (ADVP (RB again)) (A|B@C (X x))) (. .)))"
                .parse()
                .unwrap();
        let forward = TreeTransforms {
            collapse: Step::Apply,
            vertical: Some(2),
            binarize: Some(Binarization { direction: Direction::Right, horizontal: Horizontal::Order(1) }),
            ..TreeTransforms::default()
        };
        let back =
            TreeTransforms { unbinarize: Step::Apply, expand: Step::Apply, ..TreeTransforms::default() };
        let transformed = forward.apply(tree.clone()).unwrap();
        assert_ne!(transformed, tree);
        assert_eq!(back.apply(transformed).unwrap(), tree);
    }

    #[test]
    fn stripping_may_leave_nothing() {
        let strip = TreeTransforms { strip: Some(StripConfig::default()), ..TreeTransforms::default() };
        assert!(strip.apply("(S (NP (-NONE- *)))".parse().unwrap()).is_none());
        let tree = strip.apply("( (S (NP-SBJ-1 (NN a)) (NP (-NONE- *T*-1))))".parse().unwrap()).unwrap();
        assert_eq!(tree.to_string(), "( (S (NP (NN a))))");
    }
}

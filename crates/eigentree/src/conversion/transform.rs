//! Tree transforms, in the only order in which they make sense.

use corpus::tree::binarize::{self, Direction, Horizontal};
use corpus::tree::markov::{self, Annotated};
use corpus::tree::strip::{StripConfig, strip};
use corpus::tree::{Tree, marks, root, unary};

/// Binarisation: at most two children per node.
#[derive(Clone, Debug)]
pub struct Binarization {
    /// The direction.
    pub direction: Direction,
    /// The number of siblings recorded in intermediate labels.
    pub horizontal: Horizontal,
}

/// Treatment of the node above the sentence.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub enum RootLabel {
    /// Keep it.
    #[default]
    Keep,
    /// Remove `ROOT`, `TOP` and the like.
    Remove,
    /// Add a node with this label above trees that have another label at the top.
    Add(String),
}

/// Whether a transform is applied.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Step {
    /// It is not applied.
    #[default]
    Leave,
    /// It is applied.
    Apply,
}

/// Transforms of trees; by default none. They are applied in this order: undo binarisation, ancestor annotation and
/// chains; strip function tags and empty elements; change the root; collapse chains; annotate ancestors; binarise.
#[derive(Clone, Debug, Default)]
pub struct TreeTransforms {
    /// Undo binarisation and remove ancestors from labels.
    pub unbinarize: Step,
    /// Expand collapsed unary chains.
    pub expand: Step,
    /// Remove function tags and empty elements.
    pub strip: Option<StripConfig>,
    /// Change the node at the top.
    pub root: RootLabel,
    /// Collapse unary chains.
    pub collapse: Step,
    /// Annotate ancestors: a vertical Markov order above 1.
    pub vertical: Option<usize>,
    /// Binarise nodes with many children.
    pub binarize: Option<Binarization>,
}

impl TreeTransforms {
    /// The transformed tree; `None` if nothing is left of it.
    ///
    /// Labels that contain the marks of these transforms are escaped before marks are added and restored when they are
    /// removed, so that the inverses give the original tree.
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

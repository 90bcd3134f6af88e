//! The normal form of grammars: root unwrapped, chains collapsed, ancestors annotated, binary.

use super::binarize::{self, Direction, Horizontal};
use super::markov::{self, Annotated};
use super::{Tree, marks, root, unary};

/// A chain of transforms with its inverse.
///
/// ```
/// use eigentree_corpus::tree::{Tree, normal_form::NormalForm};
/// let tree: Tree = "(ROOT (S (NP (PRP she)) (VP (VBD saw) (NP (PRP him)) (ADVP (RB again)))))".parse()?;
/// let form = NormalForm::default();
/// let binary = form.apply(tree.clone());
/// assert_eq!(binary.to_string(), "(S (NP|PRP she) (VP (@VP~ADVP (VBD saw) (NP|PRP him)) (ADVP|RB again)))");
/// assert_eq!(form.invert(binary, "ROOT"), tree);
/// # Ok::<(), eigentree_corpus::error::ReadError>(())
/// ```
#[derive(Clone, Debug)]
pub struct NormalForm {
    /// Direction of binarisation.
    pub direction: Direction,
    /// Number of siblings that an intermediate node remembers.
    pub horizontal: Horizontal,
    /// Vertical order: 1 for plain labels, 2 for labels with their parent, and so on.
    pub vertical: usize,
    /// Which nodes remember their ancestors, if `vertical` is above 1.
    pub annotated: Annotated,
}

impl Default for NormalForm {
    fn default() -> Self {
        Self {
            direction: Direction::Left,
            horizontal: Horizontal::Order(1),
            vertical: 1,
            annotated: Annotated::Phrases,
        }
    }
}

impl NormalForm {
    /// Highest vertical order. Labels of a deep tree with all their ancestors would be as long as the square of its depth.
    pub const MOST_VERTICAL: usize = 16;

    /// The tree in normal form: each node has two children, or one word.
    pub fn apply(&self, tree: Tree) -> Tree {
        let tree = unary::collapse(&root::unwrap_root(marks::protect(tree)));
        let tree = match self.vertical {
            0 | 1 => tree,
            order => markov::annotate_parents(&tree, order, self.annotated),
        };
        binarize::binarize(&tree, &self.direction, self.horizontal)
    }

    /// The inverse of [`apply`](Self::apply), for a treebank whose root label is `top`.
    pub fn invert(&self, tree: Tree, top: &str) -> Tree {
        let tree = binarize::unbinarize(&tree);
        let tree = match self.vertical {
            0 | 1 => tree,
            _ => markov::remove_parents(&tree),
        };
        marks::unprotect(root::wrap_root(unary::expand(&tree), top))
    }
}

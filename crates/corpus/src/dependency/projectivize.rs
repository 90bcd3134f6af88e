//! Projectivisation of a tree by lifting arcs (J. Nivre and J. Nilsson, Pseudo-projective dependency parsing, ACL 2005,
//! section 2).
//!
//! Lifting `h → d` replaces it by `g → d`, where `g` is the head of `h`. As long as there is a non-projective arc, the
//! shortest one is lifted; ties go to the leftmost one (by its left end, then by its modifier, where the paper leaves
//! the order open). Arcs from the root are always projective, so lifting is always possible, and every lift moves a
//! word nearer to the root, so the process ends. Each lift takes one pass over the arcs: negligible for real sentences,
//! and well below a second for a thousand words with random heads.

use super::projectivity::{Dominance, arcs};
use super::{Arc, DependencyTree, Head};

/// A word whose arc was lifted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LiftedArc {
    /// Index of the word, from 0.
    pub modifier: usize,
    /// Original head.
    pub original: Head,
}

/// A projective tree and the arcs that were lifted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Projectivized {
    /// The projective tree, with the labels of the original.
    pub tree: DependencyTree,
    /// The words whose head changed, from left to right. Empty if the tree was already projective.
    pub lifted: Vec<LiftedArc>,
}

/// Lifts arcs until `tree` is projective.
///
/// ```
/// use eigentree_corpus::dependency::{DependencyTree, Head, RootRule, projectivize::projectivize};
/// let heads = [2, 0, 1].map(|number| Head::from_number(number).unwrap()).to_vec();
/// let result = projectivize(&DependencyTree::new(heads, RootRule::Single)?);
/// assert_eq!(result.tree.head(2), Head::word(1));
/// assert_eq!(result.lifted.len(), 1);
/// # Ok::<(), eigentree_corpus::dependency::TreeError>(())
/// ```
pub fn projectivize(tree: &DependencyTree) -> Projectivized {
    if tree.is_projective() {
        return Projectivized { tree: tree.clone(), lifted: Vec::new() };
    }
    let mut heads = tree.heads().to_vec();
    while let Some(arc) = shortest_non_projective_arc(&heads) {
        let Some(head) = arc.head.index() else { break };
        heads[arc.modifier] = heads[head];
    }
    let changed = arcs(tree.heads()).zip(&heads).filter(|(arc, head)| arc.head != **head);
    let lifted = changed.map(|(arc, _)| LiftedArc { modifier: arc.modifier, original: arc.head }).collect();
    let tree = DependencyTree::from_sound_parts(heads, tree.labels().map(<[_]>::to_vec));
    Projectivized { tree, lifted }
}

fn shortest_non_projective_arc(heads: &[Head]) -> Option<Arc> {
    let dominance = Dominance::of_heads(heads);
    let rank = |arc: Arc| (arc.length(), arc.head.number().min(arc.modifier + 1), arc.modifier);
    let mut shortest: Option<Arc> = None;
    for arc in arcs(heads) {
        // The test visits every word under the arc, so skip arcs that cannot win.
        let can_win = shortest.is_none_or(|shortest| rank(arc) < rank(shortest));
        if can_win && !dominance.is_projective(arc) {
            shortest = Some(arc);
        }
    }
    shortest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dependency::RootRule;

    #[test]
    fn the_shortest_arc_goes_first() {
        // 1 ← 3 crosses the root's arc to 2; 5 ← 1 is longer. Lifting the shorter one first leaves 5 under 1's new head.
        let heads = [3, 0, 2, 2, 1].map(|number| Head::from_number(number).unwrap()).to_vec();
        let tree = DependencyTree::new(heads, RootRule::Single).unwrap();
        let result = projectivize(&tree);
        let heads: Vec<usize> = result.tree.heads().iter().map(|head| head.number()).collect();
        assert_eq!(heads, [2, 0, 2, 2, 2]);
        assert_eq!(result.lifted.iter().map(|arc| arc.modifier).collect::<Vec<_>>(), [0, 4]);
        assert!(result.tree.is_projective());
    }
}

//! Projectivity of arcs.
//!
//! An arc `h → d` is projective if `h` dominates every word between the two. A tree is projective if all its arcs are
//! or, equivalently, if the words dominated by any word are contiguous. The artificial root is left of the first word,
//! and its arc counts: a tree whose other arcs span the root word is not projective.

use super::{Children, DependencyTree, Head};

/// An arc of a tree.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Arc {
    /// Head of the arc.
    pub head: Head,
    /// Index of the modifier, counted from 0.
    pub modifier: usize,
}

impl Arc {
    /// Distance between the two ends, in positions.
    pub fn length(self) -> usize {
        self.head.number().abs_diff(self.modifier + 1)
    }
}

impl DependencyTree {
    /// Whether all arcs are projective. Linear in the number of words.
    pub fn is_projective(&self) -> bool {
        let heads = self.heads();
        let order = self.children().breadth_first();
        let mut extents: Vec<Extent> = (0..heads.len()).map(Extent::of_word).collect();
        for &word in order.iter().rev() {
            let extent = extents[word as usize];
            if extent.last - extent.first + 1 != extent.size {
                return false;
            }
            if let Some(head) = heads[word as usize].index() {
                extents[head].absorb(extent);
            }
        }
        true
    }

    /// The arcs that are not projective, by modifier. Linear for a projective tree, at most quadratic otherwise.
    pub fn non_projective_arcs(&self) -> Vec<Arc> {
        if self.is_projective() {
            return Vec::new();
        }
        let dominance = Dominance::of_heads(self.heads());
        arcs(self.heads()).filter(|&arc| !dominance.is_projective(arc)).collect()
    }
}

/// All arcs, by modifier.
pub(super) fn arcs(heads: &[Head]) -> impl Iterator<Item = Arc> + '_ {
    heads.iter().enumerate().map(|(modifier, &head)| Arc { head, modifier })
}

/// The words covered by a word and its descendants: `size` words from `first` to `last`.
#[derive(Clone, Copy)]
struct Extent {
    first: usize,
    last: usize,
    size: usize,
}

impl Extent {
    fn of_word(word: usize) -> Self {
        Self { first: word, last: word, size: 1 }
    }

    fn absorb(&mut self, other: Extent) {
        self.first = self.first.min(other.first);
        self.last = self.last.max(other.last);
        self.size += other.size;
    }
}

/// Answers "does `h` dominate `w`?" in constant time: in a depth-first numbering, the descendants of `h` are an
/// interval.
pub(super) struct Dominance {
    /// Number of each word in the depth-first walk.
    entry: Vec<u32>,
    /// One past the last number below each word.
    exit: Vec<u32>,
}

impl Dominance {
    pub(super) fn of_heads(heads: &[Head]) -> Self {
        let children = Children::of_heads(heads);
        let order = children.breadth_first();
        // Sizes bottom-up, then entries top-down: each child begins where the previous one ended.
        let mut size = vec![1u32; heads.len()];
        for &word in order.iter().rev() {
            if let Some(head) = heads[word as usize].index() {
                size[head] += size[word as usize];
            }
        }
        let mut entry = vec![0u32; heads.len()];
        let mut root_next = 0;
        for &root in children.of(Head::ROOT) {
            entry[root as usize] = root_next;
            root_next += size[root as usize];
        }
        for &word in &order {
            let mut next = entry[word as usize] + 1;
            if let Some(head) = Head::word(word as usize) {
                for &child in children.of(head) {
                    entry[child as usize] = next;
                    next += size[child as usize];
                }
            }
        }
        let exit = entry.iter().zip(&size).map(|(entry, size)| entry + size).collect();
        Self { entry, exit }
    }

    pub(super) fn dominates(&self, head: Head, word: usize) -> bool {
        match head.index() {
            None => true,
            Some(head) => (self.entry[head]..self.exit[head]).contains(&self.entry[word]),
        }
    }

    pub(super) fn is_projective(&self, arc: Arc) -> bool {
        let modifier = arc.modifier + 1;
        let head = arc.head.number();
        // Strictly between, in numbers from 1; one less as indices from 0.
        let mut between = head.min(modifier)..head.max(modifier) - 1;
        between.all(|index| self.dominates(arc.head, index))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dependency::RootRule;

    fn tree(heads: &[usize]) -> Option<DependencyTree> {
        let heads = heads.iter().map(|&number| Head::from_number(number).unwrap()).collect();
        DependencyTree::new(heads, RootRule::Any).ok()
    }

    #[test]
    fn an_arc_over_the_root_word_is_not_projective() {
        // The modifier of the first word is the third; the second, in between, is the root word.
        let tree = tree(&[2, 0, 1]).unwrap();
        assert!(!tree.is_projective());
        let arcs = tree.non_projective_arcs();
        assert_eq!(arcs, [Arc { head: Head::word(0).unwrap(), modifier: 2 }]);
        assert_eq!(arcs[0].length(), 2);
    }

    /// By definition: two arcs cross if exactly one end of one lies strictly inside the other.
    fn some_arcs_cross(heads: &[usize]) -> bool {
        let ends: Vec<(usize, usize)> =
            heads.iter().enumerate().map(|(i, &head)| (head.min(i + 1), head.max(i + 1))).collect();
        ends.iter().any(|a| ends.iter().any(|b| a.0 < b.0 && b.0 < a.1 && a.1 < b.1))
    }

    fn dominates_by_walking(heads: &[usize], head: usize, mut word: usize) -> bool {
        while word != head && word != 0 {
            word = heads[word - 1];
        }
        word == head
    }

    #[test]
    fn all_trees_of_five_words_agree_with_the_definitions() {
        let (mut projective, mut single_rooted) = (0, 0);
        for code in 0..6usize.pow(5) {
            let heads: Vec<usize> = (0..5).map(|place| code / 6usize.pow(place) % 6).collect();
            let Some(tree) = tree(&heads) else { continue };
            assert_eq!(tree.is_projective(), !some_arcs_cross(&heads), "{heads:?}");
            let expected: Vec<Arc> = arcs(tree.heads())
                .filter(|arc| {
                    let (head, modifier) = (arc.head.number(), arc.modifier + 1);
                    !(head.min(modifier) + 1..head.max(modifier))
                        .all(|word| dominates_by_walking(&heads, head, word))
                })
                .collect();
            assert_eq!(tree.non_projective_arcs(), expected, "{heads:?}");
            if expected.is_empty() {
                projective += 1;
                single_rooted += usize::from(heads.iter().filter(|&&head| head == 0).count() == 1);
            }
        }
        // Projective trees of n words: C(3n, n) / (2n + 1) with any number of roots, C(3n - 2, n - 1) / n with one.
        assert_eq!((projective, single_rooted), (273, 143));
    }
}

//! Head-outward modifier sequences: the view of a projective tree that head automata generate.
//!
//! For every head `h` and direction `d`, the modifiers `x_1 … x_T` of `h` on side `d`, nearest first (J. Eisner and G.
//! Satta, Efficient parsing for bilexical context-free grammars and head automaton grammars, ACL 1999). The artificial
//! root has modifiers only on its right.
//!
//! The sequences determine the word order: the subtrees of the left modifiers, outermost first, then the head, then the
//! subtrees of the right modifiers, innermost first. [`ModifierSequences::arrange`] computes it, so sequences sampled
//! from a model become a sentence with its tree, and the sequences of a projective tree give that tree back.

use super::{DependencyTree, Head};

/// A side of a head.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Direction {
    /// Before the head.
    Left,
    /// After the head.
    Right,
}

impl Direction {
    /// Both sides.
    pub const BOTH: [Direction; 2] = [Direction::Left, Direction::Right];

    /// `left` or `right`.
    pub fn name(self) -> &'static str {
        match self {
            Direction::Left => "left",
            Direction::Right => "right",
        }
    }
}

/// Why a tree has no modifier sequences, or why sequences do not form a tree.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ModifierError {
    /// The sequences of a non-projective tree do not determine the word order.
    #[error("the tree is not projective; projectivise it first")]
    NotProjective,
    /// There are no words.
    #[error("modifier sequences need at least one word")]
    Empty,
    /// A modifier does not exist.
    #[error("the modifier {modifier} does not exist among {words} words")]
    OutOfRange {
        /// Its index.
        modifier: usize,
        /// Number of words.
        words: usize,
    },
    /// A word occurs more than once.
    #[error("word {modifier} occurs twice in the sequences")]
    Repeated {
        /// Its index.
        modifier: usize,
    },
    /// A word cannot be reached from the root.
    #[error("word {modifier} cannot be reached from the root")]
    Unreachable {
        /// Its index.
        modifier: usize,
    },
}

/// The modifier sequences of a tree.
///
/// ```
/// use eigentree_corpus::dependency::{DependencyTree, Direction, Head, ModifierSequences, RootRule};
/// // "the old dogs bark", with bark as the root
/// let heads = [3, 3, 4, 0].map(|number| Head::from_number(number).unwrap()).to_vec();
/// let tree = DependencyTree::new(heads, RootRule::Single)?;
/// let sequences = ModifierSequences::of_tree(&tree)?;
/// assert_eq!(sequences.get(Head::word(2).unwrap(), Direction::Left), [1, 0]);
/// assert_eq!(sequences.arrange()?.tree, tree);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ModifierSequences {
    /// `items[starts[2h + d]..starts[2h + d + 1]]` are the modifiers of head number `h` in direction `d`.
    starts: Vec<u32>,
    items: Vec<u32>,
}

/// Words in the order implied by their sequences.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Arrangement {
    /// The tree over the words in that order, without labels.
    pub tree: DependencyTree,
    /// `order[i]` is the index, in the sequences, of the word at position `i`.
    pub order: Vec<usize>,
}

impl ModifierSequences {
    /// The sequences of a projective tree.
    pub fn of_tree(tree: &DependencyTree) -> Result<Self, ModifierError> {
        if !tree.is_projective() {
            return Err(ModifierError::NotProjective);
        }
        let children = tree.children();
        let mut starts = Vec::with_capacity(2 * tree.len() + 3);
        let mut items = Vec::with_capacity(tree.len());
        starts.push(0);
        for number in 0..=tree.len() {
            let modifiers = Head::from_number(number).map_or(&[][..], |head| children.of(head));
            // Word index `i` has number `i + 1`, so words left of head `number` have an index below `number`.
            let left = modifiers.partition_point(|&modifier| (modifier as usize) < number);
            items.extend(modifiers[..left].iter().rev());
            starts.push(items.len() as u32);
            items.extend(&modifiers[left..]);
            starts.push(items.len() as u32);
        }
        Ok(Self { starts, items })
    }

    /// Creates sequences from lists: `root` has the modifiers of the root, `sides[i]` those of word `i` to the left and
    /// to the right, all from the nearest outwards. Words may be numbered in any order; [`ModifierSequences::arrange`]
    /// finds the word order.
    pub fn from_lists(root: &[usize], sides: &[[Vec<usize>; 2]]) -> Result<Self, ModifierError> {
        let words = sides.len();
        let mut starts = vec![0, 0];
        let mut items = Vec::with_capacity(words);
        let mut seen = vec![false; words];
        let lists = std::iter::once(root).chain(sides.iter().flatten().map(Vec::as_slice));
        for list in lists {
            for &modifier in list {
                match seen.get_mut(modifier) {
                    None => return Err(ModifierError::OutOfRange { modifier, words }),
                    Some(true) => return Err(ModifierError::Repeated { modifier }),
                    Some(seen) => *seen = true,
                }
                items.push(
                    u32::try_from(modifier).map_err(|_| ModifierError::OutOfRange { modifier, words })?,
                );
            }
            starts.push(items.len() as u32);
        }
        if words == 0 {
            return Err(ModifierError::Empty);
        }
        match seen.iter().position(|&seen| !seen) {
            Some(modifier) => Err(ModifierError::Unreachable { modifier }),
            None => Ok(Self { starts, items }),
        }
    }

    /// Number of words.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Always false: there is at least one word.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The modifiers of `head` on one side, nearest first, as word indices; none for a head outside the sentence.
    pub fn get(&self, head: Head, direction: Direction) -> &[u32] {
        let place = 2 * head.number() + direction as usize;
        match (self.starts.get(place), self.starts.get(place + 1)) {
            (Some(&start), Some(&end)) => &self.items[start as usize..end as usize],
            _ => &[],
        }
    }

    /// The word order, and the projective tree over the words in that order.
    pub fn arrange(&self) -> Result<Arrangement, ModifierError> {
        enum Step {
            Expand(u32),
            Place(u32),
        }
        let modifiers = |word: u32, direction| match Head::word(word as usize) {
            Some(head) => self.get(head, direction),
            None => &[],
        };
        let mut order: Vec<usize> = Vec::with_capacity(self.len());
        let mut head_of = vec![Head::ROOT; self.len()];
        // What comes last in the sentence is pushed first. The stack is explicit, since chains can be as long as a
        // sentence.
        let mut stack: Vec<Step> =
            self.get(Head::ROOT, Direction::Right).iter().rev().map(|&word| Step::Expand(word)).collect();
        while let Some(step) = stack.pop() {
            match step {
                Step::Place(word) => order.push(word as usize),
                Step::Expand(word) => {
                    stack.extend(
                        modifiers(word, Direction::Right).iter().rev().map(|&right| Step::Expand(right)),
                    );
                    stack.push(Step::Place(word));
                    stack.extend(modifiers(word, Direction::Left).iter().map(|&left| Step::Expand(left)));
                    if let Some(head) = Head::word(word as usize) {
                        for direction in Direction::BOTH {
                            for &modifier in self.get(head, direction) {
                                head_of[modifier as usize] = head;
                            }
                        }
                    }
                }
            }
        }
        // Every word occurs once in the sequences, so words not visited belong to a separate cycle.
        let mut place = vec![None; self.len()];
        for (at, &word) in order.iter().enumerate() {
            place[word] = Head::word(at);
        }
        if let Some(modifier) = place.iter().position(Option::is_none) {
            return Err(ModifierError::Unreachable { modifier });
        }
        let heads = order
            .iter()
            .map(|&word| head_of[word].index().and_then(|head| place[head]).unwrap_or(Head::ROOT))
            .collect();
        Ok(Arrangement { tree: DependencyTree::from_sound_parts(heads, None), order })
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
    fn all_projective_trees_of_five_words_come_back() {
        let mut count = 0;
        for code in 0..6usize.pow(5) {
            let heads: Vec<usize> = (0..5).map(|place| code / 6usize.pow(place) % 6).collect();
            let Some(tree) = tree(&heads) else { continue };
            match ModifierSequences::of_tree(&tree) {
                Ok(sequences) => {
                    let arrangement = sequences.arrange().unwrap();
                    assert_eq!(arrangement.tree, tree);
                    assert_eq!(arrangement.order, [0, 1, 2, 3, 4]);
                    count += 1;
                }
                Err(error) => {
                    assert_eq!((error, tree.is_projective()), (ModifierError::NotProjective, false))
                }
            }
        }
        assert_eq!(count, 273);
    }

    #[test]
    fn sequences_in_any_numbering_find_their_order() {
        // Word 1 is the root word; 2 then 0 to its left, outwards; 3 to the right of 0.
        let sides = [[vec![], vec![3]], [vec![2, 0], vec![]], [vec![], vec![]], [vec![], vec![]]];
        let arrangement = ModifierSequences::from_lists(&[1], &sides).unwrap().arrange().unwrap();
        assert_eq!(arrangement.order, [0, 3, 2, 1]);
        assert_eq!(arrangement.tree, tree(&[4, 1, 4, 0]).unwrap());
    }

    #[test]
    fn lists_that_are_no_tree_are_refused() {
        let none = || [vec![], vec![]];
        assert_eq!(ModifierSequences::from_lists(&[], &[]), Err(ModifierError::Empty));
        assert_eq!(
            ModifierSequences::from_lists(&[1], &[none()]),
            Err(ModifierError::OutOfRange { modifier: 1, words: 1 })
        );
        assert_eq!(
            ModifierSequences::from_lists(&[0, 0], &[none()]),
            Err(ModifierError::Repeated { modifier: 0 })
        );
        assert_eq!(
            ModifierSequences::from_lists(&[], &[none()]),
            Err(ModifierError::Unreachable { modifier: 0 })
        );
        let cycle = [none(), [vec![2], vec![]], [vec![], vec![1]]];
        let sequences = ModifierSequences::from_lists(&[0], &cycle).unwrap();
        assert_eq!(sequences.arrange(), Err(ModifierError::Unreachable { modifier: 1 }));
    }

    #[test]
    fn a_very_deep_tree_needs_no_deep_stack() {
        let heads: Vec<usize> = (0..200_000).collect();
        let tree = tree(&heads).unwrap();
        assert_eq!(ModifierSequences::of_tree(&tree).unwrap().arrange().unwrap().tree, tree);
    }
}

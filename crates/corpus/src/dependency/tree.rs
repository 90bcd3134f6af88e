//! A head for every word, known to form a tree under the artificial root.

use super::{Children, Head};
use crate::format::conllu::Sentence;
use crate::ids::LabelId;
use crate::vocab::VocabBuilder;

/// Number of words that may depend on the artificial root.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum RootRule {
    /// Exactly one, as Universal Dependencies requires.
    #[default]
    Single,
    /// One or more, as in many CoNLL-X treebanks.
    Any,
}

/// Why heads do not form a tree. Words are numbered from 1, as in the file.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TreeError {
    /// There are no words.
    #[error("a dependency tree needs at least one word")]
    Empty,
    /// A word has no head.
    #[error("word {word} has no head; a tree needs a head for every word")]
    MissingHead {
        /// The word.
        word: usize,
    },
    /// A head is outside the sentence.
    #[error("word {word} has the head {head}, but the sentence has only {words} words")]
    HeadOutOfRange {
        /// The word.
        word: usize,
        /// Its head.
        head: Head,
        /// Words in the sentence.
        words: usize,
    },
    /// The word is its own ancestor, hence not connected to the root.
    #[error("word {word} is on a cycle of heads, so it is not connected to the root")]
    Cycle {
        /// A word on the cycle.
        word: usize,
    },
    /// More than one word depends on the root.
    #[error("the words {first} and {second} both depend on the root, but only one may")]
    SeveralRoots {
        /// The first such word.
        first: usize,
        /// The second.
        second: usize,
    },
    /// The numbers of labels and words differ.
    #[error("{labels} labels were given for {words} words")]
    LabelCount {
        /// Number of labels.
        labels: usize,
        /// Number of words.
        words: usize,
    },
}

/// A dependency tree. Words have indices from 0; [`Head`] numbers them from 1, with 0 for the root.
///
/// Every head is the root or a word, and following heads from any word ends at the root.
///
/// ```
/// use eigentree_corpus::dependency::{DependencyTree, Head, RootRule};
/// let heads = [2, 0, 2].map(|number| Head::from_number(number).unwrap()).to_vec();
/// let tree = DependencyTree::new(heads, RootRule::Single)?;
/// assert!(tree.is_projective());
/// assert_eq!(tree.children().of(Head::word(1).unwrap()), [0, 2]);
/// # Ok::<(), eigentree_corpus::dependency::TreeError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DependencyTree {
    heads: Vec<Head>,
    labels: Option<Vec<LabelId>>,
}

impl DependencyTree {
    /// The unlabelled tree in which the word at index `i` has the head `heads[i]`.
    pub fn new(heads: Vec<Head>, roots: RootRule) -> Result<Self, TreeError> {
        check(&heads, roots)?;
        Ok(Self { heads, labels: None })
    }

    /// The basic tree of a sentence, without labels.
    pub fn from_sentence(sentence: &Sentence, roots: RootRule) -> Result<Self, TreeError> {
        let heads = sentence
            .words()
            .enumerate()
            .map(|(index, word)| word.head().ok_or(TreeError::MissingHead { word: index + 1 }))
            .collect::<Result<Vec<Head>, TreeError>>()?;
        Self::new(heads, roots)
    }

    /// The basic tree of a sentence, with the DEPREL column as labels.
    pub fn labelled_from_sentence(
        sentence: &Sentence,
        roots: RootRule,
        vocab: &mut VocabBuilder<LabelId>,
    ) -> Result<Self, TreeError> {
        let mut tree = Self::from_sentence(sentence, roots)?;
        tree.labels = Some(sentence.words().map(|word| vocab.intern(word.deprel())).collect());
        Ok(tree)
    }

    /// The same tree with these labels, one per word.
    pub fn with_labels(self, labels: Vec<LabelId>) -> Result<Self, TreeError> {
        if labels.len() != self.len() {
            return Err(TreeError::LabelCount { labels: labels.len(), words: self.len() });
        }
        Ok(Self { labels: Some(labels), ..self })
    }

    /// Number of words.
    pub fn len(&self) -> usize {
        self.heads.len()
    }

    /// Always false: a tree has at least one word.
    pub fn is_empty(&self) -> bool {
        self.heads.is_empty()
    }

    /// The heads of all words, in order.
    pub fn heads(&self) -> &[Head] {
        &self.heads
    }

    /// The head of the word at `index`.
    pub fn head(&self, index: usize) -> Option<Head> {
        self.heads.get(index).copied()
    }

    /// The labels of all words, if the tree has labels.
    pub fn labels(&self) -> Option<&[LabelId]> {
        self.labels.as_deref()
    }

    /// The modifiers of every head.
    pub fn children(&self) -> Children {
        Children::of_heads(&self.heads)
    }

    /// Creates a tree from parts known to be valid.
    pub(super) fn from_sound_parts(heads: Vec<Head>, labels: Option<Vec<LabelId>>) -> Self {
        debug_assert!(check(&heads, RootRule::Any).is_ok());
        Self { heads, labels }
    }
}

fn check(heads: &[Head], roots: RootRule) -> Result<(), TreeError> {
    let words = heads.len();
    if words == 0 {
        return Err(TreeError::Empty);
    }
    let mut root = None;
    for (index, &head) in heads.iter().enumerate() {
        if head.number() > words {
            return Err(TreeError::HeadOutOfRange { word: index + 1, head, words });
        }
        if head.is_root() {
            match root {
                Some(first) if roots == RootRule::Single => {
                    return Err(TreeError::SeveralRoots { first, second: index + 1 });
                }
                Some(_) => {}
                None => root = Some(index + 1),
            }
        }
    }
    // Walk up from each word until the root or a visited word. A word visited on this very walk closes a cycle. Without
    // a cycle every walk ends at the root, so a missing root needs no check of its own.
    let mut seen_on_walk = vec![0usize; words];
    for start in 0..words {
        let mut at = start;
        while seen_on_walk[at] == 0 {
            seen_on_walk[at] = start + 1;
            match heads[at].index() {
                Some(next) => at = next,
                None => break,
            }
        }
        if seen_on_walk[at] == start + 1 && !heads[at].is_root() {
            return Err(TreeError::Cycle { word: at + 1 });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(heads: &[usize], roots: RootRule) -> Result<DependencyTree, TreeError> {
        DependencyTree::new(heads.iter().map(|&number| Head::from_number(number).unwrap()).collect(), roots)
    }

    #[test]
    fn sound_trees_pass() {
        for heads in [&[0][..], &[2, 0], &[0, 1, 2, 3], &[4, 4, 4, 0], &[3, 1, 0, 3]] {
            assert!(tree(heads, RootRule::Single).is_ok(), "{heads:?}");
        }
        assert!(tree(&[0, 0, 1], RootRule::Any).is_ok());
    }

    #[test]
    fn each_flaw_is_named() {
        let single = RootRule::Single;
        assert_eq!(tree(&[], single), Err(TreeError::Empty));
        assert_eq!(tree(&[0, 0], single), Err(TreeError::SeveralRoots { first: 1, second: 2 }));
        assert_eq!(tree(&[1], single), Err(TreeError::Cycle { word: 1 }));
        assert!(matches!(tree(&[0, 3, 2], single), Err(TreeError::Cycle { word: 2 | 3 })));
        // The cycle is reached only from outside.
        assert!(matches!(tree(&[2, 3, 2, 0], single), Err(TreeError::Cycle { word: 2 | 3 })));
        let head = Head::from_number(3).unwrap();
        assert_eq!(tree(&[0, 3], single), Err(TreeError::HeadOutOfRange { word: 2, head, words: 2 }));
    }

    #[test]
    fn all_head_arrays_of_four_words_agree_with_brute_force() {
        let mut trees = 0;
        for code in 0..5usize.pow(4) {
            let heads: Vec<usize> = (0..4).map(|place| code / 5usize.pow(place) % 5).collect();
            let reaches_root = |mut word: usize| {
                for _ in 0..4 {
                    word = heads[word - 1];
                    if word == 0 {
                        return true;
                    }
                }
                false
            };
            let sound = (1..=4).all(reaches_root);
            assert_eq!(tree(&heads, RootRule::Any).is_ok(), sound, "{heads:?}");
            trees += usize::from(sound);
        }
        // Cayley: (n + 1)^(n - 1) labelled trees on n words and a fixed root.
        assert_eq!(trees, 125);
    }
}

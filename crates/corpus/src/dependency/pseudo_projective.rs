//! Projective trees whose labels record what was lifted: the `Head` scheme of J. Nivre and J. Nilsson,
//! Pseudo-projective dependency parsing, ACL 2005, section 2.
//!
//! A word with label `r` whose arc was lifted from a head with label `p` gets the label `r↑p`. A parser learns such
//! labels like any others. Afterwards [`PseudoLabels::deprojectivize`] searches, for each word labelled `r↑p`, the
//! descendants of its head for one with label `p`, breadth first and from left to right, and attaches the word there.
//!
//! This is not an exact inverse: the first word with label `p` need not be the right one. If there is none, the word
//! stays where it is. Our own choices: words are moved back from the top of the tree downwards, from left to right in
//! each level; and the search excludes the descendants of the word itself, which would close a cycle.

use std::collections::VecDeque;

use super::projectivize::projectivize;
use super::{Children, DependencyTree, Head};
use crate::ids::{Id, LabelId};
use crate::vocab::{Vocab, VocabBuilder};

/// Separates the two labels.
pub const LIFT_MARK: char = '↑';

/// Why labels cannot be encoded or decoded.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PseudoLabelError {
    /// The tree has no labels in which to record lifts.
    #[error("cannot mark lifted arcs in a tree without labels")]
    Unlabelled,
    /// A label of the treebank contains the mark.
    #[error("the label {label:?} contains `{LIFT_MARK}`, which marks lifted arcs; rename the label first")]
    MarkInLabel {
        /// The label.
        label: String,
    },
    /// A marked label refers to an unknown label.
    #[error("the label {label:?} refers to {part:?}, which is not a label of this vocabulary")]
    UnknownPart {
        /// The marked label.
        label: String,
        /// The label that it refers to.
        part: String,
    },
    /// A label id belongs to another vocabulary.
    #[error("a label of the tree is not in the vocabulary of {labels} labels")]
    ForeignLabel {
        /// Size of the vocabulary.
        labels: usize,
    },
}

/// A projective tree with marked labels.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PseudoProjectivized {
    /// The tree.
    pub tree: DependencyTree,
    /// Number of lifted arcs.
    pub lifted: usize,
}

/// Lifts arcs until `tree` is projective and marks their labels. New labels are added to `vocab`, which must contain
/// the labels of the tree.
pub fn pseudo_projectivize(
    tree: &DependencyTree,
    vocab: &mut VocabBuilder<LabelId>,
) -> Result<PseudoProjectivized, PseudoLabelError> {
    let original = tree.labels().ok_or(PseudoLabelError::Unlabelled)?;
    for &label in original {
        if label.index() >= vocab.len() {
            return Err(PseudoLabelError::ForeignLabel { labels: vocab.len() });
        }
        if vocab.text(label).contains(LIFT_MARK) {
            return Err(PseudoLabelError::MarkInLabel { label: vocab.text(label).to_owned() });
        }
    }
    let result = projectivize(tree);
    let mut labels = original.to_vec();
    for arc in &result.lifted {
        // A lifted arc never starts at the root.
        let Some(head) = arc.original.index() else { continue };
        let marked =
            format!("{}{LIFT_MARK}{}", vocab.text(original[arc.modifier]), vocab.text(original[head]));
        labels[arc.modifier] = vocab.intern(&marked);
    }
    let tree = DependencyTree::from_sound_parts(result.tree.heads().to_vec(), Some(labels));
    Ok(PseudoProjectivized { tree, lifted: result.lifted.len() })
}

/// The labels of a vocabulary, split at the marks.
#[derive(Clone, Debug)]
pub struct PseudoLabels {
    /// For each label, the relation and the label of the head from which it was lifted.
    parts: Vec<(LabelId, Option<LabelId>)>,
}

impl PseudoLabels {
    /// Splits the labels of `vocab`. Every label that a marked label refers to must exist.
    pub fn of_vocab(vocab: &Vocab<LabelId>) -> Result<Self, PseudoLabelError> {
        let find = |label: &str, part: &str| {
            let missing = || PseudoLabelError::UnknownPart { label: label.to_owned(), part: part.to_owned() };
            vocab.get(part).ok_or_else(missing)
        };
        let parts = vocab
            .iter()
            .map(|(id, label)| match label.split_once(LIFT_MARK) {
                Some((relation, head)) => Ok((find(label, relation)?, Some(find(label, head)?))),
                None => Ok((id, None)),
            })
            .collect::<Result<_, _>>()?;
        Ok(Self { parts })
    }

    /// The relation of a label, without the mark.
    pub fn relation(&self, label: LabelId) -> Option<LabelId> {
        self.parts.get(label.index()).map(|&(relation, _)| relation)
    }

    /// Moves lifted words back and removes the marks from the labels.
    pub fn deprojectivize(&self, tree: &DependencyTree) -> Result<DependencyTree, PseudoLabelError> {
        let labels = tree.labels().ok_or(PseudoLabelError::Unlabelled)?;
        let parts = labels
            .iter()
            .map(|label| self.parts.get(label.index()).copied())
            .collect::<Option<Vec<_>>>()
            .ok_or(PseudoLabelError::ForeignLabel { labels: self.parts.len() })?;
        let mut heads = tree.heads().to_vec();
        for word in tree.children().breadth_first() {
            let word = word as usize;
            let Some(wanted) = parts[word].1 else { continue };
            let found = first_below(&heads, heads[word], word, |candidate| parts[candidate].0 == wanted);
            if let Some(head) = found.and_then(Head::word) {
                heads[word] = head;
            }
        }
        let relations = parts.iter().map(|&(relation, _)| relation).collect();
        Ok(DependencyTree::from_sound_parts(heads, Some(relations)))
    }
}

/// The first descendant of `top`, breadth first, that `accepts` returns true for; `excluded` and its descendants are
/// skipped.
fn first_below(heads: &[Head], top: Head, excluded: usize, accepts: impl Fn(usize) -> bool) -> Option<usize> {
    // Rebuilt for each lifted word, since the previous one changed the tree. Lifts are rare.
    let children = Children::of_heads(heads);
    let mut queue = VecDeque::from([top]);
    while let Some(head) = queue.pop_front() {
        for &child in children.of(head) {
            let child = child as usize;
            if child == excluded {
                continue;
            }
            if accepts(child) {
                return Some(child);
            }
            queue.extend(Head::word(child));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dependency::RootRule;

    fn labelled(heads: &[usize], labels: &[&str], vocab: &mut VocabBuilder<LabelId>) -> DependencyTree {
        let heads = heads.iter().map(|&number| Head::from_number(number).unwrap()).collect();
        let labels = labels.iter().map(|label| vocab.intern(label)).collect();
        DependencyTree::new(heads, RootRule::Single).unwrap().with_labels(labels).unwrap()
    }

    #[test]
    fn a_lifted_modifier_finds_its_way_back() {
        // "A hearing is scheduled on the issue today": the issue belongs to the hearing, across the verb.
        let mut vocab = VocabBuilder::new();
        let labels = ["det", "nsubj:pass", "aux:pass", "root", "case", "det", "nmod", "obl:tmod"];
        let tree = labelled(&[2, 4, 4, 0, 7, 7, 2, 4], &labels, &mut vocab);
        let encoded = pseudo_projectivize(&tree, &mut vocab).unwrap();
        assert!(encoded.tree.is_projective());
        assert_eq!(encoded.lifted, 1);
        assert_eq!(encoded.tree.head(6), Head::word(3));
        assert_eq!(vocab.text(encoded.tree.labels().unwrap()[6]), "nmod↑nsubj:pass");
        let decoder = PseudoLabels::of_vocab(&vocab.freeze()).unwrap();
        assert_eq!(decoder.deprojectivize(&encoded.tree).unwrap(), tree);
    }

    #[test]
    fn a_word_that_finds_no_head_stays() {
        let mut vocab = VocabBuilder::new();
        vocab.intern("b");
        vocab.intern("a");
        let tree = labelled(&[2, 0], &["a↑b", "root"], &mut vocab);
        let decoder = PseudoLabels::of_vocab(&vocab.freeze()).unwrap();
        let decoded = decoder.deprojectivize(&tree).unwrap();
        assert_eq!(decoded.heads(), tree.heads());
        assert_ne!(decoded.labels(), tree.labels());
    }

    #[test]
    fn labels_that_cannot_be_coded_are_refused() {
        let mut vocab = VocabBuilder::new();
        let tree = labelled(&[0], &["a↑b"], &mut vocab);
        assert!(matches!(pseudo_projectivize(&tree, &mut vocab), Err(PseudoLabelError::MarkInLabel { .. })));
        assert!(matches!(PseudoLabels::of_vocab(&vocab.freeze()), Err(PseudoLabelError::UnknownPart { .. })));
        let mut empty = VocabBuilder::new();
        assert!(matches!(
            pseudo_projectivize(&tree, &mut empty),
            Err(PseudoLabelError::ForeignLabel { labels: 0 })
        ));
    }
}

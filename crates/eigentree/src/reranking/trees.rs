//! The trees of sentences.

use corpus::dependency::{DependencyTree, RootRule, TreeError};
use corpus::format::conllu::Sentence;
use dependency::deptree::TreeWords;

/// Separates the two tags of a word.
const BETWEEN: char = '/';

/// The trees of a treebank.
#[derive(Debug, Default)]
pub struct LatentTrees {
    /// The trees, in order.
    pub trees: Vec<TreeWords>,
    /// Number of sentences left out because they have no heads or no words.
    pub without_tree: usize,
}

/// The trees of sentences, with forms and tags.
pub fn tree_words(sentences: &[Sentence]) -> LatentTrees {
    let mut all = LatentTrees::default();
    for sentence in sentences {
        match tree_of(sentence).ok().and_then(|tree| TreeWords::new(forms_and_tags(sentence), tree)) {
            Some(tree) => all.trees.push(tree),
            None => all.without_tree += 1,
        }
    }
    all
}

/// The tree that a sentence has.
pub(super) fn tree_of(sentence: &Sentence) -> Result<DependencyTree, TreeError> {
    DependencyTree::from_sentence(sentence, RootRule::Any)
}

/// Form and tags of each word. Treebanks differ in which of the two tags is more informative, so both are used.
pub(super) fn forms_and_tags(sentence: &Sentence) -> Vec<(String, String)> {
    let tag = |upos: &str, xpos: &str| format!("{upos}{BETWEEN}{xpos}");
    sentence.words().map(|word| (word.form().to_owned(), tag(word.upos(), word.xpos()))).collect()
}

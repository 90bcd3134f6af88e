//! Converts phrase structure to dependencies.

use corpus::dependency::Head;
use corpus::format::conllu::{Columns, Sentence, SentenceError};
use corpus::tree::Tree;
use corpus::tree::heads::HeadRules;

/// The tree as CoNLL-U: each phrase has a head word, and the head words of its other children depend on it. The word
/// that heads the tree has the relation `root`, all others `dep`; tags go to XPOS.
pub fn dependencies(tree: &Tree, rules: &HeadRules) -> Result<Sentence, SentenceError> {
    let head_words = rules.head_words(tree);
    let mut heads = vec![Head::ROOT; tree.word_count()];
    for node in tree.nodes() {
        let head = head_words[node.index()];
        for child in node.children() {
            let modifier = head_words[child.index()];
            if modifier != head {
                heads[modifier] = Head::word(head).unwrap_or(Head::ROOT);
            }
        }
    }
    let mut tags = vec!["_"; tree.word_count()];
    for preterminal in tree.preterminals().filter(|node| !node.label().is_empty()) {
        tags[preterminal.span().start] = preterminal.label();
    }
    let mut sentence = Sentence::new();
    for ((form, xpos), head) in tree.words().zip(tags).zip(heads) {
        let deprel = if head.is_root() { "root" } else { "dep" };
        sentence.push_word(Columns { form, xpos, head: Some(head), deprel, ..Columns::default() })?;
    }
    Ok(sentence)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn head_words_become_heads() {
        let tree: Tree =
            "(ROOT (S (NP (DT the) (NN dog)) (VP (VBD saw) (NP (PRP him))) (. .)))".parse().unwrap();
        let sentence = dependencies(&tree, &HeadRules::english()).unwrap();
        let heads: Vec<usize> = sentence.words().map(|word| word.head().unwrap().number()).collect();
        assert_eq!(heads, [2, 3, 0, 3, 3]);
        assert_eq!(sentence.word(2).unwrap().deprel(), "root");
    }
}

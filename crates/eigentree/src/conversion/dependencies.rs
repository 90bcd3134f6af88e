//! Converts phrase structure to dependencies.

use corpus::dependency::Head;
use corpus::format::conllu::{Columns, Sentence, SentenceError};
use corpus::tree::heads::HeadRules;
use corpus::tree::{NodeRef, Tree};

use super::relations::Modifier;

/// The tree as CoNLL-U: each phrase has a head word, and the head words of its other children depend on it. The word that heads the
/// tree has the relation `root`; others have the relation of Universal Dependencies that comes nearest, or `dep`. Tags go to XPOS.
pub fn dependencies(tree: &Tree, rules: &HeadRules) -> Result<Sentence, SentenceError> {
    let head_words = rules.head_words(tree);
    let mut arcs = vec![(Head::ROOT, "root"); tree.word_count()];
    for node in tree.nodes().filter(|node| !node.is_word() && !node.is_preterminal()) {
        let head = head_words[node.index()];
        let siblings: Vec<NodeRef<'_>> = node.children().collect();
        let head_place = siblings.iter().position(|child| head_words[child.index()] == head).unwrap_or(0);
        for (place, child) in siblings.iter().enumerate() {
            let modifier = head_words[child.index()];
            if modifier != head {
                let relation =
                    Modifier { parent: node, siblings: &siblings, head: head_place, place }.relation();
                arcs[modifier] = (Head::word(head).unwrap_or(Head::ROOT), relation);
            }
        }
    }
    let mut tags = vec!["_"; tree.word_count()];
    for preterminal in tree.preterminals().filter(|node| !node.label().is_empty()) {
        tags[preterminal.span().start] = preterminal.label();
    }
    let mut sentence = Sentence::new();
    for ((form, xpos), (head, deprel)) in tree.words().zip(tags).zip(arcs) {
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

    #[test]
    fn relations_come_near_those_of_universal_dependencies() {
        let relations = |text: &str| {
            let sentence = dependencies(&text.parse().unwrap(), &HeadRules::english()).unwrap();
            sentence
                .words()
                .map(|word| format!("{}:{}", word.form(), word.deprel()))
                .collect::<Vec<_>>()
                .join(" ")
        };
        assert_eq!(
            relations(
                "(S (NP-SBJ (DT the) (JJ big) (NN dog)) (VP (VBD gave) (NP (PRP him)) (NP (NP (CD two) (NNS bones)) \
                 (PP (IN of) (NP (NN gold)))) (ADVP (RB today))) (. .))"
            ),
            "the:det big:amod dog:nsubj gave:root him:iobj two:nummod bones:obj of:nmod gold:dep today:advmod .:punct"
        );
        assert_eq!(
            relations(
                "(S (NP (NNP Ann) (CC and) (NNP Bob)) (VP (VBP think) (SBAR (IN that) (S (NP (PRP it)) (VP (VBZ rains)))) \
                 (PP (IN in) (NP (NNP Rome)))))"
            ),
            "Ann:conj and:cc Bob:nsubj think:root that:ccomp it:nsubj rains:dep in:obl Rome:dep"
        );
    }
}

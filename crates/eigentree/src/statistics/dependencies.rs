//! Shapes and labels of dependency trees.

use corpus::dependency::{DependencyTree, RootRule};
use corpus::format::conllu::Sentence;

use super::counter::Counter;

/// Counts over dependency trees.
#[derive(Default)]
pub(super) struct DependencyCounts {
    pub(super) relations: Counter,
    pub(super) upos: Counter,
    xpos: Counter,
    sentences: u64,
    not_trees: u64,
    non_projective: u64,
    arcs: u64,
    non_projective_arcs: u64,
}

impl DependencyCounts {
    pub(super) fn add(&mut self, sentence: &Sentence) {
        self.sentences += 1;
        for word in sentence.words() {
            self.relations.add(word.deprel());
            self.upos.add(word.upos());
            self.xpos.add(word.xpos());
        }
        match DependencyTree::from_sentence(sentence, RootRule::Any) {
            Ok(tree) => {
                let crossed = tree.non_projective_arcs().len() as u64;
                self.arcs += tree.len() as u64;
                self.non_projective_arcs += crossed;
                self.non_projective += u64::from(crossed > 0);
            }
            Err(_) => self.not_trees += 1,
        }
    }

    pub(super) fn figures(&self) -> Vec<(&'static str, f64)> {
        let percent = |part: u64, whole: u64| 100.0 * part as f64 / whole.max(1) as f64;
        vec![
            ("relations", self.relations.types() as f64),
            ("UPOS tags", self.upos.types() as f64),
            ("XPOS tags", self.xpos.types() as f64),
            ("sentences that are no tree", self.not_trees as f64),
            ("non-projective sentences, %", percent(self.non_projective, self.sentences)),
            ("non-projective arcs, %", percent(self.non_projective_arcs, self.arcs)),
        ]
    }
}

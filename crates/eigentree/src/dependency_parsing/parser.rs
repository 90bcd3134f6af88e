//! The common interface of the parsers of all dependency families.

use corpus::ids::LabelId;
use corpus::vocab::Vocab;
use dependency::arcs::{DependencyParse, Word};
use dependency::{head_automata, mst};

use crate::parsing::Confidences;
use crate::streaming::release;

/// A dependency parser shared by threads, each with its own scratch memory.
pub trait DependencyParser: Sync {
    /// Scratch memory for parsing, reused between sentences.
    type Scratch: Default + Send;

    /// The `k` best different trees, best first; at least one for a sentence with words.
    fn parse_best(
        &self,
        words: &[Word<'_>],
        k: usize,
        confidences: Confidences,
        scratch: &mut Self::Scratch,
    ) -> Vec<DependencyParse>;

    /// The labels.
    fn labels(&self) -> &Vocab<LabelId>;

    /// The text of a label.
    fn label(&self, label: LabelId) -> &str {
        self.labels().text(label)
    }
}

impl DependencyParser for mst::Parser<'_> {
    type Scratch = mst::Scratch;

    fn parse_best(
        &self,
        words: &[Word<'_>],
        k: usize,
        confidences: Confidences,
        scratch: &mut Self::Scratch,
    ) -> Vec<DependencyParse> {
        let parses = self.parse_best(words, k, confidences, scratch);
        release(words.len(), scratch);
        parses
    }

    fn labels(&self) -> &Vocab<LabelId> {
        self.model().labels()
    }
}

impl DependencyParser for head_automata::Parser<'_> {
    type Scratch = head_automata::Scratch;

    fn parse_best(
        &self,
        words: &[Word<'_>],
        k: usize,
        confidences: Confidences,
        scratch: &mut Self::Scratch,
    ) -> Vec<DependencyParse> {
        let mut parses = self.parse_best(words, k, scratch);
        release(words.len(), scratch);
        if let Confidences::Skip = confidences {
            parses.iter_mut().for_each(|parse| parse.confidences.clear());
        }
        parses
    }

    fn labels(&self) -> &Vocab<LabelId> {
        self.model().labels().names()
    }
}

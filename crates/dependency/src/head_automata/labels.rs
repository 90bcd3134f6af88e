//! Labels of arcs. Head automata do not model them: an arc gets the most frequent label between its two symbols in its
//! direction or, if there was no such arc, the most frequent label of its modifier.

use corpus::dependency::{DependencyTree, Head};
use corpus::format::conllu::Sentence;
use corpus::ids::{Id, LabelId};
use corpus::vocab::{Vocab, VocabBuilder};
use hashbrown::HashMap;

use super::symbols::SymbolId;

/// Marks pairs of symbols without an arc.
const UNSEEN: u32 = u32::MAX;

/// The labels of all arcs.
#[derive(Clone, PartialEq, Debug)]
pub struct Labels {
    pub(super) names: Vocab<LabelId>,
    /// `[(2 head + direction) · symbols + modifier]`; the root is the head after the last symbol.
    pub(super) arcs: Vec<u32>,
    /// By modifier.
    pub(super) alone: Vec<u32>,
}

/// Counts of labels per pair; ties go to the first label.
type Counts = HashMap<(u32, u32), u32, foldhash::fast::FixedState>;

impl Labels {
    pub(super) fn learn<'t>(
        symbols: usize,
        sentences: impl Iterator<Item = (&'t Sentence, &'t [SymbolId], &'t DependencyTree)>,
    ) -> Self {
        let mut names = VocabBuilder::<LabelId>::new();
        let (mut arcs, mut alone) = (Counts::default(), Counts::default());
        for (sentence, encoded, tree) in sentences {
            for ((at, word), head) in sentence.words().enumerate().zip(tree.heads()) {
                let label = names.intern(word.deprel()).index() as u32;
                *arcs.entry((place(symbols, encoded, *head, at) as u32, label)).or_insert(0) += 1;
                *alone.entry((encoded[at].index() as u32, label)).or_insert(0) += 1;
            }
        }
        if names.is_empty() {
            names.intern("dep");
        }
        Self {
            names: names.freeze(),
            arcs: most_frequent(&arcs, 2 * (symbols + 1) * symbols, UNSEEN),
            alone: most_frequent(&alone, symbols, 0),
        }
    }

    /// The labels.
    pub fn names(&self) -> &Vocab<LabelId> {
        &self.names
    }

    /// The label of an arc of a sentence.
    pub(super) fn of_arc(&self, encoded: &[SymbolId], head: Head, modifier: usize) -> LabelId {
        let symbols = self.alone.len();
        let label = match self.arcs[place(symbols, encoded, head, modifier)] {
            UNSEEN => self.alone[encoded[modifier].index()],
            label => label,
        };
        LabelId::new(label as usize).expect("labels are numbered by a vocabulary")
    }
}

fn place(symbols: usize, encoded: &[SymbolId], head: Head, modifier: usize) -> usize {
    let (symbol, side) = match head.index() {
        None => (symbols, 1),
        Some(head) => (encoded[head].index(), usize::from(modifier > head)),
    };
    (2 * symbol + side) * symbols + encoded[modifier].index()
}

fn most_frequent(counts: &Counts, places: usize, nothing: u32) -> Vec<u32> {
    let mut best = vec![(0, nothing); places];
    for (&(place, label), &count) in counts {
        let best = &mut best[place as usize];
        if count > best.0 || (count == best.0 && label < best.1) {
            *best = (count, label);
        }
    }
    best.into_iter().map(|(_, label)| label).collect()
}

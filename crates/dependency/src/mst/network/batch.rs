//! The sentences of one training step.

use corpus::ids::{Id, LabelId};

use super::super::words::{View, Views};
use super::layers::{Between, EMBEDDED, Shape, between};
use crate::arcs::Candidates;
use models::network::encoder::Inputs;
use models::network::random::Random;

/// A word and its gold arc.
#[derive(Clone, Copy, Debug)]
pub(super) struct Modifier {
    /// The position of the root of its sentence; those of the words follow.
    pub(super) root: usize,
    /// Its number in the sentence.
    pub(super) number: usize,
    /// The first of its candidates.
    first: usize,
    pub(super) head: u32,
    pub(super) label: usize,
    /// What lies between it and its head.
    pub(super) between: Between,
}

impl Modifier {
    pub(super) fn position(&self) -> usize {
        self.root + self.number
    }

    pub(super) fn head_position(&self) -> usize {
        self.root + self.head as usize
    }
}

/// Sentences as positions: the root and the words of each, one sentence after another.
#[derive(Clone, Default, Debug)]
pub(super) struct Batch {
    pub(super) inputs: Inputs,
    pub(super) modifiers: Vec<Modifier>,
    heads: Vec<(u32, Between)>,
}

impl Batch {
    /// Adds a sentence. The forms of some words are left out at random.
    pub(super) fn push(
        &mut self,
        shape: Shape,
        views: &Views,
        candidates: &Candidates,
        (heads, labels): (&[u32], &[LabelId]),
        (random, form_dropout): (&mut Random, f32),
    ) {
        let root = self.inputs.positions();
        for at in 0..=views.words() {
            let form = random.uniform() >= form_dropout;
            let seen = EMBEDDED.into_iter().filter(|&view| form || view != View::Form);
            self.inputs.push(seen.filter_map(|view| shape.row(views, at, view)));
        }
        self.inputs.end_sentence();
        for (number, (&head, label)) in (1..).zip(heads.iter().zip(labels)) {
            let first = self.heads.len();
            let lies_between = |head: u32| between(views, head as usize, number);
            self.heads.extend(candidates.of(number).iter().map(|&head| (head, lies_between(head))));
            let (label, between) = (label.index(), lies_between(head));
            self.modifiers.push(Modifier { root, number, first, head, label, between });
        }
    }

    pub(super) fn clear(&mut self) {
        let Self { inputs, modifiers, heads } = self;
        inputs.clear();
        modifiers.clear();
        heads.clear();
    }

    /// The candidate heads of a word, and what lies between.
    pub(super) fn heads(&self, modifier: usize) -> &[(u32, Between)] {
        let end = self.modifiers.get(modifier + 1).map_or(self.heads.len(), |next| next.first);
        &self.heads[self.modifiers[modifier].first..end]
    }
}

//! The parts of a tree that second-order models score: arcs, neighbouring modifiers, arcs below arcs, ends.
//!
//! ```text
//! s(y) = Σ arc(h, m) + sibling(h, s, m) + grandparent(g, h, m) + both(g, h, s, m) + end(h, last)
//! ```
//!
//! A search asks for the scores of an arc with all its possible neighbours at once ([`Around`]). What every tree over the
//! candidates has need not be scored ([`Need`]).

/// A side of a head.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Side {
    /// Before it.
    Left,
    /// After it.
    Right,
}

/// Scores of the parts of a tree. Words are numbered from 1; 0 is the root and, among siblings, none. Each score is
/// requested about once.
pub trait NeighbourScores {
    /// The score of the arc itself.
    fn arc(&mut self, head: usize, modifier: usize) -> f32;
    /// The score of the end of the modifiers on one side; `last` is `None` if there are none.
    fn end(&mut self, head: usize, last: Option<usize>, side: Side) -> f32;
    /// Scores an arc with all its possible neighbours. Batching the requests hides the latency of reading weights from
    /// memory.
    fn around(&mut self, head: u32, modifier: u32, around: &mut Around);
    /// Whether parts that every tree over the candidates has are scored. Without, scores of trees differ from those with
    /// them by the same number.
    fn common(&self) -> Need {
        Need::Score
    }
}

/// Whether a part needs a score.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Need {
    /// It does.
    #[default]
    Score,
    /// Every tree has it: its score makes no difference, and is 0.
    Nothing,
}

/// An arc with its possible neighbours, and their scores.
#[derive(Clone, Default, Debug)]
pub struct Around {
    /// Possible previous modifiers on the same side of the head; 0 for none, if the arc's modifier may be the
    /// innermost.
    pub siblings: Vec<u32>,
    /// Possible heads of the head.
    pub grandparents: Vec<u32>,
    /// Whether the arc, the end and the neighbours need scores.
    pub needs: Needs,
    /// The score of the arc.
    pub of_arc: f32,
    /// The score of the arc's modifier as the last one on its side.
    pub of_end: f32,
    /// The score of the modifier after each sibling.
    pub of_siblings: Vec<f32>,
    /// The score of the arc below each grandparent.
    pub of_grandparents: Vec<f32>,
    /// The scores of all pairs, by grandparent, then by sibling.
    pub of_both: Vec<f32>,
}

/// What an arc with its neighbours needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Needs {
    /// The score of the arc.
    pub arc: Need,
    /// The score of the arc's modifier as the last one on its side.
    pub end: Need,
    /// The scores of siblings, grandparents and pairs of them.
    pub neighbours: Need,
}

impl Around {
    pub(super) fn clear(&mut self) {
        self.siblings.clear();
        self.grandparents.clear();
        self.of_siblings.clear();
        self.of_grandparents.clear();
        self.of_both.clear();
    }

    /// The parts that need scores, in the order of the scores: the arc, the end, then the others.
    pub fn parts(&self, head: u32, modifier: u32) -> impl Iterator<Item = Part> {
        let side = if head < modifier { Side::Right } else { Side::Left };
        let arc = (self.needs.arc == Need::Score).then_some(Part::Arc { head, modifier });
        let end = (self.needs.end == Need::Score).then_some(Part::End { head, last: modifier, side });
        let (siblings, above) = match self.needs.neighbours {
            Need::Score => (&self.siblings[..], &self.grandparents[..]),
            Need::Nothing => (&[][..], &[][..]),
        };
        let beside = siblings.iter().map(move |&sibling| Part::Sibling { head, sibling, modifier });
        let grandparents =
            above.iter().map(move |&grandparent| Part::Grandparent { grandparent, head, modifier });
        let both = above.iter().flat_map(move |&grandparent| {
            let siblings = siblings.iter();
            siblings.map(move |&sibling| Part::GrandSibling { grandparent, head, sibling, modifier })
        });
        arc.into_iter().chain(end).chain(beside).chain(grandparents).chain(both)
    }

    /// Stores the scores of these parts, in their order.
    pub fn take(&mut self, mut scores: impl Iterator<Item = f32>) {
        let (siblings, grandparents) = (self.siblings.len(), self.grandparents.len());
        let mut next = |need: Need| match need {
            Need::Score => scores.next().unwrap_or(f32::NEG_INFINITY),
            Need::Nothing => 0.0,
        };
        self.of_arc = next(self.needs.arc);
        self.of_end = next(self.needs.end);
        match self.needs.neighbours {
            Need::Score => {
                self.of_siblings.extend(scores.by_ref().take(siblings));
                self.of_grandparents.extend(scores.by_ref().take(grandparents));
                self.of_both.extend(scores);
            }
            Need::Nothing => {
                self.of_siblings.resize(siblings, 0.0);
                self.of_grandparents.resize(grandparents, 0.0);
                self.of_both.resize(siblings * grandparents, 0.0);
            }
        }
    }
}

/// A part of a tree, as [`NeighbourScores`] scores it. Words are numbered from 1, 0 is the root and also "none".
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs, reason = "the fields are the arguments of the scores")]
pub enum Part {
    /// See [`NeighbourScores::arc`].
    Arc { head: u32, modifier: u32 },
    /// Two neighbouring modifiers on one side, `sibling` the inner one; 0 if `modifier` is the innermost.
    Sibling { head: u32, sibling: u32, modifier: u32 },
    /// See [`NeighbourScores::end`].
    End { head: u32, last: u32, side: Side },
    /// An arc below an arc.
    Grandparent { grandparent: u32, head: u32, modifier: u32 },
    /// Two neighbouring modifiers with the head of their head.
    GrandSibling { grandparent: u32, head: u32, sibling: u32, modifier: u32 },
}

/// Calls `call` for every part of the tree with these heads.
pub fn for_each_part(heads: &[u32], mut call: impl FnMut(Part)) {
    let words = heads.len() as u32;
    for (modifier, &head) in (1..).zip(heads) {
        call(Part::Arc { head, modifier });
    }
    for head in 1..=words {
        let grandparent = heads[head as usize - 1];
        for side in [Side::Left, Side::Right] {
            let mut sibling = 0;
            let mut place = head;
            loop {
                place = match side {
                    Side::Left => place - 1,
                    Side::Right => place + 1,
                };
                if place == 0 || place > words {
                    break;
                }
                if heads[place as usize - 1] == head {
                    let modifier = place;
                    call(Part::Sibling { head, sibling, modifier });
                    call(Part::Grandparent { grandparent, head, modifier });
                    call(Part::GrandSibling { grandparent, head, sibling, modifier });
                    sibling = modifier;
                }
            }
            call(Part::End { head, last: sibling, side });
        }
    }
}

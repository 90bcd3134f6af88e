//! Probabilities of the steps that compose a rule.

use corpus::ids::Id;

use super::backoff::{Backoff, Key};
use super::config::SiblingSmoothing;
use super::labels::{Labels, Level, Plain, Side, Steps, Top};
use crate::grammar::SymbolId;

/// The distributions of the steps, each with its chain of contexts; `mod.rs` has the equations.
pub(super) struct StepModel<'l> {
    labels: &'l Labels<'l>,
    /// The side of the sister.
    sides: Backoff,
    /// The top label of the sister.
    tops: Backoff,
    /// The sister.
    sisters: Backoff,
    /// Symbols given their top label.
    chains: Backoff,
    /// Whether one child is left.
    ends: Backoff,
    /// The top label of the last child.
    last_tops: Backoff,
    /// The last child.
    lasts: Backoff,
    /// For each kind of parent, its children in order.
    children: Vec<Vec<Plain>>,
}

/// Events of `ends`: more sisters follow, or one child is left.
const MORE: u32 = 0;
const LAST: u32 = 1;

impl<'l> StepModel<'l> {
    pub(super) fn new(labels: &'l Labels<'l>, config: &SiblingSmoothing) -> Self {
        let backoff = || Backoff::new(config.steps, config.lower);
        Self {
            labels,
            sides: backoff(),
            tops: backoff(),
            sisters: backoff(),
            chains: backoff(),
            ends: backoff(),
            last_tops: backoff(),
            lasts: backoff(),
            children: Vec::new(),
        }
    }

    /// Counts the steps of a rule.
    pub(super) fn observe(&mut self, parent: SymbolId, steps: Steps, count: f64) {
        let levels = self.labels.levels(parent);
        let Steps { side, sister, last } = steps;
        let top = self.labels.top(sister);
        self.sides.observe(of_parent(levels), side as u32, count);
        self.tops.observe(of_side(levels, side), number(top), count);
        self.sisters.observe([narrowest(levels, side)], number(sister), count);
        self.observe_child(levels, sister, count);
        let end = if last.is_some() { LAST } else { MORE };
        self.ends.observe(beside(levels, side, top), end, count);
        if let Some(last) = last {
            self.last_tops.observe(beside(levels, side, top), number(self.labels.top(last)), count);
            self.lasts.observe([of_last(levels, side, top)], number(last), count);
            self.observe_child(levels, last, count);
        }
    }

    fn observe_child(&mut self, levels: &[Level], child: Plain, count: f64) {
        self.chains.observe(of_chain(levels, self.labels.top(child)), number(child), count);
        let category = category(levels).index();
        if self.children.len() <= category {
            self.children.resize_with(category + 1, Vec::new);
        }
        if let Err(at) = self.children[category].binary_search(&child) {
            self.children[category].insert(at, child);
        }
    }

    /// All children that occur in phrases of the parent's category.
    pub(super) fn children(&self, parent: SymbolId) -> &[Plain] {
        self.children.get(category(self.labels.levels(parent)).index()).map_or(&[], Vec::as_slice)
    }

    /// The probability that the sister is on this side.
    pub(super) fn side(&self, parent: SymbolId, side: Side) -> f64 {
        self.sides.probability(of_parent(self.labels.levels(parent)), side as u32)
    }

    /// The probability that the sister is `sister`.
    pub(super) fn sister(&self, parent: SymbolId, side: Side, sister: Plain) -> f64 {
        let levels = self.labels.levels(parent);
        let top = self.labels.top(sister);
        let base = self.tops.probability(of_side(levels, side), number(top)) * self.chain(levels, sister);
        self.sisters.probability_over(narrowest(levels, side), number(sister), base)
    }

    /// The probability that one child is left next to a sister with this top label.
    pub(super) fn end(&self, parent: SymbolId, side: Side, sister: Top) -> f64 {
        self.ends.probability(beside(self.labels.levels(parent), side, sister), LAST)
    }

    /// The probability that the last child is `last`.
    pub(super) fn last(&self, parent: SymbolId, side: Side, top: Top, last: Plain) -> f64 {
        let levels = self.labels.levels(parent);
        let tops = self.last_tops.probability(beside(levels, side, top), number(self.labels.top(last)));
        self.lasts.probability_over(of_last(levels, side, top), number(last), tops * self.chain(levels, last))
    }

    /// The probability of all steps of a rule.
    pub(super) fn probability(&self, parent: SymbolId, steps: Steps) -> f64 {
        let Steps { side, sister, last } = steps;
        let top = self.labels.top(sister);
        let end = self.end(parent, side, top);
        self.side(parent, side)
            * self.sister(parent, side, sister)
            * match last {
                None => 1.0 - end,
                Some(last) => end * self.last(parent, side, top, last),
            }
    }

    /// `p(child | its top label, category of the parent)`.
    fn chain(&self, levels: &[Level], child: Plain) -> f64 {
        self.chains.probability(of_chain(levels, self.labels.top(child)), number(child))
    }
}

fn number(id: impl Id) -> u32 {
    id.index() as u32
}

/// The last kind but one of a parent, its category.
fn category(levels: &[Level]) -> Level {
    levels[levels.len().saturating_sub(2)]
}

fn of_parent(levels: &[Level]) -> impl DoubleEndedIterator<Item = Key> {
    levels.iter().map(|&level| (number(level), 0))
}

fn of_side(levels: &[Level], side: Side) -> impl DoubleEndedIterator<Item = Key> {
    levels.iter().map(move |&level| (number(level), side as u32))
}

fn narrowest(levels: &[Level], side: Side) -> Key {
    (number(levels[0]), side as u32)
}

fn of_chain(levels: &[Level], top: Top) -> impl DoubleEndedIterator<Item = Key> {
    levels[levels.len().saturating_sub(2)..].iter().map(move |&level| (number(level), number(top)))
}

/// Contexts: parent and sister, then the category of the parent, then none.
fn beside(levels: &[Level], side: Side, sister: Top) -> impl DoubleEndedIterator<Item = Key> {
    let (of_all, narrower) = levels.split_last().expect("every phrase has the kind of all phrases");
    let with_sister = narrower.iter().map(move |&level| (number(level), sister_code(side, sister)));
    let without = [category(levels), *of_all].map(move |level| (number(level), side as u32));
    with_sister.chain(without)
}

fn of_last(levels: &[Level], side: Side, sister: Top) -> Key {
    (number(category(levels)), sister_code(side, sister))
}

fn sister_code(side: Side, sister: Top) -> u32 {
    2 + 2 * number(sister) + side as u32
}

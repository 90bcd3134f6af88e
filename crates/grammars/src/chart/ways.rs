//! How a symbol over a span can be derived. Charts keep no back pointers: a tree has few nodes, and recomputing the way
//! for each costs less than writing pointers into every cell.

use super::emissions::Emissions;
use super::grammar::ChartGrammar;
use super::range::{EMPTY, power_of_two};
use super::storage::Chart;

/// A rule at a split point. Symbols are numbered with preterminals after phrases.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Way {
    /// The rule's id.
    pub rule: u32,
    /// The left child.
    pub left: u32,
    /// The right child.
    pub right: u32,
    /// Where the left child ends.
    pub split: usize,
}

impl Chart {
    /// All ways to derive `parent` over a span with their scaled inside values, at the split points accepted by
    /// `wanted`.
    pub(super) fn ways_at<'c>(
        &'c self,
        grammar: &'c ChartGrammar,
        words: &'c Emissions,
        parent: u32,
        (start, end): (usize, usize),
        wanted: impl Fn(usize) -> bool + 'c,
    ) -> impl Iterator<Item = (Way, f32)> + 'c {
        let scale = self.exponent(words, start, end);
        let splits = self.splits(words, start, end).filter(move |&(split, _)| wanted(split));
        splits.flat_map(move |(split, exponent)| {
            let factor = if scale == EMPTY { 0.0 } else { power_of_two(exponent - scale) };
            grammar.by_parent.of(parent as usize).iter().filter_map(move |entry| {
                let left = self.value(grammar, words, entry.first, start, split);
                if left == 0.0 {
                    return None;
                }
                let right = self.value(grammar, words, entry.second, split, end);
                let score = left * right * entry.weight * factor;
                let way = Way { rule: entry.rule, left: entry.first, right: entry.second, split };
                (score > 0.0).then_some((way, score))
            })
        })
    }

    /// All ways to derive `parent` over a span.
    pub(super) fn ways<'c>(
        &'c self,
        grammar: &'c ChartGrammar,
        words: &'c Emissions,
        parent: u32,
        start: usize,
        end: usize,
    ) -> impl Iterator<Item = (Way, f32)> + 'c {
        self.ways_at(grammar, words, parent, (start, end), |_| true)
    }

    /// The best way to derive `parent` over a span, after an upward pass in [`Semiring::Max`](super::Semiring::Max).
    pub fn best_way(
        &self,
        grammar: &ChartGrammar,
        words: &Emissions,
        parent: u32,
        start: usize,
        end: usize,
    ) -> Option<Way> {
        let mut top: Option<(Way, f32)> = None;
        for (way, score) in self.ways(grammar, words, parent, start, end) {
            if top.is_none_or(|(_, best)| score > best) {
                top = Some((way, score));
            }
        }
        top.map(|(way, _)| way)
    }
}

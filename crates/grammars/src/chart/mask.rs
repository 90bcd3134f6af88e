//! The part of a chart that a coarse pass leaves to a fine one.

use super::Triangle;
use crate::lexicon::{BoundaryChance, Ending};

/// For each span, the coarse symbols whose posterior is not negligible.
#[derive(Clone, Debug, Default)]
pub struct Mask {
    pub(super) triangle: Triangle,
    /// The symbols of cell `c` are `symbols[starts[c]..starts[c + 1]]`: phrases, or preterminals (from 0) in cells of
    /// one word.
    pub(super) starts: Vec<u32>,
    pub(super) symbols: Vec<u32>,
}

impl Mask {
    /// The chart geometry.
    pub fn triangle(&self) -> Triangle {
        self.triangle
    }

    /// The symbols allowed over the span `start..end`.
    #[inline]
    pub fn symbols(&self, start: usize, end: usize) -> &[u32] {
        let cell = self.triangle.cell(start, end);
        &self.symbols[self.starts[cell] as usize..self.starts[cell + 1] as usize]
    }

    /// The total number of symbols left over all spans.
    pub fn len(&self) -> usize {
        self.symbols.len()
    }

    /// Whether nothing is left.
    pub fn is_empty(&self) -> bool {
        self.symbols.is_empty()
    }

    pub(super) fn clear(&mut self, triangle: Triangle) {
        self.triangle = triangle;
        self.starts.clear();
        self.symbols.clear();
        self.starts.push(0);
    }

    /// Closes the next cell, in the order of cell numbers.
    pub(super) fn end_cell(&mut self) {
        self.starts.push(self.symbols.len() as u32);
    }
}

/// Where spans of two or more words may begin and end.
#[derive(Clone, Copy, Debug)]
pub struct OpenCells<'m> {
    /// By word, how probably phrases begin and end there.
    pub boundaries: &'m [BoundaryChance],
    /// A span is open if its beginning and its end have at least this probability together.
    pub least: f32,
    /// The phrases from this one on are introduced by binarisation.
    pub intermediate: usize,
}

impl OpenCells<'_> {
    /// What may end with a span. A span of all words is always open.
    #[inline]
    fn of(self, start: usize, end: usize) -> Ending {
        let all = self.boundaries;
        let (begins, last) = (all[start].begins, all[end - 1]);
        match self.least {
            _ if end - start == all.len() => Ending::Phrase,
            least if begins * last.ends_phrase >= least => Ending::Phrase,
            least if begins * last.ends >= least => Ending::Intermediate,
            _ => Ending::Nothing,
        }
    }
}

/// What an upward pass may build.
#[derive(Clone, Copy, Debug)]
pub enum Allowed<'m> {
    /// Everything.
    All,
    /// All phrases, in the spans that are open.
    Open(OpenCells<'m>),
    /// In each span, the fine phrases of the coarse ones in the mask.
    Masked {
        /// Coarse symbols per span.
        mask: &'m Mask,
        /// For each coarse phrase, its fine phrases.
        members: &'m [Vec<u32>],
    },
}

impl Allowed<'_> {
    /// Lists the phrases of the grammar allowed in a span.
    #[inline(always)]
    pub(super) fn list_phrases(self, phrases: usize, start: usize, end: usize, list: &mut Vec<u32>) {
        list.clear();
        match self {
            Allowed::All => list.extend(0..phrases as u32),
            Allowed::Open(cells) => list.extend(match cells.of(start, end) {
                Ending::Nothing => 0..0,
                Ending::Intermediate => cells.intermediate as u32..phrases as u32,
                Ending::Phrase => 0..phrases as u32,
            }),
            Allowed::Masked { mask, members } => {
                for &coarse in mask.symbols(start, end) {
                    list.extend_from_slice(&members[coarse as usize]);
                }
            }
        }
    }

    /// Whether nothing is allowed over a span of two or more words.
    pub(super) fn is_empty(self, start: usize, end: usize) -> bool {
        match self {
            Allowed::All => false,
            Allowed::Open(cells) => cells.of(start, end) == Ending::Nothing,
            Allowed::Masked { mask, .. } => mask.symbols(start, end).is_empty(),
        }
    }
}

#[cfg(test)]
mod tests {
    use corpus::ids::Id;
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::super::random_case::{Case, PHRASES, TAGS};
    use super::super::{Chart, ChartGrammar, Semiring};
    use super::*;

    /// The sum over all trees without a closed cell.
    #[test]
    fn open_cells_leave_the_trees_whose_spans_are_open() {
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        let (mut closed, mut left) = (0, 0);
        for round in 0..300 {
            let words = 2 + round % 4;
            let case = Case::random(&mut rng, words);
            let boundaries: Vec<BoundaryChance> = (0..words)
                .map(|_| {
                    let ends = rng.random();
                    BoundaryChance { begins: rng.random(), ends_phrase: ends * rng.random::<f32>(), ends }
                })
                .collect();
            let cells = OpenCells { boundaries: &boundaries, least: 0.1, intermediate: 2 };
            let is_open = |&(rule, start, _, end): &(u32, usize, usize, usize)| {
                let parent = case.table.rules()[rule as usize].parent.index();
                let last = boundaries[end - 1];
                let ends = if parent < 2 { last.ends_phrase } else { last.ends };
                end - start == words || boundaries[start].begins * ends >= 0.1
            };
            let mut expected = 0.0;
            for root in 0..PHRASES + TAGS {
                for (probability, edges) in case.derivations(root, 0, words) {
                    let own = f64::from(case.weights.roots[root]) * probability;
                    match edges.iter().all(is_open) {
                        true => expected += own,
                        false => closed += usize::from(own > 0.0),
                    }
                }
            }
            let grammar = ChartGrammar::new(&case.table, &case.weights, PHRASES);
            let mut chart = Chart::default();
            let found = chart.inside(&grammar, &case.words, Allowed::Open(cells), Semiring::Sum);
            assert_eq!(found.is_some(), expected > 0.0, "{boundaries:?}");
            if let Some(log) = found {
                assert!((log - expected.ln()).abs() < 1e-4, "{log} and {}", expected.ln());
                left += 1;
            }
        }
        assert!(closed > 100 && left > 50, "{closed} trees closed, {left} sentences left");
    }
}

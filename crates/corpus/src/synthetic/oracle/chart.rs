//! Inside and outside probabilities of all constituents that a sentence allows.

use std::collections::BTreeSet;
use std::ops::Range;

use super::super::lpcfg::StateId;
use super::prefixes::Prefixes;
use crate::ids::Id;

/// No item.
pub(super) const NONE: u32 = u32::MAX;

/// A symbol over a span.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    pub(super) symbol: u32,
    pub(super) inside: f64,
    pub(super) outside: f64,
}

/// One way to build an item: a prefix and the next state, or the single symbol that completes a rule.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub(super) target: u32,
    pub(super) left: u32,
    /// [`NONE`] for completions.
    pub(super) right: u32,
    pub(super) weight: f64,
}

/// The items of a sentence, cell by cell, and all edges. An edge comes after those of the items below it: forward
/// iteration visits children before parents, backward iteration parents before children.
#[derive(Clone, Debug)]
pub(super) struct Chart {
    words: usize,
    pub(super) items: Vec<Item>,
    pub(super) edges: Vec<Edge>,
    /// The items of each cell, states first, by symbol; cells by end, the latest start first.
    cells: Vec<Range<usize>>,
}

/// The cell being filled.
struct Filling {
    /// For each symbol its item in the cell, or [`NONE`].
    places: Vec<u32>,
    /// Start of the items of the cell.
    start: usize,
    /// States that were built and whose unary rules are still to be applied, by rank.
    agenda: BTreeSet<u32>,
}

impl Chart {
    /// Builds everything that the readings of the words allow, bottom-up.
    pub(super) fn inside(prefixes: &Prefixes, readings: &[Vec<(StateId, f64)>]) -> Self {
        let words = readings.len();
        let cells = Vec::with_capacity(words * (words + 1) / 2);
        let mut chart = Self { words, items: Vec::new(), edges: Vec::new(), cells };
        let mut filling = Filling { places: vec![NONE; prefixes.len()], start: 0, agenda: BTreeSet::new() };
        for end in 1..=words {
            for start in (0..end).rev() {
                filling.start = chart.items.len();
                if end - start == 1 {
                    for &(state, probability) in &readings[start] {
                        let item = chart.item(prefixes, &mut filling, state.index() as u32);
                        chart.items[item as usize].inside += probability;
                    }
                }
                for split in start + 1..end {
                    chart.join(prefixes, &mut filling, (start, split, end));
                }
                chart.complete(prefixes, &mut filling);
                chart.close(prefixes, &mut filling);
            }
        }
        chart
    }

    fn number(&self, start: usize, end: usize) -> usize {
        end * (end - 1) / 2 + (end - 1 - start)
    }

    /// The items over a span.
    pub(super) fn cell(&self, start: usize, end: usize) -> Range<usize> {
        self.cells[self.number(start, end)].clone()
    }

    /// All cells.
    pub(super) fn cells(&self) -> &[Range<usize>] {
        &self.cells
    }

    /// The item of a state over the whole sentence.
    pub(super) fn whole(&self, state: StateId) -> Option<usize> {
        let cell = self.cell(0, self.words);
        cell.into_iter().find(|&at| self.items[at].symbol as usize == state.index())
    }

    /// The item of a symbol in the current cell, created if it is new.
    fn item(&mut self, prefixes: &Prefixes, filling: &mut Filling, symbol: u32) -> u32 {
        let place = &mut filling.places[symbol as usize];
        if *place == NONE {
            *place = self.items.len() as u32;
            self.items.push(Item { symbol, inside: 0.0, outside: 0.0 });
            if prefixes.is_state(symbol) {
                filling.agenda.insert(prefixes.ranks[symbol as usize]);
            }
        }
        *place
    }

    fn edge(&mut self, edge: Edge) {
        let right = if edge.right == NONE { 1.0 } else { self.items[edge.right as usize].inside };
        let value = edge.weight * self.items[edge.left as usize].inside * right;
        self.items[edge.target as usize].inside += value;
        self.edges.push(edge);
    }

    /// Combines prefixes on the left with states on the right.
    fn join(
        &mut self,
        prefixes: &Prefixes,
        filling: &mut Filling,
        (start, split, end): (usize, usize, usize),
    ) {
        let (lefts, rights) = (self.cell(start, split), self.cell(split, end));
        let states = self.items[rights.clone()].partition_point(|item| prefixes.is_state(item.symbol));
        let rights = rights.start..rights.start + states;
        for left in lefts {
            let continuations = prefixes.continuations(self.items[left].symbol);
            // Both lists are sorted: iterate over the shorter one, search in the longer one.
            if continuations.len() <= rights.len() {
                for &(state, target) in continuations {
                    let found = self.items[rights.clone()].binary_search_by_key(&state, |item| item.symbol);
                    if let Ok(at) = found {
                        self.add_pair(prefixes, filling, target, left, rights.start + at);
                    }
                }
            } else {
                for right in rights.clone() {
                    let state = self.items[right].symbol;
                    if let Ok(at) = continuations.binary_search_by_key(&state, |&(state, _)| state) {
                        self.add_pair(prefixes, filling, continuations[at].1, left, right);
                    }
                }
            }
        }
    }

    fn add_pair(
        &mut self,
        prefixes: &Prefixes,
        filling: &mut Filling,
        symbol: u32,
        left: usize,
        right: usize,
    ) {
        let target = self.item(prefixes, filling, symbol);
        self.edge(Edge { target, left: left as u32, right: right as u32, weight: 1.0 });
    }

    /// Completes rules: those with several children first, then unary ones, bottom-up.
    fn complete(&mut self, prefixes: &Prefixes, filling: &mut Filling) {
        for at in filling.start..self.items.len() {
            if !prefixes.is_state(self.items[at].symbol) {
                self.complete_item(prefixes, filling, at as u32);
            }
        }
        while let Some(rank) = filling.agenda.pop_first() {
            let state = prefixes.by_rank[rank as usize];
            let place = filling.places[state as usize];
            self.complete_item(prefixes, filling, place);
        }
    }

    fn complete_item(&mut self, prefixes: &Prefixes, filling: &mut Filling, left: u32) {
        for &(parent, weight) in prefixes.completions(self.items[left as usize].symbol) {
            let target = self.item(prefixes, filling, parent);
            self.edge(Edge { target, left, right: NONE, weight });
        }
    }

    /// Sorts the items of the cell, and updates the ends of its edges.
    fn close(&mut self, prefixes: &Prefixes, filling: &mut Filling) {
        let cell = filling.start..self.items.len();
        let first_edge = self.edges.partition_point(|edge| (edge.target as usize) < cell.start);
        self.items[cell.clone()].sort_unstable_by_key(|item| item.symbol);
        // `places` still has the old numbers: it maps each old position to the new one.
        let mut moved = vec![NONE; cell.len()];
        for at in cell.clone() {
            let place = &mut filling.places[self.items[at].symbol as usize];
            moved[*place as usize - cell.start] = at as u32;
            *place = NONE;
        }
        let new = |at: &mut u32| {
            if *at != NONE && *at as usize >= cell.start {
                *at = moved[*at as usize - cell.start];
            }
        };
        for edge in &mut self.edges[first_edge..] {
            new(&mut edge.target);
            new(&mut edge.left);
            new(&mut edge.right);
        }
        debug_assert!(self.items[cell.clone()].iter().all(|item| (item.symbol as usize) < prefixes.len()));
        self.cells.push(cell);
    }

    /// Outside probabilities, divided by that of the sentence, of everything that leads to a root. Returns the
    /// probability of the sentence, or `None` if no root derives it.
    pub(super) fn outside(&mut self, roots: &[(StateId, f64)]) -> Option<f64> {
        let tops: Vec<(usize, f64)> =
            roots.iter().filter_map(|&(state, prior)| Some((self.whole(state)?, prior))).collect();
        let total: f64 = tops.iter().map(|&(at, prior)| prior * self.items[at].inside).sum();
        if total <= 0.0 || !total.is_normal() {
            return None;
        }
        for (at, prior) in tops {
            self.items[at].outside += prior / total;
        }
        for edge in self.edges.iter().rev() {
            let above = edge.weight * self.items[edge.target as usize].outside;
            if above == 0.0 {
                continue;
            }
            let left = self.items[edge.left as usize].inside;
            if edge.right == NONE {
                self.items[edge.left as usize].outside += above;
            } else {
                let right = self.items[edge.right as usize].inside;
                self.items[edge.left as usize].outside += above * right;
                self.items[edge.right as usize].outside += above * left;
            }
        }
        Some(total)
    }
}

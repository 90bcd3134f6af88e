//! The k best derivations of a chart, lazily (Huang and Chiang 2005, algorithm 3).
//!
//! The best derivation of a symbol over a span combines the best derivations of two children; the next one differs in
//! one step: another rule or split point, or the next derivation of one child. A heap a symbol holds such candidates,
//! and children are asked for their next derivation only when one is needed.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use hashbrown::{HashMap, HashSet};

use super::emissions::Emissions;
use super::grammar::ChartGrammar;
use super::storage::Chart;
use super::ways::Way;

/// A derivation as a node: its children are the `ranks`-th derivations of theirs.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Derivation {
    /// Rule, children and split point; `None` for a preterminal over its word.
    pub way: Option<Way>,
    /// Which derivation of the left and of the right child.
    pub ranks: (u32, u32),
    /// Logarithm of the probability, up to a constant of the sentence.
    pub log_probability: f64,
}

/// A symbol (preterminals after phrases) over a span.
type Node = (u32, u32, u32);

#[derive(Clone, Copy, PartialEq)]
struct Candidate {
    log_probability: f64,
    /// Number of the way, in the order the chart lists them.
    way: u32,
    ranks: (u32, u32),
}

impl Eq for Candidate {}

impl Ord for Candidate {
    fn cmp(&self, other: &Self) -> Ordering {
        // Ties are broken by the order of ways and ranks, so that results do not depend on the heap's history.
        self.log_probability
            .total_cmp(&other.log_probability)
            .then_with(|| (other.way, other.ranks).cmp(&(self.way, self.ranks)))
    }
}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[derive(Default)]
struct State {
    found: Vec<Derivation>,
    heap: BinaryHeap<Candidate>,
    queued: HashSet<Queued>,
    /// Each way with the logarithm of its rule's probability.
    ways: Vec<(Way, f64)>,
}

/// A candidate without its score.
type Queued = (u32, (u32, u32));

/// Lists derivations of a chart that was filled with the best scores
/// ([`Semiring::Max`](super::Semiring::Max)).
pub struct KBest<'c> {
    chart: &'c Chart,
    grammar: &'c ChartGrammar,
    words: &'c Emissions,
    states: HashMap<Node, State>,
}

impl<'c> KBest<'c> {
    /// Over a chart as its last upward pass left it.
    pub fn new(chart: &'c Chart, grammar: &'c ChartGrammar, words: &'c Emissions) -> Self {
        Self { chart, grammar, words, states: HashMap::new() }
    }

    /// The derivation number `rank` (from 0) of `symbol` over `start..end`, if there are so many.
    ///
    /// It calls itself for smaller spans, so it is at most as deep as the sentence is long.
    pub fn derivation(&mut self, symbol: u32, start: usize, end: usize, rank: usize) -> Option<Derivation> {
        let node = (symbol, start as u32, end as u32);
        if !self.states.contains_key(&node) {
            let state = self.begin(symbol, start, end);
            self.states.insert(node, state);
        }
        loop {
            let state = self.states.get_mut(&node)?;
            if let Some(&found) = state.found.get(rank) {
                return Some(found);
            }
            let candidate = state.heap.pop()?;
            let (way, rule) = state.ways[candidate.way as usize];
            state.found.push(Derivation {
                way: Some(way),
                ranks: candidate.ranks,
                log_probability: candidate.log_probability,
            });
            let (left, right) = candidate.ranks;
            for ranks in [(left + 1, right), (left, right + 1)] {
                self.queue(node, candidate.way, way, rule, ranks);
            }
        }
    }

    /// Puts a candidate into the heap of `node`, if its children have so many derivations.
    fn queue(&mut self, node: Node, number: u32, way: Way, rule: f64, ranks: (u32, u32)) {
        if !self.states.get_mut(&node).is_some_and(|state| state.queued.insert((number, ranks))) {
            return;
        }
        let (start, end) = (node.1 as usize, node.2 as usize);
        let left = self.derivation(way.left, start, way.split, ranks.0 as usize);
        let right = self.derivation(way.right, way.split, end, ranks.1 as usize);
        if let (Some(left), Some(right), Some(state)) = (left, right, self.states.get_mut(&node)) {
            let log_probability = rule + left.log_probability + right.log_probability;
            state.heap.push(Candidate { log_probability, way: number, ranks });
        }
    }

    fn begin(&mut self, symbol: u32, start: usize, end: usize) -> State {
        let mut state = State::default();
        if let Some(tag) = (symbol as usize).checked_sub(self.grammar.phrases) {
            if let Some((_, value)) = self.words.word(start).find(|&(t, value)| t == tag && value > 0.0) {
                let log_probability = super::range::log(value, self.words.exponent(start));
                state.found.push(Derivation { way: None, ranks: (0, 0), log_probability });
            }
            return state;
        }
        let ways: Vec<Way> =
            self.chart.ways(self.grammar, self.words, symbol, start, end).map(|(way, _)| way).collect();
        for (number, way) in ways.into_iter().enumerate() {
            let rule = self.rule_log_probability(symbol, way);
            let left = self.derivation(way.left, start, way.split, 0);
            let right = self.derivation(way.right, way.split, end, 0);
            state.ways.push((way, rule));
            if let (Some(left), Some(right)) = (left, right) {
                let log_probability = rule + left.log_probability + right.log_probability;
                state.heap.push(Candidate { log_probability, way: number as u32, ranks: (0, 0) });
                state.queued.insert((number as u32, (0, 0)));
            }
        }
        state
    }

    fn rule_log_probability(&self, parent: u32, way: Way) -> f64 {
        let entries = self.grammar.by_parent.of(parent as usize);
        let at = entries.binary_search_by_key(&(way.left, way.right), |entry| (entry.first, entry.second));
        at.map_or(f64::NEG_INFINITY, |at| f64::from(entries[at].weight).ln())
    }
}

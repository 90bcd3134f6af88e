//! The k best derivations of a chart or forest, computed lazily (Huang and Chiang 2005, algorithm 3).
//!
//! The best derivation of a symbol over a span combines the best derivations of two children. The next one differs in
//! one step: another rule or split point, or the next derivation of one child. One heap per symbol holds these
//! candidates, and a child is asked for its next derivation only when it is needed.
//!
//! A [`Hypergraph`] defines the nodes and how they can be derived. [`ChartGraph`] is the hypergraph of a chart; models
//! that score the rule applications of a [`Forest`](super::Forest) define their own.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::hash::Hash;

use hashbrown::{HashMap, HashSet};

use super::emissions::Emissions;
use super::grammar::ChartGrammar;
use super::storage::Chart;

/// Nodes that are leaves, or that derive from two other nodes in one or more ways. The graph must be acyclic.
pub trait Hypergraph {
    /// A node of the graph.
    type Node: Copy + Eq + Hash;

    /// The score of a leaf; `None` if the node is not a leaf.
    fn leaf(&self, node: Self::Node) -> Option<f64>;

    /// Appends all ways to derive a node: its children, and the score added to theirs. Ties are broken by this order.
    fn ways(&self, node: Self::Node, out: &mut Vec<Edge<Self::Node>>);
}

/// One way to derive a node.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Edge<N> {
    /// The left child.
    pub left: N,
    /// The right child.
    pub right: N,
    /// Score added to the scores of the children.
    pub score: f64,
}

/// A derivation of a node: it uses the `ranks`-th derivations of its children.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Derivation<N> {
    /// The left and the right child; `None` for a leaf.
    pub children: Option<(N, N)>,
    /// Ranks of the derivations of the left and the right child.
    pub ranks: (u32, u32),
    /// Sum of all scores in the derivation.
    pub score: f64,
}

#[derive(Clone, Copy, PartialEq)]
struct Candidate {
    score: f64,
    /// Index of the way, in the order in which the graph lists them.
    way: u32,
    ranks: (u32, u32),
}

impl Eq for Candidate {}

impl Ord for Candidate {
    fn cmp(&self, other: &Self) -> Ordering {
        // Ties are broken by the order of ways and ranks, so results do not depend on the history of the heap.
        self.score.total_cmp(&other.score).then_with(|| (other.way, other.ranks).cmp(&(self.way, self.ranks)))
    }
}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

struct State<N> {
    found: Vec<Derivation<N>>,
    heap: BinaryHeap<Candidate>,
    queued: HashSet<Queued>,
    ways: Vec<Edge<N>>,
}

/// A candidate without its score.
type Queued = (u32, (u32, u32));

/// Enumerates the derivations of the nodes of a graph, best first.
pub struct KBest<G: Hypergraph> {
    graph: G,
    states: HashMap<G::Node, State<G::Node>>,
}

impl<G: Hypergraph> KBest<G> {
    /// Starts enumeration over a graph.
    pub fn new(graph: G) -> Self {
        Self { graph, states: HashMap::new() }
    }

    /// The derivation with rank `rank` (from 0) of a node, if it exists.
    ///
    /// Recurses into the nodes below; the depth is bounded by the depth of the graph, at most the length of the
    /// sentence.
    pub fn derivation(&mut self, node: G::Node, rank: usize) -> Option<Derivation<G::Node>> {
        if !self.states.contains_key(&node) {
            let state = self.begin(node);
            self.states.insert(node, state);
        }
        loop {
            let state = self.states.get_mut(&node)?;
            if let Some(&found) = state.found.get(rank) {
                return Some(found);
            }
            let Candidate { score, way, ranks } = state.heap.pop()?;
            let edge = state.ways[way as usize];
            state.found.push(Derivation { children: Some((edge.left, edge.right)), ranks, score });
            let (left, right) = ranks;
            for ranks in [(left + 1, right), (left, right + 1)] {
                self.queue(node, way, edge, ranks);
            }
        }
    }

    /// Adds a candidate to the heap of `node`, if its children have derivations of these ranks.
    fn queue(&mut self, node: G::Node, way: u32, edge: Edge<G::Node>, ranks: (u32, u32)) {
        if !self.states.get_mut(&node).is_some_and(|state| state.queued.insert((way, ranks))) {
            return;
        }
        let score = self.combine(edge, ranks);
        if let (Some(score), Some(state)) = (score, self.states.get_mut(&node)) {
            state.heap.push(Candidate { score, way, ranks });
        }
    }

    /// The score of a way with the given derivations of its children, if they exist.
    fn combine(&mut self, edge: Edge<G::Node>, ranks: (u32, u32)) -> Option<f64> {
        let left = self.derivation(edge.left, ranks.0 as usize)?;
        let right = self.derivation(edge.right, ranks.1 as usize)?;
        Some(edge.score + left.score + right.score)
    }

    fn begin(&mut self, node: G::Node) -> State<G::Node> {
        let mut state =
            State { found: Vec::new(), heap: BinaryHeap::new(), queued: HashSet::new(), ways: Vec::new() };
        if let Some(score) = self.graph.leaf(node) {
            state.found.push(Derivation { children: None, ranks: (0, 0), score });
            return state;
        }
        self.graph.ways(node, &mut state.ways);
        for way in 0..state.ways.len() {
            if let Some(score) = self.combine(state.ways[way], (0, 0)) {
                let way = way as u32;
                state.heap.push(Candidate { score, way, ranks: (0, 0) });
                state.queued.insert((way, (0, 0)));
            }
        }
        state
    }
}

/// Merges the derivations of several roots, best first.
pub struct Ranking<N> {
    /// The next derivation of each root: the root, its own score, the rank, and the score of the derivation including
    /// the root's.
    heads: Vec<(N, f64, u32, f64)>,
}

impl<N: Copy + Eq + Hash> Ranking<N> {
    /// Merges the derivations of these roots, each with its own score.
    pub fn new<G: Hypergraph<Node = N>>(
        lists: &mut KBest<G>,
        roots: impl IntoIterator<Item = (N, f64)>,
    ) -> Self {
        let first = |(root, own)| {
            let derivation = lists.derivation(root, 0)?;
            Some((root, own, 0, own + derivation.score))
        };
        Self { heads: roots.into_iter().filter_map(first).collect() }
    }

    /// The next derivation: its root, its rank there, and its score including the root's own. Ties go to the earlier
    /// root.
    pub fn next<G: Hypergraph<Node = N>>(&mut self, lists: &mut KBest<G>) -> Option<(N, u32, f64)> {
        let best = self.heads.iter().enumerate().max_by(|(i, a), (j, b)| a.3.total_cmp(&b.3).then(j.cmp(i)));
        let (at, &(root, own, rank, score)) = best?;
        match lists.derivation(root, rank as usize + 1) {
            Some(next) => self.heads[at] = (root, own, rank + 1, own + next.score),
            None => {
                self.heads.remove(at);
            }
        }
        Some((root, rank, score))
    }
}

/// A chart filled with best scores ([`Semiring::Max`](super::Semiring::Max)), as its last upward pass left it. A node
/// is a symbol (preterminals after phrases) over a span; scores are log-probabilities.
pub struct ChartGraph<'c> {
    /// The chart.
    pub chart: &'c Chart,
    /// The grammar it was filled with.
    pub grammar: &'c ChartGrammar,
    /// The words it was filled for.
    pub words: &'c Emissions,
}

impl Hypergraph for ChartGraph<'_> {
    type Node = (u32, u32, u32);

    fn leaf(&self, (symbol, start, end): Self::Node) -> Option<f64> {
        let tag = (symbol as usize).checked_sub(self.grammar.phrases)?;
        let position = start as usize;
        let (_, value) = self.words.word(position).find(|&(t, value)| t == tag && value > 0.0)?;
        (end == start + 1).then(|| super::range::log(value, self.words.exponent(position)))
    }

    fn ways(&self, (symbol, start, end): Self::Node, out: &mut Vec<Edge<Self::Node>>) {
        if symbol as usize >= self.grammar.phrases {
            return;
        }
        let entries = self.grammar.by_parent.of(symbol as usize);
        let ways = self.chart.ways(self.grammar, self.words, symbol, start as usize, end as usize);
        out.extend(ways.map(|(way, _)| {
            let at =
                entries.binary_search_by_key(&(way.left, way.right), |entry| (entry.first, entry.second));
            let split = way.split as u32;
            Edge {
                left: (way.left, start, split),
                right: (way.right, split, end),
                score: at.map_or(f64::NEG_INFINITY, |at| f64::from(entries[at].weight).ln()),
            }
        }));
    }
}

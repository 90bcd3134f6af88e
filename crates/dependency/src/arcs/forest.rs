//! Trees packed into a hypergraph: the best tree, the k best trees and posteriors of arcs, for searches of any order.
//!
//! A node is a partial tree shared by several derivations. An edge is one way to build a node from at most two others,
//! with a weight and the arc that it adds, if any. Nodes come after the nodes they are built from. A search adds nodes
//! and edges according to its own equations; the rest is the same for all searches:
//!
//! ```text
//! best(v)   = max_e w(e) + Σ_{u ∈ tails(e)} best(u)
//! inside(v) = log Σ_e exp(w(e)/T + Σ_{u ∈ tails(e)} inside(u))
//! ```
//!
//! The k best derivations of a node combine those of its tails, the best combination first. Those of a tail are found when
//! a combination needs them (algorithm 3 of L. Huang and D. Chiang, Better k-best parsing, IWPT 2005), so a few trees cost
//! little more than the best one.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::num::NonZeroU32;

use corpus::dependency::Head;

use super::ArcScores;

/// A node of a forest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NodeId(NonZeroU32);

impl NodeId {
    fn new(place: usize) -> Option<Self> {
        u32::try_from(place + 1).ok().and_then(NonZeroU32::new).map(Self)
    }

    #[inline]
    fn place(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// Which edges a forest keeps.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Keep {
    /// All edges, for any query.
    #[default]
    All,
    /// The best edge of each node, for the best tree alone.
    Best,
}

const NO_TAIL: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
struct Edge {
    tails: [u32; 2],
    weight: f32,
    head: u32,
    /// 0 if the edge adds no arc.
    modifier: u32,
}

impl Edge {
    fn tails(&self) -> impl Iterator<Item = usize> + use<> {
        self.tails.into_iter().filter(|&tail| tail != NO_TAIL).map(|tail| tail as usize)
    }
}

/// Nodes and edges.
#[derive(Clone, Default, Debug)]
pub struct Forest {
    /// The end of each node's edges.
    ends: Vec<u32>,
    edges: Vec<Edge>,
    /// The best score of each node, and the edge that gives it.
    best: Vec<(f32, u32)>,
    keep: Keep,
}

impl Forest {
    /// Removes everything and sets which edges to keep. With [`Keep::Best`] only [`best`](Self::best) is available.
    pub fn restart(&mut self, keep: Keep) {
        self.clear();
        self.keep = keep;
    }

    /// Removes everything but keeps the memory.
    pub fn clear(&mut self) {
        self.ends.clear();
        self.edges.clear();
        self.best.clear();
    }

    /// Adds an edge to the node under construction. `arc` is head and modifier, both numbered from 1, 0 being the root.
    /// A weight of −∞ adds nothing.
    #[inline]
    pub fn edge(&mut self, tails: [Option<NodeId>; 2], weight: f32, arc: Option<(usize, usize)>) {
        if weight == f32::NEG_INFINITY {
            return;
        }
        let (head, modifier) = arc.unwrap_or((0, 0));
        let tails = tails.map(|tail| tail.map_or(NO_TAIL, |node| node.place() as u32));
        self.edges.push(Edge { tails, weight, head: head as u32, modifier: modifier as u32 });
    }

    /// Finishes the node under construction; `None` if it has no edges, in which case no node is created.
    #[inline]
    pub fn close(&mut self) -> Option<NodeId> {
        let start = self.ends.last().map_or(0, |&end| end as usize);
        let mut best = (f32::NEG_INFINITY, NO_TAIL);
        for (number, edge) in self.edges.iter().enumerate().skip(start) {
            let score = self.score(edge);
            if score > best.0 {
                best = (score, number as u32);
            }
        }
        if best.1 == NO_TAIL {
            self.edges.truncate(start);
            return None;
        }
        if self.keep == Keep::Best {
            self.edges[start] = self.edges[best.1 as usize];
            self.edges.truncate(start + 1);
            best.1 = start as u32;
        }
        self.best.push(best);
        self.ends.push(self.edges.len() as u32);
        NodeId::new(self.ends.len() - 1)
    }

    /// The best score of a derivation by this edge.
    #[inline]
    fn score(&self, edge: &Edge) -> f32 {
        edge.weight + edge.tails().map(|tail| self.best[tail].0).sum::<f32>()
    }

    /// The number of edges.
    pub fn edges(&self) -> usize {
        self.edges.len()
    }

    fn edges_of(&self, node: usize) -> std::ops::Range<usize> {
        let start = node.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        start..self.ends[node] as usize
    }

    /// The score of the best tree of `goal`; its heads go to `heads`, which must have one entry per word.
    pub fn best(&self, goal: NodeId, heads: &mut [Head]) -> f32 {
        let mut agenda = vec![goal.place()];
        while let Some(node) = agenda.pop() {
            let edge = self.edges[self.best[node].1 as usize];
            set_head(&edge, heads);
            agenda.extend(edge.tails());
        }
        self.best[goal.place()].0
    }

    /// The `k` best trees of `goal` over `words` words with their scores, best first.
    pub fn k_best(&self, goal: NodeId, words: usize, k: usize) -> Vec<(Vec<Head>, f64)> {
        let goal = goal.place();
        let mut lists = Lists::new(self, goal);
        // Not with room for `k`: there may be far fewer trees.
        let mut found = Vec::new();
        for rank in 0..k as u32 {
            let Some(score) = lists.score(goal, rank) else { break };
            let mut heads = vec![Head::ROOT; words];
            let mut agenda = vec![(goal, rank)];
            while let Some((node, rank)) = agenda.pop() {
                let Some(derivation) = lists.derivation(node, rank) else { continue };
                let edge = &self.edges[derivation.edge as usize];
                set_head(edge, &mut heads);
                // A missing tail has rank 0 and is left out of both.
                let ranks = edge.tails.iter().zip(derivation.ranks).filter(|(tail, _)| **tail != NO_TAIL);
                agenda.extend(ranks.map(|(&tail, rank)| (tail as usize, rank)));
            }
            found.push((heads, f64::from(score)));
        }
        found
    }

    /// The posterior of every arc over `words` words, and log Z, where weights divided by `temperature` are
    /// log-potentials.
    pub fn marginals(&self, goal: NodeId, words: usize, temperature: f32) -> (ArcScores, f64) {
        let goal = goal.place();
        let temperature = f64::from(temperature);
        let weigh = |edge: &Edge| f64::from(edge.weight) / temperature;
        let mut inside = vec![f64::NEG_INFINITY; goal + 1];
        let mut sums = Vec::new();
        for node in 0..=goal {
            sums.clear();
            sums.extend(
                self.edges[self.edges_of(node)]
                    .iter()
                    .map(|edge| weigh(edge) + edge.tails().map(|tail| inside[tail]).sum::<f64>()),
            );
            inside[node] = log_sum(&sums);
        }
        let mut outside = vec![0.0_f64; goal + 1];
        outside[goal] = 1.0;
        let mut posteriors = vec![0.0_f64; (words + 1) * words];
        // The value passed down is the posterior of a node, so it stays between 0 and 1.
        for node in (0..=goal).rev().filter(|&node| inside[node] > f64::NEG_INFINITY) {
            if outside[node] == 0.0 {
                continue;
            }
            for edge in &self.edges[self.edges_of(node)] {
                let sum = weigh(edge) + edge.tails().map(|tail| inside[tail]).sum::<f64>();
                let share = outside[node] * (sum - inside[node]).exp();
                edge.tails().for_each(|tail| outside[tail] += share);
                if edge.modifier > 0 {
                    posteriors[edge.head as usize * words + edge.modifier as usize - 1] += share;
                }
            }
        }
        let mut arcs = ArcScores::new(words);
        for head in 0..=words {
            for (arc, posterior) in arcs.of_head_mut(head).iter_mut().zip(&posteriors[head * words..]) {
                *arc = *posterior as f32;
            }
        }
        (arcs, inside[goal])
    }
}

fn set_head(edge: &Edge, heads: &mut [Head]) {
    if let (Some(place), Some(head)) = (edge.modifier.checked_sub(1), Head::from_number(edge.head as usize)) {
        heads[place as usize] = head;
    }
}

fn log_sum(values: &[f64]) -> f64 {
    let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if most == f64::NEG_INFINITY {
        return most;
    }
    most + values.iter().map(|value| (value - most).exp()).sum::<f64>().ln()
}

/// The best derivations of nodes, as far as they have been asked for.
struct Lists<'f> {
    forest: &'f Forest,
    /// The place of each node's list, plus 1; 0 for a node of which at most the best derivation was needed.
    places: Vec<u32>,
    lists: Vec<List>,
}

/// The best derivations of one node, and those that may follow.
struct List {
    found: Vec<Derivation>,
    next: BinaryHeap<Derivation>,
}

impl<'f> Lists<'f> {
    fn new(forest: &'f Forest, goal: usize) -> Self {
        Self { forest, places: vec![0; goal + 1], lists: Vec::new() }
    }

    /// The score of the derivation of a node with this rank, if there is one. The derivations of lower ranks must have
    /// been asked for before.
    fn score(&mut self, node: usize, rank: u32) -> Option<f32> {
        if rank == 0 {
            return Some(self.forest.best[node].0);
        }
        let place = self.list(node);
        if self.lists[place].found.len() <= rank as usize {
            // Successors of the last derivation may come next.
            let Derivation { edge, ranks: [left, right], .. } = *self.lists[place].found.last()?;
            let beside = self.successor(edge, [left, right + 1]);
            // Each pair of ranks is reached in one way only.
            let above = if right == 0 { self.successor(edge, [left + 1, 0]) } else { None };
            let list = &mut self.lists[place];
            list.next.extend(beside.into_iter().chain(above));
            let next = list.next.pop()?;
            list.found.push(next);
        }
        self.lists[place].found.get(rank as usize).map(|derivation| derivation.score)
    }

    /// The derivation of a node with this rank, which must have been asked for.
    fn derivation(&self, node: usize, rank: u32) -> Option<Derivation> {
        match self.places[node].checked_sub(1) {
            Some(place) => self.lists[place as usize].found.get(rank as usize).copied(),
            None => {
                let (score, edge) = self.forest.best[node];
                Some(Derivation { score, edge, ranks: [0, 0] })
            }
        }
    }

    /// The list of a node; a new one has its best derivation.
    fn list(&mut self, node: usize) -> usize {
        if let Some(place) = self.places[node].checked_sub(1) {
            return place as usize;
        }
        let forest = self.forest;
        let (score, best) = forest.best[node];
        let others = forest.edges_of(node).filter(|&edge| edge != best as usize).map(|number| {
            let score = forest.score(&forest.edges[number]);
            Derivation { score, edge: number as u32, ranks: [0, 0] }
        });
        let found = vec![Derivation { score, edge: best, ranks: [0, 0] }];
        self.lists.push(List { found, next: others.collect() });
        self.places[node] = self.lists.len() as u32;
        self.lists.len() - 1
    }

    /// The derivation by an edge from derivations of its tails with these ranks, if they exist.
    fn successor(&mut self, edge: u32, ranks: [u32; 2]) -> Option<Derivation> {
        let Edge { tails, weight, .. } = self.forest.edges[edge as usize];
        let mut below = 0.0;
        for (tail, rank) in tails.into_iter().zip(ranks) {
            if tail == NO_TAIL {
                if rank > 0 {
                    return None;
                }
            } else {
                below += self.score(tail as usize, rank)?;
            }
        }
        Some(Derivation { score: weight + below, edge, ranks })
    }
}

/// One way to build a node: an edge, and the ranks of the derivations of its tails.
#[derive(Clone, Copy, Debug)]
struct Derivation {
    score: f32,
    edge: u32,
    ranks: [u32; 2],
}

impl Ord for Derivation {
    /// By score; among equals the earlier edge and the lower ranks are greater, so that lists are deterministic.
    fn cmp(&self, other: &Self) -> Ordering {
        let by_score = self.score.total_cmp(&other.score);
        by_score.then(other.edge.cmp(&self.edge)).then(other.ranks.cmp(&self.ranks))
    }
}

impl PartialOrd for Derivation {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Derivation {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Derivation {}

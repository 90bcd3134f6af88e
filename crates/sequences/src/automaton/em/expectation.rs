//! Expected counts.

use faer::linalg::matmul::matmul;
use faer::{Accum, MatMut, MatRef, Par};
use rayon::prelude::*;

use super::prefix_tree::PrefixTree;
use crate::automaton::Automaton;

/// Number of trees whose counts are in memory at a time.
const WAVE: usize = 16;

/// Expected counts of the parameters.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Expectations {
    /// Starts by state.
    pub(super) initial: Vec<f64>,
    /// Ends by state.
    pub(super) stop: Vec<f64>,
    /// Moves, in the layout of the operators.
    pub(super) moves: Vec<f64>,
    /// The log-likelihood; sequences that are impossible under the automaton are left out.
    pub(super) log_likelihood: f64,
    /// The weight of the impossible sequences.
    pub(super) impossible: f64,
}

impl Expectations {
    fn zeros(automaton: &Automaton) -> Self {
        Self {
            initial: vec![0.0; automaton.states()],
            stop: vec![0.0; automaton.states()],
            moves: vec![0.0; automaton.operators().len()],
            log_likelihood: 0.0,
            impossible: 0.0,
        }
    }

    fn add(&mut self, other: &Self) {
        for (sum, part) in [
            (&mut self.initial, &other.initial),
            (&mut self.stop, &other.stop),
            (&mut self.moves, &other.moves),
        ] {
            sum.iter_mut().zip(part).for_each(|(sum, part)| *sum += part);
        }
        self.log_likelihood += other.log_likelihood;
        self.impossible += other.impossible;
    }
}

/// The expected counts over all trees, summed in their order.
pub(super) fn expectations(automaton: &Automaton, trees: &[PrefixTree]) -> Expectations {
    let mut sum = Expectations::zeros(automaton);
    for wave in trees.chunks(WAVE) {
        let parts: Vec<Expectations> = wave.par_iter().map(|tree| Pass::new(automaton, tree).run()).collect();
        parts.iter().for_each(|part| sum.add(part));
    }
    // The passes leave out the parameter itself, which is a factor of all its uses.
    sum.moves.iter_mut().zip(automaton.operators()).for_each(|(count, parameter)| *count *= parameter);
    sum
}

/// The passes over one tree.
struct Pass<'a> {
    automaton: &'a Automaton,
    tree: &'a PrefixTree,
    states: usize,
    /// Forward vectors, each normalised to sum 1.
    forward: Vec<f64>,
    /// The divisors of this normalisation.
    scale: Vec<f64>,
    /// The vectors of the parents of one group.
    gathered: Vec<f64>,
}

impl<'a> Pass<'a> {
    fn new(automaton: &'a Automaton, tree: &'a PrefixTree) -> Self {
        let (states, nodes) = (automaton.states(), tree.len());
        Pass {
            automaton,
            tree,
            states,
            forward: vec![0.0; nodes * states],
            scale: vec![1.0; nodes],
            gathered: Vec::new(),
        }
    }

    fn run(mut self) -> Expectations {
        let mut counts = Expectations::zeros(self.automaton);
        self.go_forward();
        let mut backward = self.at_ends(&mut counts);
        self.go_backward(&mut backward, &mut counts);
        let root = self.forward[..self.states].iter().zip(&backward[..self.states]);
        counts.initial.iter_mut().zip(root).for_each(|(count, (forward, backward))| {
            *count += forward * backward;
        });
        counts
    }

    fn operator(&self, symbol: u32) -> MatRef<'a, f64> {
        let size = self.states * self.states;
        let entries = &self.automaton.operators()[symbol as usize * size..][..size];
        MatRef::from_row_major_slice(entries, self.states, self.states)
    }

    /// Collects the forward vectors of the parents of some nodes.
    fn gather(&mut self, nodes: std::ops::Range<usize>) {
        self.gathered.clear();
        for node in nodes {
            let parent = self.tree.parent[node] as usize;
            self.gathered.extend_from_slice(&self.forward[parent * self.states..][..self.states]);
        }
    }

    fn go_forward(&mut self) {
        let n = self.states;
        self.forward[..n].copy_from_slice(self.automaton.initial());
        self.scale[0] = normalise(&mut self.forward[..n]);
        let tree = self.tree;
        for group in &tree.groups {
            self.gather(group.nodes.clone());
            let operator = self.operator(group.symbol);
            let rows = group.nodes.len();
            let out = &mut self.forward[group.nodes.start * n..group.nodes.end * n];
            matmul(
                MatMut::from_row_major_slice_mut(out, rows, n),
                Accum::Replace,
                MatRef::from_row_major_slice(&self.gathered, rows, n),
                operator.transpose(),
                1.0,
                Par::Seq,
            );
            for (row, scale) in out.chunks_exact_mut(n).zip(&mut self.scale[group.nodes.clone()]) {
                *scale = normalise(row);
            }
        }
    }

    /// Counts the ends at each node, and initialises the backward vectors.
    fn at_ends(&self, counts: &mut Expectations) -> Vec<f64> {
        let n = self.states;
        let mut backward = vec![0.0; self.forward.len()];
        let mut logs = vec![0.0; self.tree.len()];
        for node in 0..self.tree.len() {
            let before = if node == 0 { 0.0 } else { logs[self.tree.parent[node] as usize] };
            logs[node] = before + self.scale[node].ln();
            let ends = self.tree.ends[node];
            if ends == 0.0 {
                continue;
            }
            let forward = &self.forward[node * n..][..n];
            let terminal = self.automaton.terminal();
            let value: f64 = forward.iter().zip(terminal).map(|(forward, stop)| forward * stop).sum();
            if value <= 0.0 {
                counts.impossible += ends;
                continue;
            }
            counts.log_likelihood += ends * (logs[node] + value.ln());
            let share = ends / value;
            for j in 0..n {
                backward[node * n + j] = share * terminal[j];
                counts.stop[j] += share * terminal[j] * forward[j];
            }
        }
        backward
    }

    fn go_backward(&mut self, backward: &mut [f64], counts: &mut Expectations) {
        let n = self.states;
        let mut carried = Vec::new();
        let tree = self.tree;
        for group in tree.groups.iter().rev() {
            self.gather(group.nodes.clone());
            let rows = group.nodes.len();
            let (before, from_group) = backward.split_at_mut(group.nodes.start * n);
            let own = &mut from_group[..rows * n];
            for (row, scale) in own.chunks_exact_mut(n).zip(&self.scale[group.nodes.clone()]) {
                row.iter_mut().for_each(|entry| *entry /= scale);
            }
            let own = MatRef::from_row_major_slice(own, rows, n);
            let size = n * n;
            let moves = &mut counts.moves[group.symbol as usize * size..][..size];
            matmul(
                MatMut::from_row_major_slice_mut(moves, n, n),
                Accum::Add,
                own.transpose(),
                MatRef::from_row_major_slice(&self.gathered, rows, n),
                1.0,
                Par::Seq,
            );
            carried.clear();
            carried.resize(rows * n, 0.0);
            matmul(
                MatMut::from_row_major_slice_mut(&mut carried, rows, n),
                Accum::Replace,
                own,
                self.operator(group.symbol),
                1.0,
                Par::Seq,
            );
            for (row, &parent) in carried.chunks_exact(n).zip(&tree.parent[group.nodes.clone()]) {
                let sum = &mut before[parent as usize * n..][..n];
                sum.iter_mut().zip(row).for_each(|(sum, entry)| *sum += entry);
            }
        }
    }
}

/// Normalises a vector to sum 1 and returns the sum; a zero vector stays zero, as if its sum were 1.
fn normalise(row: &mut [f64]) -> f64 {
    let sum: f64 = row.iter().sum();
    // A sum that underflows counts as zero.
    if sum < f64::MIN_POSITIVE {
        row.fill(0.0);
        return 1.0;
    }
    row.iter_mut().for_each(|entry| *entry /= sum);
    sum
}

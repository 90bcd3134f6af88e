//! τ of one column during training.

use super::labels::LabelColumn;
use super::lattice::Lattice;
use super::transitions::{FORBIDDEN, Transitions};

/// τ of one column during training.
pub(super) struct Chain {
    pub(super) transitions: Transitions,
    squares: Vec<f32>,
    sums: Vec<f32>,
    /// Gradients of the current sentence, and the cells where they are not 0.
    slopes: Vec<f32>,
    touched: Vec<usize>,
    pub(super) lattice: Lattice,
    pub(super) best: Vec<u16>,
}

impl Chain {
    pub(super) fn new(column: &LabelColumn) -> Self {
        let transitions = column.transitions();
        let cells = transitions.weights().len();
        Self {
            transitions,
            squares: vec![0.0; cells],
            sums: vec![0.0; cells],
            slopes: vec![0.0; cells],
            touched: Vec::new(),
            lattice: Lattice::default(),
            best: Vec::new(),
        }
    }

    /// Adds the probabilities of all pairs of neighbouring labels in the lattice, after its forward–backward pass.
    pub(super) fn add_marginals(&mut self) {
        let Self { lattice, transitions, slopes, touched, .. } = self;
        lattice.pair_marginals(transitions, |from, to, p| {
            let cell = transitions.cell(from, to);
            if slopes[cell] == 0.0 {
                touched.push(cell);
            }
            slopes[cell] += p;
        });
    }

    /// Adds `slope` for each pair of neighbouring labels in a sequence.
    pub(super) fn add_pairs(&mut self, labels: impl Iterator<Item = u16>, slope: f32) {
        for (from, to) in pairs(labels) {
            let cell = self.transitions.cell(from, to);
            self.slope(cell, slope);
        }
    }

    fn slope(&mut self, cell: usize, slope: f32) {
        if self.slopes[cell] == 0.0 {
            self.touched.push(cell);
        }
        self.slopes[cell] += slope;
    }

    pub(super) fn step(&mut self, rate: f32, damping: f32) {
        for cell in std::mem::take(&mut self.touched) {
            let slope = std::mem::take(&mut self.slopes[cell]);
            let weight = self.transitions.weights()[cell];
            if slope != 0.0 && weight != FORBIDDEN {
                self.squares[cell] += slope * slope;
                self.transitions.set(cell, weight - rate * slope / (self.squares[cell] + damping).sqrt());
            }
        }
    }

    pub(super) fn sum(&mut self) {
        self.sums.iter_mut().zip(self.transitions.weights()).for_each(|(sum, weight)| *sum += weight);
    }

    pub(super) fn mean(mut self, passes: usize) -> Transitions {
        let labels = self.transitions.end();
        let sums = std::mem::take(&mut self.sums);
        self.transitions.change(|from, to, weight| {
            if *weight != FORBIDDEN {
                *weight = sums[from * (labels + 1) + to] / passes.max(1) as f32;
            }
        });
        self.transitions
    }
}

/// Neighbouring pairs in a sequence, including its ends.
fn pairs(labels: impl Iterator<Item = u16>) -> impl Iterator<Item = (Option<u16>, Option<u16>)> {
    let mut before = None;
    labels.map(Some).chain([None]).map(move |label| (std::mem::replace(&mut before, label), label))
}

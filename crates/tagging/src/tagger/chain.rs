//! τ of one layer during training.

use super::lattice::Lattice;
use super::layer::{Factor, Layer};
use super::transitions::{FORBIDDEN, Transitions};

/// τ of one layer during training.
pub(super) struct Chain {
    /// One per factor.
    pub(super) transitions: Vec<Transitions>,
    slopes: Vec<Slopes>,
    pub(super) lattice: Lattice,
    pub(super) best: Vec<u16>,
}

/// What is known about the weights of one factor.
struct Slopes {
    squares: Vec<f32>,
    sums: Vec<f32>,
    /// Gradients of the current sentence, and the cells where they are not 0.
    slopes: Vec<f32>,
    touched: Vec<usize>,
}

impl Slopes {
    fn new(cells: usize) -> Self {
        Self {
            squares: vec![0.0; cells],
            sums: vec![0.0; cells],
            slopes: vec![0.0; cells],
            touched: Vec::new(),
        }
    }

    #[inline]
    fn add(&mut self, cell: usize, slope: f32) {
        if self.slopes[cell] == 0.0 {
            self.touched.push(cell);
        }
        self.slopes[cell] += slope;
    }
}

impl Chain {
    /// The chain of a layer whose factors start with these transitions.
    pub(super) fn new(transitions: Vec<Transitions>) -> Self {
        let slopes = transitions.iter().map(|own| Slopes::new(own.weights().len())).collect();
        Self { transitions, slopes, lattice: Lattice::default(), best: Vec::new() }
    }

    /// Adds the probabilities of all pairs of neighbouring bundles in the lattice, after its forward–backward pass.
    pub(super) fn add_marginals(&mut self, layer: &Layer) {
        let Self { lattice, transitions, slopes, .. } = self;
        lattice.pair_marginals(|from, to, p| add(layer.factors(), transitions, slopes, (from, to), p));
    }

    /// Adds `slope` for each pair of neighbouring bundles in a sequence.
    pub(super) fn add_pairs(&mut self, layer: &Layer, bundles: impl Iterator<Item = u16>, slope: f32) {
        for pair in pairs(bundles) {
            add(layer.factors(), &self.transitions, &mut self.slopes, pair, slope);
        }
    }

    /// Adds `slope` for the step to each bundle from the one before it in `history`, and for the step from the last to the
    /// end.
    pub(super) fn add_steps(&mut self, layer: &Layer, history: &[u16], bundles: &[u16], slope: f32) {
        let before = std::iter::once(None).chain(history.iter().copied().map(Some));
        let steps = before.zip(bundles.iter().copied().map(Some));
        let end = bundles.last().map(|&last| (Some(last), None));
        for pair in steps.chain(end) {
            add(layer.factors(), &self.transitions, &mut self.slopes, pair, slope);
        }
    }

    pub(super) fn step(&mut self, rate: f32, damping: f32) {
        for (transitions, own) in self.transitions.iter_mut().zip(&mut self.slopes) {
            for cell in std::mem::take(&mut own.touched) {
                let slope = std::mem::take(&mut own.slopes[cell]);
                let weight = transitions.weights()[cell];
                if slope != 0.0 && weight != FORBIDDEN {
                    own.squares[cell] += slope * slope;
                    transitions.set(cell, weight - rate * slope / (own.squares[cell] + damping).sqrt());
                }
            }
        }
    }

    pub(super) fn sum(&mut self) {
        for (transitions, own) in self.transitions.iter().zip(&mut self.slopes) {
            own.sums.iter_mut().zip(transitions.weights()).for_each(|(sum, weight)| *sum += weight);
        }
    }

    /// The mean of the weights of each factor.
    pub(super) fn mean(mut self, passes: usize) -> Vec<Transitions> {
        for (transitions, own) in self.transitions.iter_mut().zip(&self.slopes) {
            let labels = transitions.end();
            transitions.change(|from, to, weight| {
                if *weight != FORBIDDEN {
                    *weight = own.sums[from * (labels + 1) + to] / passes.max(1) as f32;
                }
            });
        }
        self.transitions
    }
}

/// Adds a gradient to the cells of a pair of bundles.
#[inline]
fn add(
    factors: &[Factor],
    transitions: &[Transitions],
    slopes: &mut [Slopes],
    (from, to): (Option<u16>, Option<u16>),
    slope: f32,
) {
    for ((factor, transitions), own) in factors.iter().zip(transitions).zip(slopes) {
        let value = |bundle: Option<u16>| bundle.map(|bundle| factor.value(bundle));
        own.add(transitions.cell(value(from), value(to)), slope);
    }
}

/// Neighbouring pairs in a sequence, including its ends.
fn pairs(labels: impl Iterator<Item = u16>) -> impl Iterator<Item = (Option<u16>, Option<u16>)> {
    let mut before = None;
    labels.map(Some).chain([None]).map(move |label| (std::mem::replace(&mut before, label), label))
}

//! The automata of all heads as one table of vectors and matrices.
//!
//! An automaton is `α∞ᵀ A_{x_T} … A_{x₁} α₁` over a vector of `n` hidden states and two more entries for DET+F, so that
//! the mixture of both
//!
//! ```text
//! P(x | h, d) = w_latent P_latent(x | h, d) + w_det P_det(x | h, d)
//! ```
//!
//! is a single operator model, the direct sum of the two. For all heads the vectors have the same width, a multiple of
//! eight: hidden states first, the states FIRST and REST last, zeros in between. A modifier that a head was never seen
//! with has no matrix: the hidden part of the result is zero.

use super::deterministic::{Deterministic, FIRST, REST};
use super::pack::LANES;
use super::real::Real;

/// Marks a missing matrix.
pub(super) const NO_BLOCK: u32 = u32::MAX;

/// Factor by which DET+F is reweighted where hidden states give no positive sum.
const REINFORCEMENT: f64 = 10.0;

/// The vector widths that inference is compiled for.
const WIDTHS: [usize; 3] = [LANES, 2 * LANES, 3 * LANES];

/// Maximum number of hidden states.
pub const MAX_STATES: usize = WIDTHS[WIDTHS.len() - 1] - 2;

/// The width of vectors with this many hidden states.
pub(super) fn width_of(states: usize) -> usize {
    WIDTHS.into_iter().find(|&width| states + 2 <= width).unwrap_or(WIDTHS[WIDTHS.len() - 1])
}

/// Operators of one automaton's hidden states: the symbols that have matrices, and the matrices.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct LatentAutomaton {
    /// α₁
    pub initial: Vec<f64>,
    /// α∞
    pub terminal: Vec<f64>,
    /// The symbols with a matrix, ascending.
    pub symbols: Vec<u32>,
    /// The matrices in the same order, each in row-major order.
    pub operators: Vec<f64>,
    /// Singular values of the bigrams it was learnt from, largest first; empty if it was learnt in another way.
    pub spectrum: Vec<f64>,
}

/// The automata of all heads and directions.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Operators<T = f64> {
    pub(super) symbols: usize,
    /// The largest number of hidden states.
    pub(super) states: usize,
    pub(super) width: usize,
    /// α₁ by `2 head + direction`, each `width` long.
    pub(super) initial: Vec<T>,
    /// The same with the deterministic part ten times as heavy, tried if the sum over trees is not positive.
    pub(super) initial_reinforced: Vec<T>,
    /// The same with the hidden part set to zero, the last resort.
    pub(super) initial_deterministic: Vec<T>,
    /// α∞ by `2 head + direction`, each `width` long.
    pub(super) terminal: Vec<T>,
    /// `[(2 head + direction) · symbols + modifier]`
    pub(super) block_of: Vec<u32>,
    /// Columns of length `width`, [`Operators::columns`] per matrix.
    pub(super) blocks: Vec<T>,
    /// Emissions of DET+F, indexed like `block_of`: for the first and for later modifiers.
    pub(super) emit: Vec<[T; 2]>,
    pub(super) root: Vec<T>,
}

impl<T> Operators<T> {
    /// The number of columns of a matrix, including padding.
    pub(super) fn columns(&self) -> usize {
        self.states.next_multiple_of(LANES)
    }
}

impl Operators {
    /// The direct sum. `latent` has one automaton per `2 head + direction`, or none at all.
    pub(super) fn new(latent: &[LatentAutomaton], weight: f64, det: &Deterministic, det_weight: f64) -> Self {
        let symbols = det.symbols;
        let states =
            latent.iter().map(|automaton| automaton.initial.len()).max().unwrap_or(0).min(MAX_STATES);
        let width = width_of(states);
        let mut operators = Self {
            symbols,
            states,
            width,
            initial: vec![0.0; 2 * symbols * width],
            initial_reinforced: Vec::new(),
            initial_deterministic: vec![0.0; 2 * symbols * width],
            terminal: vec![0.0; 2 * symbols * width],
            block_of: vec![NO_BLOCK; 2 * symbols * symbols],
            blocks: Vec::new(),
            emit: det.emit.clone(),
            root: det.root.clone(),
        };
        for automaton in 0..2 * symbols {
            let at = automaton * width;
            operators.initial[at + width - 2 + FIRST] = det_weight;
            operators.initial_deterministic[at + width - 2 + FIRST] = 1.0;
            operators.terminal[at + width - 2 + FIRST] = det.stop[automaton][FIRST];
            operators.terminal[at + width - 2 + REST] = det.stop[automaton][REST];
            if let Some(latent) = latent.get(automaton) {
                operators.add_latent(automaton, latent, weight);
            }
        }
        operators.initial_reinforced = operators.initial.clone();
        for initial in operators.initial_reinforced.chunks_exact_mut(width) {
            initial[width - 2 + FIRST] *= REINFORCEMENT;
        }
        operators
    }

    /// The same in another precision.
    pub(super) fn rounded<T: Real>(&self) -> Operators<T> {
        let all = |numbers: &[f64]| numbers.iter().map(|&number| T::new(number)).collect();
        Operators {
            symbols: self.symbols,
            states: self.states,
            width: self.width,
            initial: all(&self.initial),
            initial_reinforced: all(&self.initial_reinforced),
            initial_deterministic: all(&self.initial_deterministic),
            terminal: all(&self.terminal),
            block_of: self.block_of.clone(),
            blocks: all(&self.blocks),
            emit: self.emit.iter().map(|pair| pair.map(T::new)).collect(),
            root: all(&self.root),
        }
    }

    fn add_latent(&mut self, automaton: usize, latent: &LatentAutomaton, weight: f64) {
        let (at, size) = (automaton * self.width, latent.initial.len());
        for (state, (initial, terminal)) in latent.initial.iter().zip(&latent.terminal).enumerate() {
            self.initial[at + state] = weight * initial;
            self.terminal[at + state] = *terminal;
        }
        if size == 0 {
            return;
        }
        for (&symbol, matrix) in latent.symbols.iter().zip(latent.operators.chunks_exact(size * size)) {
            let block = self.blocks.len() / (self.columns() * self.width);
            self.block_of[automaton * self.symbols + symbol as usize] = block as u32;
            let start = self.blocks.len();
            self.blocks.resize(start + self.columns() * self.width, 0.0);
            for (row, entries) in matrix.chunks_exact(size).enumerate() {
                for (column, &entry) in entries.iter().enumerate() {
                    self.blocks[start + column * self.width + row] = entry;
                }
            }
        }
    }

    /// The value of a whole sequence, for tests and analysis rather than inference.
    pub(super) fn value(&self, automaton: usize, sequence: &[usize]) -> f64 {
        let state = self.forward(automaton, sequence);
        state.iter().zip(&self.terminal[automaton * self.width..]).map(|(state, stop)| state * stop).sum()
    }

    /// The state vector after a prefix.
    pub(super) fn forward(&self, automaton: usize, prefix: &[usize]) -> Vec<f64> {
        let width = self.width;
        let mut state = self.initial[automaton * width..][..width].to_vec();
        for &symbol in prefix {
            let pair = automaton * self.symbols + symbol;
            let mut next = vec![0.0; width];
            if self.block_of[pair] != NO_BLOCK {
                let block = &self.blocks[self.block_of[pair] as usize * self.columns() * width..];
                for (column, weight) in block.chunks_exact(width).zip(&state[..self.states]) {
                    next.iter_mut().zip(column).for_each(|(next, entry)| *next += entry * weight);
                }
            }
            let [first, rest] = self.emit[pair];
            next[width - 1] = first * state[width - 2] + rest * state[width - 1];
            state = next;
        }
        state
    }
}

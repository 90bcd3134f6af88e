//! The probability of the words of a tree, bottom-up, in O(words · k³), or O(words · k²) in the basis of the states.

use super::model::Product;
use super::{Deptree, TreeSites};
use models::signed_log::SignedLog;

/// The score of a tree under a model.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Score {
    /// `p̂`, which may be negative under a spectral model.
    pub probability: SignedLog,
    /// The number of words.
    pub words: usize,
}

impl Score {
    /// `log |p̂|` per word, and not less than `floor`, which is the value for a `p̂` of 0.
    pub fn per_word(self, floor: f64) -> f64 {
        (self.probability.log / self.words.max(1) as f64).max(floor)
    }
}

/// Scratch memory for scoring.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    /// `r_i` of each word, and the logarithm of what was divided out of it.
    rows: Vec<f64>,
    logs: Vec<f64>,
    message: Vec<f64>,
    next: Vec<f64>,
}

impl Deptree {
    /// `log p̂` of a tree with known symbols; probability 0 if a symbol does not exist.
    pub fn score_sites(&self, tree: &TreeSites, scratch: &mut Scratch) -> Score {
        let (k, words) = (self.dimension, tree.len());
        let known = tree.symbols.iter().all(|&symbol| (symbol as usize + 1) * k <= self.duals.len());
        let (Some(root), true) = (tree.root(), known) else {
            return Score { probability: SignedLog::ZERO, words };
        };
        scratch.rows.clear();
        (0..words).for_each(|_| scratch.rows.extend(&self.operators.end));
        scratch.logs.clear();
        scratch.logs.resize(words, 0.0);
        for (word, head, side) in tree.arcs() {
            self.finish(word, tree, scratch);
            self.send(word, tree.step(word, side, self.operators.steps.len()), scratch);
            scratch.logs[head] += scratch.logs[word];
            let Scratch { rows, logs, message, next } = scratch;
            self.multiply(&mut rows[head * k..][..k], message, next, &mut logs[head]);
        }
        self.finish(root, tree, scratch);
        let row = &scratch.rows[root * k..][..k];
        let value = row.iter().zip(&self.operators.start).map(|(r, c)| r * c).sum();
        Score { probability: SignedLog::new(value, scratch.logs[root]), words }
    }

    /// Multiplies in the word itself, once everything below it is in its row.
    fn finish(&self, word: usize, tree: &TreeSites, scratch: &mut Scratch) {
        let Scratch { rows, logs, next, .. } = scratch;
        let dual = self.dual(tree.symbols[word] as usize);
        let row = &mut rows[word * self.dimension..][..self.dimension];
        if let Some(valences) = &self.valences {
            valences.multiply(row, tree.children[word]);
        }
        self.multiply(row, dual, next, &mut logs[word]);
    }

    /// `message = E_dᵀ r`.
    fn send(&self, word: usize, step: usize, scratch: &mut Scratch) {
        let k = self.dimension;
        let Scratch { rows, message, .. } = scratch;
        message.clear();
        message.resize(k, 0.0);
        let step = self.operators.steps[step].chunks_exact(k);
        for (&r, step) in rows[word * k..][..k].iter().zip(step) {
            message.iter_mut().zip(step).for_each(|(out, entry)| *out += r * entry);
        }
    }

    /// `rowᵀ ← rowᵀ D(y)`, normalised.
    fn multiply(&self, row: &mut [f64], y: &[f64], next: &mut Vec<f64>, log: &mut f64) {
        let k = self.dimension;
        next.clear();
        match &self.operators.product {
            Product::Diagonal => next.extend(row.iter().zip(y).map(|(r, y)| r * y)),
            Product::Dense(product) => {
                next.resize(k, 0.0);
                for (&r, matrix) in row.iter().zip(product.chunks_exact(k * k)) {
                    for (&y, entries) in y.iter().zip(matrix.chunks_exact(k)) {
                        let factor = r * y;
                        next.iter_mut().zip(entries).for_each(|(out, entry)| *out += factor * entry);
                    }
                }
            }
        }
        let size = next.iter().fold(0.0_f64, |size, entry| size.max(entry.abs()));
        let scale = if size > 0.0 && size.is_finite() { 1.0 / size } else { 1.0 };
        *log -= scale.ln();
        row.iter_mut().zip(next).for_each(|(row, entry)| *row = *entry * scale);
    }
}

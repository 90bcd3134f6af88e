//! Inner products of the next words with the means of all clusters.

use rayon::prelude::*;

use super::lanes::products;
use crate::clusters::Embedding;
use crate::clusters::kernel::Kernel;

/// Number of words prepared at once.
const BLOCK: usize = 64;

/// Number of words per task.
const TASK: usize = 32;

/// A block of words with their products.
#[derive(Debug)]
pub(super) struct Upcoming {
    kernel: Kernel,
    /// The first word of the block.
    first: usize,
    /// Its words.
    count: usize,
    width: usize,
    /// Products with the mean in each slot: one row per word.
    products: Vec<f32>,
    /// Products with the other words of the block.
    mutual: Vec<f32>,
}

impl Upcoming {
    pub(super) fn new(width: usize, kernel: Kernel) -> Self {
        let (products, mutual) = (vec![0.0; BLOCK * width], vec![0.0; BLOCK * BLOCK]);
        Self { kernel, first: 0, count: 0, width, products, mutual }
    }

    /// The products of a word with all means; words must be requested in order.
    pub(super) fn products(&mut self, word: usize, embedding: &Embedding, means: &[f32]) -> &[f32] {
        if word >= self.first + self.count {
            self.prepare(word, embedding, means);
        }
        &self.products[(word - self.first) * self.width..][..self.width]
    }

    fn prepare(&mut self, first: usize, embedding: &Embedding, means: &[f32]) {
        self.first = first;
        self.count = BLOCK.min(embedding.words() - first);
        let (kernel, width, stride) = (self.kernel, self.width, embedding.stride());
        let words = embedding.padded_rows(first..first + self.count);
        self.products
            .par_chunks_mut(TASK * width)
            .zip(words.par_chunks(TASK * stride))
            .for_each(|(out, words)| products(kernel, out, width, words, means, stride));
        products(kernel, &mut self.mutual, BLOCK, words, words, stride);
    }

    /// The words of the block after `word`.
    fn later(&self, word: usize) -> std::ops::Range<usize> {
        word.saturating_sub(self.first).saturating_add(1)..self.count
    }

    /// Records that the mean in slot `place` is now the vector of `word`.
    pub(super) fn placed(&mut self, word: usize, place: usize) {
        for later in self.later(word) {
            self.products[later * self.width + place] = self.mutual[(word - self.first) * BLOCK + later];
        }
    }

    /// Records that, after `word` was added, the mean in slot `kept` became `shares[0]` of itself plus `shares[1]` of
    /// that in slot `gone`.
    pub(super) fn merged(&mut self, word: usize, kept: usize, gone: usize, shares: [f32; 2]) {
        for later in self.later(word) {
            let row = &mut self.products[later * self.width..][..self.width];
            row[kept] = shares[0] * row[kept] + shares[1] * row[gone];
        }
    }
}

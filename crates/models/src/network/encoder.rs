//! Sentences as numbers, in training: sums of embeddings, and two layers over windows of words.
//!
//! ```text
//! a_p = relu(b + Σ_{-2 ≤ o ≤ 2} W_o x_{p+o})
//! c_p = a_p + relu(b' + Σ_{-2 ≤ o ≤ 2} W'_o a_{p+o})
//! ```
//!
//! A family computes its scores from `c`, and hands back the gradient of `c`.

use super::adam::SparseRows;
use super::kernels::{add, zeros};
use super::random::Random;
use super::window::{Parameters, Sentences, WindowLayer};

/// The rows of embeddings of the positions of a batch.
#[derive(Clone, Default, Debug)]
pub struct Inputs {
    rows: Vec<u32>,
    ends: Vec<usize>,
    sentences: Sentences,
}

impl Inputs {
    /// Adds a position of the current sentence.
    pub fn push(&mut self, rows: impl IntoIterator<Item = u32>) {
        self.rows.extend(rows);
        self.ends.push(self.rows.len());
    }

    /// Ends the current sentence.
    pub fn end_sentence(&mut self) {
        self.sentences.push(self.ends.len() - self.sentences.positions());
    }

    /// Removes everything.
    pub fn clear(&mut self) {
        let Self { rows, ends, sentences } = self;
        rows.clear();
        ends.clear();
        sentences.clear();
    }

    /// The number of positions.
    pub fn positions(&self) -> usize {
        self.ends.len()
    }

    /// The rows of each position.
    pub fn rows(&self) -> impl Iterator<Item = &[u32]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.rows[start..end])
    }
}

/// What both layers computed for a batch.
#[derive(Clone, Default, Debug)]
pub struct Encoder {
    inputs: Vec<f32>,
    input_gradients: Vec<f32>,
    first: WindowLayer,
    second: WindowLayer,
    first_gradients: Vec<f32>,
    /// The sum of both layers, position by position.
    pub hidden: Vec<f32>,
}

impl Encoder {
    /// Computes the hidden numbers of all positions, of which this share is dropped.
    #[inline(always)]
    pub fn forward(
        &mut self,
        batch: &Inputs,
        embeddings: &SparseRows,
        [first, second]: [Parameters<&[f32]>; 2],
        (random, dropout): (&mut Random, f32),
    ) {
        let width = embeddings.width();
        zeros(&mut self.inputs, batch.positions() * width);
        for (rows, input) in batch.rows().zip(self.inputs.chunks_exact_mut(width)) {
            rows.iter().for_each(|&row| add(input, embeddings.row(row)));
        }
        self.first.forward(&batch.sentences, &self.inputs, &first, (&mut *random, dropout));
        self.second.forward(&batch.sentences, &self.first.outputs, &second, (random, dropout));
        self.hidden.clone_from(&self.first.outputs);
        add(&mut self.hidden, &self.second.outputs);
    }

    /// From the gradients of the hidden numbers to those of the weights and embeddings, which are added to what is there.
    #[inline(always)]
    pub fn backward(
        &mut self,
        batch: &Inputs,
        hidden_gradients: &[f32],
        [first, second]: [Parameters<&[f32]>; 2],
        [mut first_gradient, mut second_gradient]: [Parameters<&mut [f32]>; 2],
        embeddings: &mut SparseRows,
    ) {
        // The second layer reads the first; what follows reads both.
        self.first_gradients.clear();
        self.first_gradients.extend_from_slice(hidden_gradients);
        self.second.backward(
            &batch.sentences,
            hidden_gradients,
            &second,
            &mut second_gradient,
            &mut self.first_gradients,
        );
        let width = embeddings.width();
        zeros(&mut self.input_gradients, batch.positions() * width);
        self.first.backward(
            &batch.sentences,
            &self.first_gradients,
            &first,
            &mut first_gradient,
            &mut self.input_gradients,
        );
        for (rows, gradient) in batch.rows().zip(self.input_gradients.chunks_exact(width)) {
            rows.iter().for_each(|&row| embeddings.push(row, gradient));
        }
    }
}

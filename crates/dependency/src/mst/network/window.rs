//! A layer over windows of words, in training.

use super::batch::Batch;
use super::kernels::{Packed, add, transpose, zeros};
use super::layers::{REACH, WINDOW};
use super::random::Random;

/// The weights of a layer, or the gradient of each.
pub(super) struct Parameters<T> {
    pub(super) matrix: T,
    pub(super) bias: T,
}

/// What a layer computed for a batch.
#[derive(Clone, Default, Debug)]
pub(super) struct WindowLayer {
    windows: Vec<f32>,
    pub(super) outputs: Vec<f32>,
    masks: Vec<f32>,
    gradients: Vec<f32>,
    window_gradients: Vec<f32>,
    transposed: Vec<f32>,
    packed: Packed,
}

impl WindowLayer {
    /// Computes the outputs, of which this share is dropped.
    pub(super) fn forward(
        &mut self,
        batch: &Batch,
        inputs: &[f32],
        weights: &Parameters<&[f32]>,
        (random, dropout): (&mut Random, f32),
    ) {
        let (positions, hidden) = (batch.positions(), weights.bias.len());
        let width = inputs.len() / positions;
        zeros(&mut self.windows, positions * WINDOW * width);
        for (start, end) in batch.sentences() {
            let windows = &mut self.windows[start * WINDOW * width..end * WINDOW * width];
            fill_windows(&inputs[start * width..end * width], width, windows);
        }
        self.outputs.clear();
        for _ in 0..positions {
            self.outputs.extend_from_slice(weights.bias);
        }
        self.packed.pack(weights.matrix, hidden);
        self.packed.multiply(&self.windows, &mut self.outputs);
        random.masks(dropout, positions * hidden, &mut self.masks);
        for (output, mask) in self.outputs.iter_mut().zip(&self.masks) {
            *output = output.max(0.0) * mask;
        }
    }

    /// From the gradients of the outputs to those of the weights and of the inputs; both are added to what is there.
    pub(super) fn backward(
        &mut self,
        batch: &Batch,
        output_gradients: &[f32],
        weights: &Parameters<&[f32]>,
        gradient: &mut Parameters<&mut [f32]>,
        input_gradients: &mut [f32],
    ) {
        let (positions, hidden) = (batch.positions(), weights.bias.len());
        let width = input_gradients.len() / positions;
        self.gradients.clear();
        let passed = output_gradients.iter().zip(self.outputs.iter().zip(&self.masks));
        self.gradients.extend(
            passed.map(|(gradient, (output, mask))| if *output > 0.0 { gradient * mask } else { 0.0 }),
        );
        self.gradients.chunks_exact(hidden).for_each(|gradients| add(gradient.bias, gradients));
        transpose(&self.windows, WINDOW * width, &mut self.transposed);
        self.packed.pack(&self.gradients, hidden);
        self.packed.multiply(&self.transposed, gradient.matrix);
        zeros(&mut self.window_gradients, positions * WINDOW * width);
        self.packed.pack_transposed(weights.matrix, hidden);
        self.packed.multiply(&self.gradients, &mut self.window_gradients);
        for (start, end) in batch.sentences() {
            for at in start..end {
                let input = &mut input_gradients[at * width..][..width];
                for center in at.saturating_sub(REACH).max(start)..(at + REACH + 1).min(end) {
                    let place = center * WINDOW + at + REACH - center;
                    add(input, &self.window_gradients[place * width..][..width]);
                }
            }
        }
    }
}

/// Joins the inputs around every position; beyond the sentence they are 0, as `windows` must be before.
pub(super) fn fill_windows(inputs: &[f32], width: usize, windows: &mut [f32]) {
    let positions = inputs.len() / width;
    for (at, window) in windows.chunks_exact_mut(WINDOW * width).enumerate() {
        let first = at.saturating_sub(REACH);
        let last = (at + REACH + 1).min(positions);
        let begin = (first + REACH - at) * width;
        window[begin..begin + (last - first) * width].copy_from_slice(&inputs[first * width..last * width]);
    }
}

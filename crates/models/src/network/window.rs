//! A layer over windows of words, in training.

use std::ops::Range;

use super::kernels::{Packed, add, transpose, zeros};
use super::random::Random;

/// Number of words before and after a word that it is seen with.
pub const REACH: usize = 2;
/// Words per window.
pub const WINDOW: usize = 2 * REACH + 1;

/// Where the sentences of a batch lie: their positions follow one after another.
#[derive(Clone, Default, Debug)]
pub struct Sentences {
    ends: Vec<usize>,
}

impl Sentences {
    /// Adds a sentence with this many positions.
    pub fn push(&mut self, positions: usize) {
        self.ends.push(self.positions() + positions);
    }

    /// Removes all sentences.
    pub fn clear(&mut self) {
        self.ends.clear();
    }

    /// The number of positions of all sentences.
    pub fn positions(&self) -> usize {
        self.ends.last().copied().unwrap_or(0)
    }

    /// The positions of each sentence.
    pub fn iter(&self) -> impl Iterator<Item = Range<usize>> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| start..end)
    }
}

/// The weights of a layer, or the gradient of each.
pub struct Parameters<T> {
    /// Row by row.
    pub matrix: T,
    /// One number per output.
    pub bias: T,
}

/// What a layer computed for a batch.
#[derive(Clone, Default, Debug)]
pub struct WindowLayer {
    windows: Vec<f32>,
    /// The outputs of all positions.
    pub outputs: Vec<f32>,
    masks: Vec<f32>,
    gradients: Vec<f32>,
    window_gradients: Vec<f32>,
    transposed: Vec<f32>,
    packed: Packed,
}

impl WindowLayer {
    /// Computes the outputs, of which this share is dropped.
    #[inline(always)]
    pub fn forward(
        &mut self,
        sentences: &Sentences,
        inputs: &[f32],
        weights: &Parameters<&[f32]>,
        (random, dropout): (&mut Random, f32),
    ) {
        let (positions, hidden) = (sentences.positions(), weights.bias.len());
        let width = inputs.len() / positions;
        zeros(&mut self.windows, positions * WINDOW * width);
        for Range { start, end } in sentences.iter() {
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
    #[inline(always)]
    pub fn backward(
        &mut self,
        sentences: &Sentences,
        output_gradients: &[f32],
        weights: &Parameters<&[f32]>,
        gradient: &mut Parameters<&mut [f32]>,
        input_gradients: &mut [f32],
    ) {
        let (positions, hidden) = (sentences.positions(), weights.bias.len());
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
        for Range { start, end } in sentences.iter() {
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
pub fn fill_windows(inputs: &[f32], width: usize, windows: &mut [f32]) {
    let positions = inputs.len() / width;
    for (at, window) in windows.chunks_exact_mut(WINDOW * width).enumerate() {
        let first = at.saturating_sub(REACH);
        let last = (at + REACH + 1).min(positions);
        let begin = (first + REACH - at) * width;
        window[begin..begin + (last - first) * width].copy_from_slice(&inputs[first * width..last * width]);
    }
}

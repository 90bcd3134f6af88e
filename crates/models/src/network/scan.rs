//! A layer that remembers, in training: gated sums over the words before a word and over those after it.
//!
//! ```text
//! z_p = σ(W_z x_p + b_z),   h_p = tanh(W_h x_p + b_h)
//! c_p = z_p ⊙ c_{p−1} + (1 − z_p) ⊙ h_p
//! ```
//!
//! These are the equations of one direction; the other has weights of its own and runs from the last word to the first. What
//! depends on the word before is a sum and no product with a matrix, so that a sentence takes two products in all (J.
//! Bradbury, S. Merity, C. Xiong and R. Socher, Quasi-recurrent neural networks, ICLR 2017).

use super::kernels::{Packed, add, exp, transpose, zeros};
use super::random::Random;
use super::window::{Parameters, Sentences};

/// Blocks of numbers that a position has before it remembers: gate and candidate of both directions.
pub const BLOCKS: usize = 4;
/// Blocks of numbers that a position has then.
pub const DIRECTIONS: usize = 2;

/// What a layer computed for a batch.
#[derive(Clone, Default, Debug)]
pub struct ScanLayer {
    /// Gates and candidates.
    gates: Vec<f32>,
    states: Vec<f32>,
    /// The outputs of all positions, those of both directions side by side.
    pub outputs: Vec<f32>,
    masks: Vec<f32>,
    state_gradients: Vec<f32>,
    gradients: Vec<f32>,
    transposed: Vec<f32>,
    packed: Packed,
}

impl ScanLayer {
    /// Computes the outputs, of which this share is dropped.
    #[inline(always)]
    pub fn forward(
        &mut self,
        sentences: &Sentences,
        inputs: &[f32],
        weights: &Parameters<&[f32]>,
        (random, dropout): (&mut Random, f32),
    ) {
        let Self { gates, states, outputs, masks, packed, .. } = self;
        let (positions, width) = (sentences.positions(), weights.bias.len());
        let hidden = width / BLOCKS;
        gates.clear();
        for _ in 0..positions {
            gates.extend_from_slice(weights.bias);
        }
        packed.pack(weights.matrix, width);
        packed.multiply(inputs, gates);
        activate(gates, hidden);
        zeros(states, positions * DIRECTIONS * hidden);
        for range in sentences.iter() {
            let (gates, states) = (
                &gates[range.start * width..range.end * width],
                &mut states[range.start * DIRECTIONS * hidden..range.end * DIRECTIONS * hidden],
            );
            scan(gates, hidden, states);
        }
        random.masks(dropout, states.len(), masks);
        outputs.clear();
        outputs.extend(states.iter().zip(masks.iter()).map(|(state, mask)| state * mask));
    }

    /// From the gradients of the outputs to those of the weights and of the inputs; both are added to what is there.
    #[inline(always)]
    pub fn backward(
        &mut self,
        sentences: &Sentences,
        inputs: &[f32],
        output_gradients: &[f32],
        weights: &Parameters<&[f32]>,
        gradient: &mut Parameters<&mut [f32]>,
        input_gradients: &mut [f32],
    ) {
        let Self { gates, states, masks, state_gradients, gradients, transposed, packed, .. } = self;
        let (positions, width) = (sentences.positions(), weights.bias.len());
        let hidden = width / BLOCKS;
        let row = DIRECTIONS * hidden;
        state_gradients.clear();
        state_gradients.extend(output_gradients.iter().zip(masks.iter()).map(|(slope, mask)| slope * mask));
        zeros(gradients, positions * width);
        for range in sentences.iter() {
            for direction in 0..DIRECTIONS {
                // Against the direction in which the sums were formed.
                let mut at = if direction == 0 { range.end - 1 } else { range.start };
                for _ in range.clone() {
                    let before = match direction {
                        0 => at.checked_sub(1).filter(|&before| before >= range.start),
                        _ => Some(at + 1).filter(|&before| before < range.end),
                    };
                    let own = at * row + direction * hidden;
                    let place = at * width + direction * 2 * hidden;
                    for unit in 0..hidden {
                        let (gate, candidate) = (gates[place + unit], gates[place + hidden + unit]);
                        let slope = state_gradients[own + unit];
                        let carried =
                            before.map_or(0.0, |before| states[before * row + direction * hidden + unit]);
                        gradients[place + unit] = slope * (carried - candidate) * gate * (1.0 - gate);
                        gradients[place + hidden + unit] =
                            slope * (1.0 - gate) * (1.0 - candidate * candidate);
                        if let Some(before) = before {
                            state_gradients[before * row + direction * hidden + unit] += slope * gate;
                        }
                    }
                    match (direction, before) {
                        (_, Some(before)) => at = before,
                        (_, None) => break,
                    }
                }
            }
        }
        gradients.chunks_exact(width).for_each(|own| add(gradient.bias, own));
        transpose(inputs, inputs.len() / positions, transposed);
        packed.pack(gradients, width);
        packed.multiply(transposed, gradient.matrix);
        packed.pack_transposed(weights.matrix, width);
        packed.multiply(gradients, input_gradients);
    }
}

/// Turns sums into gates and candidates.
#[inline(always)]
pub fn activate(sums: &mut [f32], hidden: usize) {
    for pair in sums.chunks_exact_mut(2 * hidden) {
        let (gates, candidates) = pair.split_at_mut(hidden);
        gates.iter_mut().for_each(|sum| *sum = sigmoid(*sum));
        candidates.iter_mut().for_each(|sum| *sum = tanh(*sum));
    }
}

/// Remembers, over the positions of one sentence.
#[inline(always)]
pub fn scan(gates: &[f32], hidden: usize, states: &mut [f32]) {
    let (width, row) = (BLOCKS * hidden, DIRECTIONS * hidden);
    let positions = states.len() / row;
    for at in 0..positions {
        let own = &gates[at * width..][..2 * hidden];
        let (before, rest) = states.split_at_mut(at * row);
        let state = &mut rest[..hidden];
        let carried = before.len().checked_sub(row).map(|start| &before[start..][..hidden]);
        remember(own, carried, state);
    }
    for at in (0..positions).rev() {
        let own = &gates[at * width + 2 * hidden..][..2 * hidden];
        let (rest, after) = states.split_at_mut((at + 1) * row);
        let state = &mut rest[at * row + hidden..][..hidden];
        let carried = (!after.is_empty()).then(|| &after[hidden..][..hidden]);
        remember(own, carried, state);
    }
}

/// One step of a direction.
#[inline(always)]
fn remember(own: &[f32], carried: Option<&[f32]>, state: &mut [f32]) {
    let (gates, candidates) = own.split_at(state.len());
    for ((state, gate), candidate) in state.iter_mut().zip(gates).zip(candidates) {
        *state = (1.0 - gate) * candidate;
    }
    if let Some(carried) = carried {
        for ((state, gate), carried) in state.iter_mut().zip(gates).zip(carried) {
            *state += gate * carried;
        }
    }
}

#[inline(always)]
fn sigmoid(x: f32) -> f32 {
    let small = exp(-x.abs());
    (if x < 0.0 { small } else { 1.0 }) / (1.0 + small)
}

#[inline(always)]
fn tanh(x: f32) -> f32 {
    let small = exp(-2.0 * x.abs());
    ((1.0 - small) / (1.0 + small)).copysign(x)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HIDDEN: usize = 3;
    const WIDTH: usize = 2;

    fn numbers(length: usize, seed: u64) -> Vec<f32> {
        let mut random = Random(seed);
        (0..length).map(|_| 2.0 * random.uniform() - 1.0).collect()
    }

    fn sentences() -> Sentences {
        let mut sentences = Sentences::default();
        [3, 1, 4].into_iter().for_each(|positions| sentences.push(positions));
        sentences
    }

    /// A weighted sum of the outputs.
    fn value(inputs: &[f32], matrix: &[f32], bias: &[f32]) -> f64 {
        let mut layer = ScanLayer::default();
        layer.forward(&sentences(), inputs, &Parameters { matrix, bias }, (&mut Random(1), 0.0));
        let factors = numbers(layer.outputs.len(), 9);
        layer.outputs.iter().zip(&factors).map(|(output, factor)| f64::from(output * factor)).sum()
    }

    #[test]
    fn functions_are_those_of_the_standard_library() {
        for step in -400..=400 {
            let x = step as f32 / 20.0;
            assert!((sigmoid(x) - 1.0 / (1.0 + (-x).exp())).abs() < 1e-6, "{x}");
            assert!((tanh(x) - x.tanh()).abs() < 1e-6, "{x}");
        }
    }

    #[test]
    fn states_are_gated_sums_from_both_ends() {
        // Gates of one half, candidates of 1: ½, ¾, ⅞ from the left, and the same from the right.
        let gates = [0.5, 1.0, 0.5, 1.0].repeat(3);
        let mut states = vec![0.0; 6];
        scan(&gates, 1, &mut states);
        assert_eq!(states, [0.5, 0.875, 0.75, 0.75, 0.875, 0.5]);
    }

    #[test]
    fn gradients_are_slopes() {
        let positions = sentences().positions();
        let (inputs, matrix, bias) =
            (numbers(positions * WIDTH, 2), numbers(WIDTH * BLOCKS * HIDDEN, 3), numbers(BLOCKS * HIDDEN, 4));
        let mut layer = ScanLayer::default();
        let weights = Parameters { matrix: &matrix[..], bias: &bias[..] };
        layer.forward(&sentences(), &inputs, &weights, (&mut Random(1), 0.0));
        let factors = numbers(layer.outputs.len(), 9);
        let (mut of_matrix, mut of_bias) = (vec![0.0; matrix.len()], vec![0.0; bias.len()]);
        let mut of_inputs = vec![0.0; inputs.len()];
        let mut gradient = Parameters { matrix: &mut of_matrix[..], bias: &mut of_bias[..] };
        layer.backward(&sentences(), &inputs, &factors, &weights, &mut gradient, &mut of_inputs);
        let step = 1e-2;
        let check = |values: &[f32], slopes: &[f32], value: &dyn Fn(&[f32]) -> f64| {
            for at in 0..values.len() {
                let changed = |by: f32| {
                    let mut values = values.to_vec();
                    values[at] += by;
                    value(&values)
                };
                let slope = (changed(step) - changed(-step)) / f64::from(2.0 * step);
                assert!((slope - f64::from(slopes[at])).abs() < 2e-3, "{at}: {slope} and {}", slopes[at]);
            }
        };
        check(&inputs, &of_inputs, &|inputs| value(inputs, &matrix, &bias));
        check(&matrix, &of_matrix, &|matrix| value(&inputs, matrix, &bias));
        check(&bias, &of_bias, &|bias| value(&inputs, &matrix, bias));
    }
}

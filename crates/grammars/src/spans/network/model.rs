//! Learnt networks, and the scores of a lattice.

use super::super::inference::Scores;
use super::super::lattice::Lattice;
use super::super::view::View;
use super::inputs::rows;
use super::layers::{Shape, Weights};
use super::parts::{add_scores, fill_places};
use models::log_linear::RoundedWeights;
use models::network::kernels::{Packed, add, zeros};
use models::network::scan::{BLOCKS, activate, scan};
use models::network::window::{WINDOW, fill_windows};

/// Networks whose scores are averaged.
#[derive(Clone, PartialEq, Debug)]
pub(in super::super) struct Networks {
    pub(super) members: Vec<Network>,
    /// Weight of their mean beside the scores of features.
    pub(super) weight: f32,
}

/// A learnt network.
#[derive(Clone, PartialEq, Debug)]
pub(in super::super) struct Network {
    pub(super) shape: Shape,
    pub(super) embeddings: RoundedWeights,
    pub(super) labels: RoundedWeights,
    pub(super) rules: RoundedWeights,
    pub(super) weights: Weights,
    window: Packed,
    first: Packed,
    second: Packed,
    places: Packed,
    label_values: Vec<f32>,
    rule_values: Vec<f32>,
}

/// Scratch memory of a sentence.
#[derive(Clone, Default, Debug)]
pub(in super::super) struct Scratch {
    embedded: Vec<f32>,
    windows: Vec<f32>,
    words: Vec<f32>,
    gates: Vec<f32>,
    lower: Vec<f32>,
    upper: Vec<f32>,
    places: Vec<f32>,
    roles: Vec<f32>,
    part: Vec<f32>,
}

impl Networks {
    pub(in super::super) fn new(members: Vec<Network>, weight: f32) -> Self {
        Self { members, weight }
    }

    /// The same with another weight.
    pub(in super::super) fn with_weight(self, weight: f32) -> Self {
        Self { weight, ..self }
    }

    /// Adds the weighted scores of the parts of a lattice.
    pub(in super::super) fn add(
        &self,
        view: &View,
        lattice: &Lattice,
        scratch: &mut Scratch,
        scores: &mut Scores,
    ) {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the feature was detected.
            return unsafe { self.add_avx2(view, lattice, scratch, scores) };
        }
        self.add_portably(view, lattice, scratch, scores);
    }

    /// The same with AVX2: the same code, compiled for it. Nothing is fused and no order changes, so the bits are the same.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn add_avx2(&self, view: &View, lattice: &Lattice, scratch: &mut Scratch, scores: &mut Scores) {
        self.add_portably(view, lattice, scratch, scores);
    }

    #[inline(always)]
    pub(super) fn add_portably(
        &self,
        view: &View,
        lattice: &Lattice,
        scratch: &mut Scratch,
        scores: &mut Scores,
    ) {
        let weight = self.weight / self.members.len() as f32;
        for member in &self.members {
            member.read(view, lattice.words, scratch);
            member.add(lattice, weight, scratch, scores);
        }
    }
}

impl Network {
    pub(super) fn new(shape: Shape, tables: [RoundedWeights; 3], weights: Weights) -> Self {
        let [embeddings, labels, rules] = tables;
        let values = |rounded: &RoundedWeights| {
            rounded.values.iter().map(|&value| f32::from(value) * rounded.step).collect::<Vec<f32>>()
        };
        Self {
            shape,
            label_values: values(&labels),
            rule_values: values(&rules),
            embeddings,
            labels,
            rules,
            window: Packed::of(&weights.window, shape.hidden),
            first: Packed::of(&weights.first, BLOCKS * shape.hidden),
            second: Packed::of(&weights.second, BLOCKS * shape.hidden),
            places: Packed::of(&weights.places, shape.roles()),
            weights,
        }
    }

    /// Computes the numbers of all places in all roles.
    #[inline(always)]
    fn read(&self, view: &View, words: usize, scratch: &mut Scratch) {
        let shape = self.shape;
        let Scratch { embedded, windows, words: own, gates, lower, upper, places, roles, .. } = scratch;
        zeros(embedded, words * shape.embedded);
        for (at, input) in embedded.chunks_exact_mut(shape.embedded).enumerate() {
            rows(view.near(at, 0), view.templates, shape.bits, |row| {
                let row = &self.embeddings.values[row as usize * shape.embedded..][..shape.embedded];
                for (sum, &value) in input.iter_mut().zip(row) {
                    *sum += f32::from(value) * self.embeddings.step;
                }
            });
        }
        zeros(windows, words * WINDOW * shape.embedded);
        fill_windows(embedded, shape.embedded, windows);
        product(&self.window, windows, &self.weights.window_bias, words, own);
        own.iter_mut().for_each(|number| *number = number.max(0.0));
        remember(&self.first, own, (&self.weights.first_bias, shape), gates, lower);
        remember(&self.second, lower, (&self.weights.second_bias, shape), gates, upper);
        add(upper, lower);
        zeros(places, (words + 1) * shape.place());
        fill_places(upper, shape.context(), places);
        zeros(roles, (words + 1) * shape.roles());
        self.places.multiply(places, roles);
    }

    /// Adds the weighted scores of all parts.
    #[inline(always)]
    fn add(&self, lattice: &Lattice, weight: f32, scratch: &mut Scratch, scores: &mut Scores) {
        let given = (self.shape, &scratch.roles[..], self.weights.part_biases());
        let tables = [&self.label_values[..], &self.rule_values[..]];
        add_scores(lattice, given, tables, weight, &mut scratch.part, scores);
    }
}

/// A layer that remembers.
#[inline(always)]
fn remember(
    matrix: &Packed,
    inputs: &[f32],
    (bias, shape): (&[f32], Shape),
    gates: &mut Vec<f32>,
    states: &mut Vec<f32>,
) {
    let words = inputs.len() / matrix.rows();
    product(matrix, inputs, bias, words, gates);
    activate(gates, shape.hidden);
    zeros(states, words * shape.context());
    scan(gates, shape.hidden, states);
}

/// `bias + inputs · matrix` for every word.
fn product(matrix: &Packed, inputs: &[f32], bias: &[f32], words: usize, outputs: &mut Vec<f32>) {
    outputs.clear();
    for _ in 0..words {
        outputs.extend_from_slice(bias);
    }
    matrix.multiply(inputs, outputs);
}

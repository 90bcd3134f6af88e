//! The learnt network, and the numbers of a sentence.

use super::super::prefetch::prefetch;
use super::super::words::Views;
use super::arcs::ArcWeights;
use super::layers::{EMBEDDED, Layers, ROLES, Role, Shape, between};
use models::log_linear::RoundedWeights;
use models::network::kernels::{add, zeros};
use models::network::rounded::{Rounded, Rows};
use models::network::window::REACH;

/// A learnt network.
#[derive(Clone, Debug)]
pub(in super::super) struct Network {
    pub(super) shape: Shape,
    pub(super) embeddings: RoundedWeights,
    pub(super) layers: Layers,
    window: Rounded,
    second: Rounded,
    roles: Rounded,
    labels: Rounded,
    arcs: ArcWeights,
}

/// Scratch memory of a sentence, and what was computed for it.
#[derive(Clone, Default, Debug)]
pub(super) struct Scratch {
    embedded: Vec<u32>,
    ends: Vec<u32>,
    inputs: Vec<f32>,
    rows: Rows,
    hidden: Vec<f32>,
    second: Vec<f32>,
    /// The numbers of every position in every role.
    roles: Vec<f32>,
    arcs: Vec<f32>,
}

impl Network {
    pub(super) fn new(shape: Shape, embeddings: RoundedWeights, layers: Layers) -> Self {
        Self {
            shape,
            embeddings,
            window: Rounded::of(&layers.window, shape.hidden),
            second: Rounded::of(&layers.second, shape.hidden),
            roles: Rounded::of(&layers.roles, ROLES * shape.hidden),
            labels: Rounded::of(&layers.labels, shape.labels),
            arcs: ArcWeights::new(shape, &layers),
            layers,
        }
    }

    /// Reads a sentence.
    pub(super) fn read(&self, views: &Views, scratch: &mut Scratch) {
        let Shape { embedded, hidden, .. } = self.shape;
        let positions = views.words() + 1;
        self.embed(views, scratch);
        let Scratch { inputs, rows, hidden: numbers, second, roles, .. } = scratch;
        rows.round_windows(inputs, embedded, REACH);
        repeat(&self.layers.window_bias, positions, numbers);
        self.window.multiply(rows, self.embeddings.step, numbers);
        numbers.iter_mut().for_each(|number| *number = number.max(0.0));
        rows.round_windows(numbers, hidden, REACH);
        repeat(&self.layers.second_bias, positions, second);
        self.second.multiply(rows, 1.0, second);
        for (number, more) in numbers.iter_mut().zip(second.iter()) {
            *number += more.max(0.0);
        }
        rows.round(numbers, hidden);
        zeros(roles, positions * ROLES * hidden);
        self.roles.multiply(rows, 1.0, roles);
    }

    /// The sums of embeddings of all positions, in steps.
    fn embed(&self, views: &Views, scratch: &mut Scratch) {
        let width = self.shape.embedded;
        let Scratch { embedded, ends, inputs, .. } = scratch;
        embedded.clear();
        ends.clear();
        for at in 0..=views.words() {
            let start = embedded.len();
            embedded.extend(EMBEDDED.iter().filter_map(|&view| self.shape.row(views, at, view)));
            for line in (0..width).step_by(LINE) {
                let places = embedded[start..].iter().map(|row| row * width as u32 + line as u32);
                prefetch(&self.embeddings.values, places);
            }
            ends.push(embedded.len() as u32);
        }
        zeros(inputs, ends.len() * width);
        let mut start = 0;
        for (&end, input) in ends.iter().zip(inputs.chunks_exact_mut(width)) {
            for &row in &embedded[start..end as usize] {
                let row = &self.embeddings.values[row as usize * width..][..width];
                // Whole numbers of this size are added without rounding.
                input.iter_mut().zip(row).for_each(|(sum, &value)| *sum += f32::from(value));
            }
            start = end as usize;
        }
    }

    /// Adds the scores of arcs of the sentence that was read, from these heads to a word.
    pub(super) fn add_arcs(
        &self,
        views: &Views,
        modifier: usize,
        heads: &[u32],
        scratch: &Scratch,
        scores: &mut [f32],
    ) {
        self.arcs.add(views, modifier, heads, &scratch.roles, scores);
    }

    /// Adds the scores of all labels of arcs of the sentence that was read, times a weight. Arcs are given as head and
    /// modifier; scores by arc, then by label.
    pub(super) fn add_labels(
        &self,
        views: &Views,
        arcs: &[(u32, u32)],
        weight: f32,
        scratch: &mut Scratch,
        scores: &mut [f32],
    ) {
        let Shape { hidden, labels, .. } = self.shape;
        let Scratch { roles, arcs: numbers, rows, .. } = scratch;
        zeros(numbers, arcs.len() * hidden);
        for (&(head, modifier), numbers) in arcs.iter().zip(numbers.chunks_exact_mut(hidden)) {
            let (head, modifier) = (head as usize, modifier as usize);
            add(numbers, &roles[Role::LabelledHead.of(head, hidden)]);
            add(numbers, &roles[Role::LabelledModifier.of(modifier, hidden)]);
            for row in between(views, head, modifier).label_rows(hidden) {
                add(numbers, &self.layers.between[row]);
            }
            numbers.iter_mut().for_each(|number| *number = number.max(0.0));
        }
        rows.round(numbers, hidden);
        self.labels.multiply(rows, weight, scores);
        for scores in scores.chunks_exact_mut(labels) {
            for (score, bias) in scores.iter_mut().zip(&self.layers.label_bias) {
                *score += bias * weight;
            }
        }
    }
}

/// Rounded weights per cache line.
const LINE: usize = 32;

/// Writes some numbers again and again.
fn repeat(numbers: &[f32], times: usize, to: &mut Vec<f32>) {
    to.clear();
    for _ in 0..times {
        to.extend_from_slice(numbers);
    }
}

//! The learnt network, and the scores of a sentence.

use super::super::words::Views;
use super::layers::{EMBEDDED, Layers, ROLES, Role, Shape, between};
use models::log_linear::RoundedWeights;
use models::network::kernels::{PANEL, Packed, add, zeros};
use models::network::window::{WINDOW, fill_windows};

/// A learnt network.
#[derive(Clone, Debug)]
pub(in super::super) struct Network {
    pub(super) shape: Shape,
    pub(super) embeddings: RoundedWeights,
    pub(super) layers: Layers,
    window: Packed,
    second: Packed,
    roles: Packed,
    labels: Packed,
}

/// Scratch memory of a sentence, and what was computed for it.
#[derive(Clone, Default, Debug)]
pub(super) struct Scratch {
    inputs: Vec<f32>,
    windows: Vec<f32>,
    hidden: Vec<f32>,
    second: Vec<f32>,
    roles: Vec<f32>,
    arc: Vec<f32>,
}

impl Network {
    pub(super) fn new(shape: Shape, embeddings: RoundedWeights, layers: Layers) -> Self {
        Self {
            shape,
            embeddings,
            window: Packed::of(&layers.window, shape.hidden),
            second: Packed::of(&layers.second, shape.hidden),
            roles: Packed::of(&layers.roles, ROLES * shape.hidden),
            labels: Packed::of(&layers.labels, shape.labels),
            layers,
        }
    }

    /// Reads a sentence.
    pub(super) fn read(&self, views: &Views, scratch: &mut Scratch) {
        let Shape { embedded, hidden, .. } = self.shape;
        let positions = views.words() + 1;
        let Scratch { inputs, windows, hidden: numbers, second, roles, .. } = scratch;
        zeros(inputs, positions * embedded);
        for (at, input) in inputs.chunks_exact_mut(embedded).enumerate() {
            for row in EMBEDDED.iter().filter_map(|&view| self.shape.row(views, at, view)) {
                let row = &self.embeddings.values[row as usize * embedded..][..embedded];
                for (sum, &value) in input.iter_mut().zip(row) {
                    *sum += f32::from(value) * self.embeddings.step;
                }
            }
        }
        zeros(windows, positions * WINDOW * embedded);
        fill_windows(inputs, embedded, windows);
        numbers.clear();
        for _ in 0..positions {
            numbers.extend_from_slice(&self.layers.window_bias);
        }
        self.window.multiply(windows, numbers);
        numbers.iter_mut().for_each(|number| *number = number.max(0.0));
        zeros(windows, positions * WINDOW * hidden);
        fill_windows(numbers, hidden, windows);
        second.clear();
        for _ in 0..positions {
            second.extend_from_slice(&self.layers.second_bias);
        }
        self.second.multiply(windows, second);
        for (number, more) in numbers.iter_mut().zip(second.iter()) {
            *number += more.max(0.0);
        }
        zeros(roles, positions * ROLES * hidden);
        self.roles.multiply(numbers, roles);
    }

    /// The score of an arc of the sentence that was read.
    pub(super) fn arc(&self, views: &Views, head: usize, modifier: usize, scratch: &Scratch) -> f32 {
        let hidden = self.shape.hidden;
        let (of_head, of_modifier) = (
            &scratch.roles[Role::Head.of(head, hidden)],
            &scratch.roles[Role::Modifier.of(modifier, hidden)],
        );
        let rows = between(views, head, modifier).arc_rows(hidden).map(|row| &self.layers.between[row]);
        let weights = &self.layers.arc[..hidden];
        let mut sums = [0.0_f32; PANEL];
        let mut at = 0;
        while at < hidden {
            let end = (at + PANEL).min(hidden);
            let words = of_head[at..end].iter().zip(&of_modifier[at..end]);
            let [distance, verbs, marks, conjunctions] = rows.map(|row| row[at..end].iter());
            let others = distance.zip(verbs).zip(marks.zip(conjunctions));
            let cells = words.zip(others).zip(&weights[at..end]);
            for (sum, (((one, two), ((three, four), (five, six))), weight)) in sums.iter_mut().zip(cells) {
                *sum += (one + two + (three + four) + (five + six)).max(0.0) * weight;
            }
            at = end;
        }
        sums.iter().sum()
    }

    /// Adds the scores of all labels of an arc of the sentence that was read, times a weight.
    pub(super) fn add_labels(
        &self,
        views: &Views,
        head: usize,
        modifier: usize,
        weight: f32,
        scratch: &mut Scratch,
        scores: &mut [f32],
    ) {
        let hidden = self.shape.hidden;
        let Scratch { roles, arc, .. } = scratch;
        arc.clear();
        arc.extend_from_slice(&roles[Role::LabelledHead.of(head, hidden)]);
        add(arc, &roles[Role::LabelledModifier.of(modifier, hidden)]);
        for row in between(views, head, modifier).label_rows(hidden) {
            add(arc, &self.layers.between[row]);
        }
        arc.iter_mut().for_each(|number| *number = number.max(0.0) * weight);
        self.labels.multiply(arc, scores);
        for (score, bias) in scores.iter_mut().zip(&self.layers.label_bias) {
            *score += bias * weight;
        }
    }
}

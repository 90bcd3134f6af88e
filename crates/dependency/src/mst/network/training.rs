//! Learns a network from batches of sentences.

use corpus::ids::LabelId;

use super::super::words::Views;
use super::batch::Batch;
use super::layers::{Layers, NetworkConfig, ROLES, Role, Shape, TABLES};
use super::model::Network;
use crate::arcs::Candidates;
use models::log_linear::RoundedWeights;
use models::network::adam::{Moments, SparseRows};
use models::network::encoder::Encoder;
use models::network::kernels::{Packed, add, dot, transpose, zeros};
use models::network::pace::{Pace, first_weights};
use models::network::random::Random;

/// Biases at the start: most numbers are passed on.
const FIRST_BIAS: f32 = 0.1;

/// A network in training.
pub(in super::super) struct NetworkTraining {
    config: NetworkConfig,
    shape: Shape,
    layers: Layers,
    gradient: Layers,
    moments: [Moments; TABLES],
    embeddings: SparseRows,
    random: Random,
    batch: Batch,
    numbers: Numbers,
    pace: Pace,
    loss: f64,
}

/// Intermediate numbers of a batch.
#[derive(Clone, Default, Debug)]
struct Numbers {
    encoder: Encoder,
    hidden_gradients: Vec<f32>,
    roles: Vec<f32>,
    role_gradients: Vec<f32>,
    arcs: Vec<f32>,
    arc_gradients: Vec<f32>,
    masks: Vec<f32>,
    scores: Vec<f32>,
    transposed: Vec<f32>,
    packed: Packed,
}

impl NetworkTraining {
    /// A network with random weights, to be learnt from this many words in all.
    pub(in super::super) fn new(config: NetworkConfig, labels: usize, work: u64, seed: u64) -> Self {
        let shape = Shape { embedded: config.embedded, hidden: config.hidden, bits: config.bits, labels };
        let mut random = Random(seed);
        let first = first_weights(Layers::lengths(shape), Layers::inputs(shape), &mut random);
        let mut layers = Layers::from_tables(first);
        layers.window_bias.fill(FIRST_BIAS);
        layers.second_bias.fill(FIRST_BIAS);
        Self {
            config,
            shape,
            gradient: Layers::zeros(shape),
            moments: Layers::lengths(shape).map(Moments::new),
            embeddings: SparseRows::zeros(1 << config.bits, config.embedded),
            layers,
            random,
            batch: Batch::default(),
            numbers: Numbers::default(),
            pace: Pace::new(config.rate, work),
            loss: 0.0,
        }
    }

    /// Adds a sentence to the batch, and learns from the batch when it is full.
    pub(in super::super) fn learn(
        &mut self,
        views: &Views,
        candidates: &Candidates,
        heads: &[u32],
        labels: &[LabelId],
    ) {
        let dropout = (&mut self.random, self.config.form_dropout);
        self.batch.push(self.shape, views, candidates, (heads, labels), dropout);
        if self.batch.modifiers.len() >= self.pace.batch_words() {
            self.step();
        }
    }

    /// Learns from the batch and empties it.
    fn step(&mut self) {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the feature was detected.
            return unsafe { self.step_avx2() };
        }
        self.step_portably();
    }

    /// The same with AVX2: the same code, compiled for it. Nothing is fused and no order changes, so the bits are the same.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn step_avx2(&mut self) {
        self.step_portably();
    }

    #[inline(always)]
    fn step_portably(&mut self) {
        self.forward();
        self.loss += self.arcs() + self.labels();
        self.backward();
        let step = self.pace.step(self.batch.modifiers.len());
        let tables = self.layers.tables_mut().into_iter().zip(self.gradient.tables_mut());
        for (moments, (values, gradient)) in self.moments.iter_mut().zip(tables) {
            moments.step(step, 0, values, gradient);
        }
        self.embeddings.step(step);
        self.batch.clear();
    }

    /// Computes the numbers of all positions.
    #[inline(always)]
    fn forward(&mut self) {
        let hidden = self.shape.hidden;
        let (batch, numbers, dropout) = (&self.batch, &mut self.numbers, self.config.dropout);
        let positions = batch.inputs.positions();
        let dropout = (&mut self.random, dropout);
        numbers.encoder.forward(&batch.inputs, &self.embeddings, self.layers.windows(), dropout);
        zeros(&mut numbers.roles, positions * ROLES * hidden);
        numbers.packed.pack(&self.layers.roles, ROLES * hidden);
        numbers.packed.multiply(&numbers.encoder.hidden, &mut numbers.roles);
        zeros(&mut numbers.role_gradients, positions * ROLES * hidden);
    }

    /// Gradients of the scores of arcs; returns the sum of −log p of the gold heads.
    #[inline(always)]
    fn arcs(&mut self) -> f64 {
        let mut loss = 0.0;
        let hidden = self.shape.hidden;
        let (batch, numbers) = (&self.batch, &mut self.numbers);
        let share = 1.0 / batch.modifiers.len() as f32;
        for (at, modifier) in batch.modifiers.iter().enumerate() {
            let heads = batch.heads(at);
            let own = Role::Modifier.of(modifier.position(), hidden);
            let place = |head: u32| Role::Head.of(modifier.root + head as usize, hidden);
            zeros(&mut numbers.arcs, heads.len() * hidden);
            self.random.masks(self.config.dropout, hidden, &mut numbers.masks);
            numbers.scores.clear();
            for ((head, between), arc) in heads.iter().zip(numbers.arcs.chunks_exact_mut(hidden)) {
                add(arc, &numbers.roles[place(*head)]);
                add(arc, &numbers.roles[own.clone()]);
                for row in between.arc_rows(hidden) {
                    add(arc, &self.layers.between[row]);
                }
                arc.iter_mut().zip(&numbers.masks).for_each(|(cell, mask)| *cell = cell.max(0.0) * mask);
                numbers.scores.push(dot(arc, &self.layers.arc));
            }
            softmax(&mut numbers.scores);
            for (((head, between), arc), score) in
                heads.iter().zip(numbers.arcs.chunks_exact_mut(hidden)).zip(&numbers.scores)
            {
                let right = f32::from(u8::from(*head == modifier.head));
                loss -= f64::from(right * score.max(f32::MIN_POSITIVE).ln());
                let slope = (score - right) * share;
                let weights = self.layers.arc.iter().zip(&numbers.masks);
                for (cell, (gradient, (weight, mask))) in
                    arc.iter_mut().zip(self.gradient.arc.iter_mut().zip(weights))
                {
                    *gradient += slope * *cell;
                    *cell = if *cell > 0.0 { slope * weight * mask } else { 0.0 };
                }
                add(&mut numbers.role_gradients[place(*head)], arc);
                add(&mut numbers.role_gradients[own.clone()], arc);
                for row in between.arc_rows(hidden) {
                    add(&mut self.gradient.between[row], arc);
                }
            }
        }
        loss
    }

    /// Gradients of the scores of labels, for the gold arcs; returns the sum of −log p of the gold labels.
    #[inline(always)]
    fn labels(&mut self) -> f64 {
        let mut loss = 0.0;
        let Shape { hidden, labels, .. } = self.shape;
        let (batch, numbers) = (&self.batch, &mut self.numbers);
        let words = batch.modifiers.len();
        let share = 1.0 / words as f32;
        zeros(&mut numbers.arcs, words * hidden);
        for (modifier, arc) in batch.modifiers.iter().zip(numbers.arcs.chunks_exact_mut(hidden)) {
            add(arc, &numbers.roles[Role::LabelledHead.of(modifier.head_position(), hidden)]);
            add(arc, &numbers.roles[Role::LabelledModifier.of(modifier.position(), hidden)]);
            for row in modifier.between.label_rows(hidden) {
                add(arc, &self.layers.between[row]);
            }
        }
        self.random.masks(self.config.dropout, words * hidden, &mut numbers.masks);
        numbers.arcs.iter_mut().zip(&numbers.masks).for_each(|(cell, mask)| *cell = cell.max(0.0) * mask);
        numbers.scores.clear();
        for _ in 0..words {
            numbers.scores.extend_from_slice(&self.layers.label_bias);
        }
        numbers.packed.pack(&self.layers.labels, labels);
        numbers.packed.multiply(&numbers.arcs, &mut numbers.scores);
        for (modifier, scores) in batch.modifiers.iter().zip(numbers.scores.chunks_exact_mut(labels)) {
            softmax(scores);
            loss -= f64::from(scores[modifier.label].max(f32::MIN_POSITIVE).ln());
            scores[modifier.label] -= 1.0;
            scores.iter_mut().for_each(|score| *score *= share);
            add(&mut self.gradient.label_bias, scores);
        }
        transpose(&numbers.arcs, hidden, &mut numbers.transposed);
        numbers.packed.pack(&numbers.scores, labels);
        numbers.packed.multiply(&numbers.transposed, &mut self.gradient.labels);
        zeros(&mut numbers.arc_gradients, words * hidden);
        numbers.packed.pack_transposed(&self.layers.labels, labels);
        numbers.packed.multiply(&numbers.scores, &mut numbers.arc_gradients);
        let passed = numbers.arcs.iter().zip(&numbers.masks);
        for (gradient, (cell, mask)) in numbers.arc_gradients.iter_mut().zip(passed) {
            *gradient = if *cell > 0.0 { *gradient * mask } else { 0.0 };
        }
        for (modifier, arc) in batch.modifiers.iter().zip(numbers.arc_gradients.chunks_exact(hidden)) {
            let head = Role::LabelledHead.of(modifier.head_position(), hidden);
            add(&mut numbers.role_gradients[head], arc);
            add(&mut numbers.role_gradients[Role::LabelledModifier.of(modifier.position(), hidden)], arc);
            for row in modifier.between.label_rows(hidden) {
                add(&mut self.gradient.between[row], arc);
            }
        }
        loss
    }

    /// Gradients of everything below the roles.
    #[inline(always)]
    fn backward(&mut self) {
        let hidden = self.shape.hidden;
        let (batch, numbers) = (&self.batch, &mut self.numbers);
        transpose(&numbers.encoder.hidden, hidden, &mut numbers.transposed);
        numbers.packed.pack(&numbers.role_gradients, ROLES * hidden);
        numbers.packed.multiply(&numbers.transposed, &mut self.gradient.roles);
        zeros(&mut numbers.hidden_gradients, batch.inputs.positions() * hidden);
        numbers.packed.pack_transposed(&self.layers.roles, ROLES * hidden);
        numbers.packed.multiply(&numbers.role_gradients, &mut numbers.hidden_gradients);
        numbers.encoder.backward(
            &batch.inputs,
            &numbers.hidden_gradients,
            self.layers.windows(),
            self.gradient.windows_mut(),
            &mut self.embeddings,
        );
    }

    /// The sum of −log p of gold heads and labels since the last call.
    pub(in super::super) fn take_loss(&mut self) -> f64 {
        std::mem::take(&mut self.loss)
    }

    /// The network, after what is left of the last batch.
    pub(in super::super) fn finish(mut self) -> Network {
        if !self.batch.modifiers.is_empty() {
            self.step();
        }
        Network::new(self.shape, RoundedWeights::round(&self.embeddings.values), self.layers)
    }
}

fn softmax(scores: &mut [f32]) {
    let best = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    scores.iter_mut().for_each(|score| *score = (*score - best).exp());
    let sum: f32 = scores.iter().sum();
    scores.iter_mut().for_each(|score| *score /= sum);
}

#[cfg(test)]
mod tests {
    use super::super::super::words::Lemmas;
    use super::*;
    use crate::arcs::Word;
    use corpus::ids::Id;

    const WORDS: [(&str, &str); 5] =
        [("the", "DET"), ("dog", "NOUN"), ("saw", "VERB"), ("cats", "NOUN"), (".", "PUNCT")];
    const HEADS: [u32; 5] = [2, 3, 0, 3, 3];

    fn views() -> Views {
        let word = |&(form, upos): &(&'static str, &'static str)| Word {
            form,
            upos,
            xpos: "_",
            feats: "_",
            lemma: "_",
        };
        let mut views = Views::default();
        views.read(&WORDS.iter().map(word).collect::<Vec<_>>(), Lemmas::Ignore, None);
        views
    }

    fn labels() -> Vec<LabelId> {
        [0, 1, 2, 3, 0].into_iter().filter_map(LabelId::new).collect()
    }

    fn training(dropout: f32) -> NetworkTraining {
        let config = NetworkConfig {
            embedded: 6,
            hidden: 10,
            bits: 6,
            dropout,
            form_dropout: 0.0,
            ..NetworkConfig::default()
        };
        let mut training = NetworkTraining::new(config, 4, 10_000, 5);
        let mut random = Random(11);
        training.embeddings.values.iter_mut().for_each(|value| *value = random.uniform() - 0.5);
        training
    }

    fn push(training: &mut NetworkTraining) {
        let (shape, all) = (training.shape, Candidates::all(WORDS.len()));
        let dropout = (&mut training.random, 0.0);
        training.batch.push(shape, &views(), &all, (&HEADS, &labels()), dropout);
    }

    /// The loss per word of the batch.
    fn loss(training: &mut NetworkTraining) -> f64 {
        training.forward();
        (training.arcs() + training.labels()) / training.batch.modifiers.len() as f64
    }

    #[test]
    fn gradients_are_slopes_of_the_loss() {
        let mut training = training(0.0);
        push(&mut training);
        push(&mut training);
        training.forward();
        training.arcs();
        training.labels();
        training.backward();
        let gradient = training.gradient.clone();
        let embedding = training.embeddings.gradient.clone();
        const STEP: f32 = 2e-3;
        let mut compared = 0;
        let mut compare =
            |training: &mut NetworkTraining, expected: f32, set: &dyn Fn(&mut NetworkTraining, f32)| {
                let mut at = |by: f32| {
                    set(training, by);
                    let loss = loss(training);
                    set(training, -by);
                    loss
                };
                let slope = (at(STEP) - at(-STEP)) / f64::from(2.0 * STEP);
                assert!((slope - f64::from(expected)).abs() < 3e-3, "{slope} against {expected}");
                compared += usize::from(expected.abs() > 1e-2);
            };
        for table in 0..TABLES {
            let length = gradient.tables()[table].len();
            for place in (0..length).step_by(length.div_ceil(12)) {
                let expected = gradient.tables()[table][place];
                compare(&mut training, expected, &|training, by| {
                    training.layers.tables_mut()[table][place] += by
                });
            }
        }
        for place in (0..embedding.len()).step_by(7) {
            compare(&mut training, embedding[place], &|training, by| training.embeddings.values[place] += by);
        }
        assert!(compared > 20, "{compared}");
    }

    #[test]
    fn steps_do_not_depend_on_the_processor() {
        let (mut one, mut other) = (training(0.1), training(0.1));
        for _ in 0..3 {
            push(&mut one);
            one.step();
            push(&mut other);
            other.step_portably();
        }
        assert_eq!(one.layers.tables(), other.layers.tables());
        assert_eq!(one.embeddings.values, other.embeddings.values);
        assert_eq!(one.take_loss(), other.take_loss());
    }

    #[test]
    fn it_learns_and_scores_what_it_has_learnt() {
        let mut training = training(0.1);
        let (views, all) = (views(), Candidates::all(WORDS.len()));
        for _ in 0..2_000 {
            training.learn(&views, &all, &HEADS, &labels());
        }
        let network = training.finish();
        let mut scratch = super::super::model::Scratch::default();
        network.read(&views, &mut scratch);
        for (modifier, &gold) in (1..).zip(&HEADS) {
            let mut of_heads = vec![0.0; WORDS.len()];
            network.add_arcs(&views, modifier, all.of(modifier), &scratch, &mut of_heads);
            let score = |head: u32| {
                let place = all.of(modifier).iter().position(|&other| other == head);
                of_heads[place.unwrap()]
            };
            for &head in all.of(modifier).iter().filter(|&&head| head != gold) {
                assert!(score(gold) > score(head) + 1.0, "{modifier} {head}");
            }
            let mut scores = vec![0.0; 4];
            let arc = (gold, modifier as u32);
            network.add_labels(&views, &[arc], 1.0, &mut scratch.clone(), &mut scores);
            let right = labels()[modifier - 1].index();
            assert!((0..4).all(|label| label == right || scores[right] > scores[label] + 1.0), "{scores:?}");
        }
    }
}

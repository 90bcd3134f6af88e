//! Learns a network from batches of sentences.

use super::super::examples::Example;
use super::super::inference::{Posteriors, Scores};
use super::inputs::rows;
use super::layers::{NetworkConfig, Role, Shape, TABLES, Weights};
use super::model::Network;
use super::parts::{Part, Rows, add_scores, fill_places, of_mut, parts, rule_numbers, span_numbers};
use models::log_linear::RoundedWeights;
use models::network::adam::{Moments, SparseRows};
use models::network::encoder::Inputs;
use models::network::kernels::{Packed, add, transpose, zeros};
use models::network::pace::{Pace, first_weights};
use models::network::random::Random;
use models::network::scan::ScanLayer;
use models::network::window::{Parameters, Sentences, WindowLayer};

/// Biases at the start: most numbers are passed on, and most of what was is remembered.
const FIRST_BIAS: f32 = 0.1;
const FIRST_GATE: f32 = 1.0;
/// Slopes below this change nothing.
const NEGLIGIBLE: f32 = 1e-3;

/// A network in training.
pub(in super::super) struct NetworkTraining<'e> {
    config: NetworkConfig,
    shape: Shape,
    weights: Weights,
    gradient: Weights,
    moments: [Moments; TABLES],
    embeddings: SparseRows,
    labels: SparseRows,
    rules: SparseRows,
    random: Random,
    batch: Vec<&'e Example>,
    inputs: Inputs,
    /// The rows of a word.
    word: Vec<u32>,
    numbers: Numbers,
    pace: Pace,
}

/// Intermediate numbers of a batch.
#[derive(Clone, Default, Debug)]
struct Numbers {
    sentences: Sentences,
    embedded: Vec<f32>,
    embedded_gradients: Vec<f32>,
    window: WindowLayer,
    window_gradients: Vec<f32>,
    first: ScanLayer,
    first_gradients: Vec<f32>,
    second: ScanLayer,
    context: Vec<f32>,
    context_gradients: Vec<f32>,
    /// One more per sentence than words.
    places: Vec<f32>,
    place_gradients: Vec<f32>,
    roles: Vec<f32>,
    role_gradients: Vec<f32>,
    /// The hidden numbers of a part, their gradient, and the step of its rows.
    part: Vec<f32>,
    part_gradient: Vec<f32>,
    step: Vec<f32>,
    scores: Scores,
    posteriors: Posteriors,
    packed: Packed,
    transposed: Vec<f32>,
}

impl<'e> NetworkTraining<'e> {
    /// A network with random weights, to be learnt from this many words in all.
    pub(in super::super) fn new(config: NetworkConfig, work: u64, seed: u64) -> Self {
        let shape = Shape::of(&config);
        let Shape { embedded, hidden, part, bits, label_bits } = shape;
        let mut random = Random(seed);
        let first = first_weights(Weights::lengths(shape), Weights::inputs(shape), &mut random);
        let mut weights = Weights::from_tables(first);
        weights.window_bias.fill(FIRST_BIAS);
        weights.span_bias.fill(FIRST_BIAS);
        weights.rule_bias.fill(FIRST_BIAS);
        for bias in [&mut weights.first_bias, &mut weights.second_bias] {
            bias.chunks_exact_mut(2 * hidden).for_each(|bias| bias[..hidden].fill(FIRST_GATE));
        }
        Self {
            config,
            shape,
            gradient: Weights::zeros(shape),
            moments: Weights::lengths(shape).map(Moments::new),
            embeddings: SparseRows::zeros(1 << bits, embedded),
            labels: SparseRows::zeros(1 << label_bits, part),
            rules: SparseRows::zeros(1 << label_bits, part),
            weights,
            random,
            batch: Vec::new(),
            inputs: Inputs::default(),
            word: Vec::new(),
            numbers: Numbers::default(),
            pace: Pace::new(config.rate, work),
        }
    }

    /// Adds a sentence to the batch, and learns from the batch when it is full. Returns the loss of what was learnt from.
    pub(in super::super) fn learn(&mut self, example: &'e Example) -> f64 {
        for at in 0..example.lattice.words {
            let without_form = usize::from(self.random.uniform() < self.config.form_dropout);
            self.word.clear();
            rows(example.view.near(at, 0), example.view.templates, self.shape.bits, |row| {
                self.word.push(row)
            });
            self.inputs.push(self.word.iter().copied().skip(without_form));
        }
        self.inputs.end_sentence();
        self.numbers.sentences.push(example.lattice.words);
        self.batch.push(example);
        if self.numbers.sentences.positions() >= self.pace.batch_words() { self.step() } else { 0.0 }
    }

    /// Learns from the batch and empties it.
    fn step(&mut self) -> f64 {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the feature was detected.
            return unsafe { self.step_avx2() };
        }
        self.step_portably()
    }

    /// The same code with AVX2.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn step_avx2(&mut self) -> f64 {
        self.step_portably()
    }

    #[inline(always)]
    fn step_portably(&mut self) -> f64 {
        self.forward();
        let loss = self.slopes();
        self.backward();
        let step = self.pace.step(self.numbers.sentences.positions());
        let tables = self.weights.tables_mut().into_iter().zip(self.gradient.tables_mut());
        for (moments, (values, gradient)) in self.moments.iter_mut().zip(tables) {
            moments.step(step, 0, values, gradient);
        }
        [&mut self.embeddings, &mut self.labels, &mut self.rules]
            .into_iter()
            .for_each(|rows| rows.step(step));
        self.batch.clear();
        self.inputs.clear();
        self.numbers.sentences.clear();
        loss
    }

    /// Computes the numbers of all places in all roles.
    #[inline(always)]
    fn forward(&mut self) {
        let (shape, dropout) = (self.shape, self.config.dropout);
        let Numbers { sentences, embedded, window, first, second, context, places, roles, packed, .. } =
            &mut self.numbers;
        let random = &mut self.random;
        zeros(embedded, self.inputs.positions() * shape.embedded);
        for (rows, input) in self.inputs.rows().zip(embedded.chunks_exact_mut(shape.embedded)) {
            rows.iter().for_each(|&row| add(input, self.embeddings.row(row)));
        }
        let [lower, upper] = self.weights.scans();
        window.forward(sentences, embedded, &self.weights.window(), (&mut *random, dropout));
        first.forward(sentences, &window.outputs, &lower, (&mut *random, dropout));
        second.forward(sentences, &first.outputs, &upper, (random, dropout));
        context.clone_from(&first.outputs);
        add(context, &second.outputs);
        let width = shape.context();
        let count = sentences.positions() + self.batch.len();
        zeros(places, count * shape.place());
        for (number, range) in sentences.iter().enumerate() {
            let own = (range.start + number) * shape.place()..(range.end + number + 1) * shape.place();
            fill_places(&context[range.start * width..range.end * width], width, &mut places[own]);
        }
        zeros(roles, count * shape.roles());
        packed.pack(&self.weights.places, shape.roles());
        packed.multiply(places, roles);
    }

    /// Gradients of the roles of all places, of labels and rules; returns the sum of −log p of the right trees.
    #[inline(always)]
    fn slopes(&mut self) -> f64 {
        let shape = self.shape;
        let share = 1.0 / self.numbers.sentences.positions() as f32;
        let roles = std::mem::take(&mut self.numbers.roles);
        let mut all_gradients = std::mem::take(&mut self.numbers.role_gradients);
        zeros(&mut all_gradients, roles.len());
        let mut loss = 0.0;
        let mut start = 0;
        let batch = std::mem::take(&mut self.batch);
        for example in &batch {
            let length = (example.lattice.words + 1) * shape.roles();
            let gradients = &mut all_gradients[start..start + length];
            loss += self.sentence(example, &roles[start..start + length], gradients, share);
            start += length;
        }
        self.batch = batch;
        self.numbers.roles = roles;
        self.numbers.role_gradients = all_gradients;
        loss
    }

    /// The same for one sentence.
    #[inline(always)]
    fn sentence(&mut self, example: &Example, roles: &[f32], gradients: &mut [f32], share: f32) -> f64 {
        let Self { shape, weights, gradient, labels, rules, numbers, .. } = self;
        let (shape, biases) = (*shape, weights.part_biases());
        let Numbers { part, part_gradient, step, scores, posteriors, .. } = numbers;
        let lattice = &example.lattice;
        zeros(&mut scores.nodes, lattice.nodes.len());
        zeros(&mut scores.branches, lattice.branches.len());
        let tables = [&labels.values[..], &rules.values[..]];
        add_scores(lattice, (shape, roles, biases), tables, 1.0, part, scores);
        let total = posteriors.fill(lattice, scores);
        let right = example.right_score(scores);
        for numbers in [&mut *part, part_gradient, step] {
            zeros(numbers, shape.part);
        }
        let slope = |posterior: f32, right: bool| posterior - f32::from(u8::from(right));
        for own in parts(lattice, shape.label_bits) {
            let of_part = match own {
                Part::Label(node, ..) => slope(posteriors.nodes[node], example.right_nodes[node]),
                Part::Rule(branch, ..) => slope(posteriors.branches[branch], example.right_branches[branch]),
            };
            if of_part.abs() <= NEGLIGIBLE {
                continue;
            }
            match own {
                Part::Label(_, ends, rows) => {
                    span_numbers(roles, shape, ends, biases[0], part);
                    descend(labels, rows, part, of_part * share, part_gradient, step);
                    add(&mut gradient.span_bias, part_gradient);
                    for (place, role) in ends.into_iter().zip([Role::SpanStart, Role::SpanEnd]) {
                        add(of_mut(gradients, shape, place, role), part_gradient);
                    }
                }
                Part::Rule(_, places, rows) => {
                    rule_numbers(roles, shape, places, biases[1], part);
                    descend(rules, rows, part, of_part * share, part_gradient, step);
                    add(&mut gradient.rule_bias, part_gradient);
                    for (place, role) in
                        places.into_iter().zip([Role::RuleStart, Role::RuleSplit, Role::RuleEnd])
                    {
                        add(of_mut(gradients, shape, place, role), part_gradient);
                    }
                }
            }
        }
        total - right
    }

    /// Gradients of everything below the roles of places.
    #[inline(always)]
    fn backward(&mut self) {
        let shape = self.shape;
        let Numbers {
            sentences,
            embedded,
            embedded_gradients,
            window,
            window_gradients,
            first,
            first_gradients,
            second,
            context_gradients,
            places,
            place_gradients,
            role_gradients,
            packed,
            transposed,
            ..
        } = &mut self.numbers;
        transpose(places, shape.place(), transposed);
        packed.pack(role_gradients, shape.roles());
        packed.multiply(transposed, &mut self.gradient.places);
        zeros(place_gradients, places.len());
        packed.pack_transposed(&self.weights.places, shape.roles());
        packed.multiply(role_gradients, place_gradients);
        let width = shape.context();
        zeros(context_gradients, sentences.positions() * width);
        for (number, range) in sentences.iter().enumerate() {
            for word in range {
                let own = &mut context_gradients[word * width..][..width];
                let place = (word + number) * shape.place();
                // The word follows the place before it and precedes the one behind it.
                add(own, &place_gradients[place + width..][..width]);
                add(own, &place_gradients[place + shape.place()..][..width]);
            }
        }
        let [lower, upper] = self.weights.scans();
        let [mut of_window, mut of_lower, mut of_upper] = self.gradient.layers_mut();
        // The second layer reads the first; places read both.
        first_gradients.clone_from(context_gradients);
        second.backward(sentences, &first.outputs, context_gradients, &upper, &mut of_upper, first_gradients);
        zeros(window_gradients, window.outputs.len());
        first.backward(sentences, &window.outputs, first_gradients, &lower, &mut of_lower, window_gradients);
        zeros(embedded_gradients, embedded.len());
        let of_words: Parameters<&[f32]> = self.weights.window();
        window.backward(sentences, window_gradients, &of_words, &mut of_window, embedded_gradients);
        for (rows, gradient) in self.inputs.rows().zip(embedded_gradients.chunks_exact(shape.embedded)) {
            rows.iter().for_each(|&row| self.embeddings.push(row, gradient));
        }
    }

    /// The network, after what is left of the last batch.
    pub(in super::super) fn finish(mut self) -> Network {
        if !self.batch.is_empty() {
            self.step();
        }
        let [embeddings, labels, rules] =
            [&self.embeddings, &self.labels, &self.rules].map(|rows| RoundedWeights::round(&rows.values));
        Network::new(self.shape, [embeddings, labels, rules], self.weights)
    }
}

/// Adds to the gradients of the rows that scored these numbers, and computes that of the numbers.
#[inline(always)]
fn descend(
    table: &mut SparseRows,
    rows: Rows,
    numbers: &[f32],
    slope: f32,
    gradient: &mut [f32],
    step: &mut [f32],
) {
    for (step, number) in step.iter_mut().zip(numbers) {
        *step = slope * number;
    }
    gradient.fill(0.0);
    for row in rows {
        add(gradient, table.row(row));
        table.push(row, step);
    }
    for (gradient, number) in gradient.iter_mut().zip(numbers) {
        *gradient = if *number > 0.0 { slope * *gradient } else { 0.0 };
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    use super::super::super::tests::random_examples;
    use super::super::model::{Networks, Scratch};
    use super::super::tests::small;
    use super::*;

    /// A network with random numbers in all tables, which has read these examples and not yet learnt from them.
    fn in_the_middle(examples: &[Example]) -> NetworkTraining<'_> {
        let mut training = NetworkTraining::new(small(), 1 << 40, 5);
        let mut random = Random(11);
        for rows in [&mut training.embeddings, &mut training.labels, &mut training.rules] {
            rows.values.iter_mut().for_each(|value| *value = 2.0 * random.uniform() - 1.0);
        }
        for example in examples {
            assert_eq!(training.learn(example), 0.0, "the batch is not full yet");
        }
        training
    }

    #[test]
    fn gradients_are_slopes_of_the_loss() {
        let examples = random_examples(&mut ChaCha8Rng::seed_from_u64(4), 6);
        let mut training = in_the_middle(&examples);
        let words = training.numbers.sentences.positions();
        training.forward();
        training.slopes();
        training.backward();
        let gradient = training.gradient.clone();
        let of_rows =
            [&training.embeddings, &training.labels, &training.rules].map(|rows| rows.gradient.clone());
        const STEP: f32 = 1e-3;
        let mut compared = 0;
        let mut compare = |training: &mut NetworkTraining<'_>,
                           expected: f32,
                           add: &dyn Fn(&mut NetworkTraining<'_>, f32)| {
            let mut at = |by: f32| {
                add(training, by);
                training.forward();
                let loss = training.slopes() / words as f64;
                add(training, -by);
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
                    training.weights.tables_mut()[table][place] += by;
                });
            }
        }
        for place in (0..of_rows[0].len()).step_by(7) {
            compare(&mut training, of_rows[0][place], &|training, by| {
                training.embeddings.values[place] += by
            });
        }
        for place in (0..of_rows[1].len()).step_by(3) {
            compare(&mut training, of_rows[1][place], &|training, by| training.labels.values[place] += by);
            compare(&mut training, of_rows[2][place], &|training, by| training.rules.values[place] += by);
        }
        assert!(compared > 50, "{compared}");
    }

    #[test]
    fn steps_do_not_depend_on_the_processor() {
        let examples = random_examples(&mut ChaCha8Rng::seed_from_u64(4), 6);
        let (mut one, mut other) = (in_the_middle(&examples), in_the_middle(&examples));
        let losses = (one.step(), other.step_portably());
        assert_eq!(losses.0.to_bits(), losses.1.to_bits());
        assert_eq!(one.weights.tables(), other.weights.tables());
        assert_eq!(one.embeddings.values, other.embeddings.values);
    }

    #[test]
    fn a_finished_network_scores_like_one_in_training() {
        let examples = random_examples(&mut ChaCha8Rng::seed_from_u64(4), 6);
        let mut training = in_the_middle(&examples);
        training.forward();
        let loss = training.slopes();
        training.batch.clear();
        let networks = Networks::new(vec![training.finish()], 1.0);
        let finished: f64 = examples
            .iter()
            .map(|example| {
                let mut scores = Scores {
                    nodes: vec![0.0; example.lattice.nodes.len()],
                    branches: vec![0.0; example.lattice.branches.len()],
                };
                networks.add(&example.view, &example.lattice, &mut Scratch::default(), &mut scores);
                Posteriors::default().fill(&example.lattice, &scores) - example.right_score(&scores)
            })
            .sum();
        // Embeddings and the weights of labels and rules are rounded.
        assert!((loss - finished).abs() < 1e-2 * loss, "{loss} and {finished}");
    }
}

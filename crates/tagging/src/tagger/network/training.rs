//! Learns a network from batches of sentences.

use super::super::closed::ClosedWords;
use super::super::layer::Layer;
use super::super::prefixes::BundleScores;
use super::inputs::Inputs;
use super::layers::{NetworkConfig, Shape, TABLES, Weights};
use super::model::Network;
use models::log_linear::RoundedWeights;
use models::network::adam::{Moments, SparseRows};
use models::network::encoder::{self, Encoder};
use models::network::kernels::{Packed, add, softmax, transpose, zeros};
use models::network::pace::{Pace, first_weights};
use models::network::random::Random;

use corpus::ids::WordId;

/// Biases at the start: most numbers are passed on.
const FIRST_BIAS: f32 = 0.1;
/// Bundles with a lower probability change nothing.
const NEGLIGIBLE: f32 = 1e-4;

/// A network in training.
pub(in super::super) struct NetworkTraining<'a> {
    config: NetworkConfig,
    layers: &'a [Layer],
    closed: &'a ClosedWords,
    shape: Shape,
    weights: Weights,
    gradient: Weights,
    moments: [Moments; TABLES],
    embeddings: SparseRows,
    random: Random,
    batch: Batch,
    numbers: Numbers,
    pace: Pace,
}

/// A word of the data as a network learns it.
pub(in super::super) struct Lesson<'e> {
    /// The number of the word in the data.
    pub(in super::super) word: usize,
    /// Its bundle in each layer.
    pub(in super::super) bundles: &'e [u16],
    pub(in super::super) known: Option<WordId>,
}

/// The sentences of one training step.
#[derive(Clone, Default, Debug)]
struct Batch {
    inputs: encoder::Inputs,
    /// The bundles of all words in all layers.
    bundles: Vec<u16>,
    known: Vec<Option<WordId>>,
}

impl Batch {
    fn clear(&mut self) {
        let Self { inputs, bundles, known } = self;
        inputs.clear();
        bundles.clear();
        known.clear();
    }
}

/// Intermediate numbers of a batch.
#[derive(Clone, Default, Debug)]
struct Numbers {
    encoder: Encoder,
    hidden_gradients: Vec<f32>,
    /// Scores of parts, then their gradients.
    scores: Vec<f32>,
    gradients: Vec<f32>,
    of_bundles: BundleScores,
    transposed: Vec<f32>,
    packed: Packed,
}

impl<'a> NetworkTraining<'a> {
    /// A network with random weights, to be learnt from this many words in all.
    pub(in super::super) fn new(
        config: NetworkConfig,
        layers: &'a [Layer],
        closed: &'a ClosedWords,
        work: u64,
        seed: u64,
    ) -> Self {
        let parts = layers.last().map_or(0, Layer::end);
        let shape = Shape {
            embedded: config.embedded,
            hidden: config.hidden,
            bits: config.bits,
            characters: config.characters,
            parts,
        };
        let mut random = Random(seed);
        let first = first_weights(Weights::lengths(shape), Weights::inputs(shape), &mut random);
        let mut weights = Weights::from_tables(first);
        weights.window_bias.fill(FIRST_BIAS);
        weights.second_bias.fill(FIRST_BIAS);
        Self {
            config,
            layers,
            closed,
            shape,
            gradient: Weights::zeros(shape),
            moments: Weights::lengths(shape).map(Moments::new),
            embeddings: SparseRows::zeros(1 << config.bits, config.embedded),
            weights,
            random,
            batch: Batch::default(),
            numbers: Numbers::default(),
            pace: Pace::new(config.rate, work),
        }
    }

    /// Adds a sentence to the batch, and learns from the batch when it is full.
    pub(in super::super) fn learn<'e>(
        &mut self,
        inputs: &Inputs,
        words: impl ExactSizeIterator<Item = Lesson<'e>>,
    ) {
        let batch = &mut self.batch;
        for Lesson { word, bundles, known } in words {
            let without_form = usize::from(self.random.uniform() < self.config.form_dropout);
            batch.inputs.push(inputs.of(word).iter().copied().skip(without_form));
            batch.bundles.extend_from_slice(bundles);
            batch.known.push(known);
        }
        batch.inputs.end_sentence();
        if batch.known.len() >= self.pace.batch_words() {
            self.step();
        }
    }

    /// Learns from the batch and empties it.
    fn step(&mut self) {
        self.forward();
        self.slopes();
        self.backward();
        let step = self.pace.step(self.batch.known.len());
        let tables = self.weights.tables_mut().into_iter().zip(self.gradient.tables_mut());
        for (moments, (values, gradient)) in self.moments.iter_mut().zip(tables) {
            moments.step(step, 0, values, gradient);
        }
        self.embeddings.step(step);
        self.batch.clear();
    }

    /// Computes the scores of the parts of all words.
    fn forward(&mut self) {
        let parts = self.shape.parts;
        let (batch, numbers, dropout) = (&self.batch, &mut self.numbers, self.config.dropout);
        let words = batch.known.len();
        let dropout = (&mut self.random, dropout);
        numbers.encoder.forward(&batch.inputs, &self.embeddings, self.weights.windows(), dropout);
        numbers.scores.clear();
        for _ in 0..words {
            numbers.scores.extend_from_slice(&self.weights.part_bias);
        }
        numbers.packed.pack(&self.weights.parts, parts);
        numbers.packed.multiply(&numbers.encoder.hidden, &mut numbers.scores);
    }

    /// Gradients of the scores of parts; returns the sum of −log p of the gold bundles.
    fn slopes(&mut self) -> f64 {
        let (batch, numbers, parts) = (&self.batch, &mut self.numbers, self.shape.parts);
        let share = 1.0 / batch.known.len() as f32;
        let mut loss = 0.0;
        zeros(&mut numbers.gradients, numbers.scores.len());
        let words = batch.known.iter().zip(batch.bundles.chunks_exact(self.layers.len()));
        let rows = numbers.scores.chunks_exact(parts).zip(numbers.gradients.chunks_exact_mut(parts));
        for ((&known, bundles), (scores, gradients)) in words.zip(rows) {
            let closed = self.closed.get(known);
            for (number, (layer, &gold)) in self.layers.iter().zip(bundles).enumerate() {
                // A frequent word may have a label here that only its other places rule out.
                let own = closed.map(|closed| &closed.bundles[number][..]).filter(|own| own.contains(&gold));
                let of_bundles = &mut numbers.of_bundles;
                match own {
                    Some([_]) => continue,
                    Some(own) => {
                        of_bundles.all.clear();
                        of_bundles.all.extend(own.iter().map(|&bundle| layer.score(bundle, scores)));
                    }
                    None => layer.scores(scores, of_bundles),
                }
                softmax(&mut of_bundles.all);
                for (place, &p) in of_bundles.all.iter().enumerate() {
                    let bundle = own.map_or(place as u16, |own| own[place]);
                    let right = f32::from(u8::from(bundle == gold));
                    if bundle == gold {
                        loss -= f64::from(p.max(f32::MIN_POSITIVE).ln());
                    }
                    let slope = (p - right) * share;
                    if (p - right).abs() > NEGLIGIBLE {
                        for &part in layer.parts_of(bundle) {
                            gradients[usize::from(part)] += slope;
                        }
                    }
                }
            }
        }
        loss
    }

    /// Gradients of everything below the scores.
    fn backward(&mut self) {
        let Shape { hidden, parts, .. } = self.shape;
        let (batch, numbers) = (&self.batch, &mut self.numbers);
        let words = batch.known.len();
        numbers.gradients.chunks_exact(parts).for_each(|own| add(&mut self.gradient.part_bias, own));
        transpose(&numbers.encoder.hidden, hidden, &mut numbers.transposed);
        numbers.packed.pack(&numbers.gradients, parts);
        numbers.packed.multiply(&numbers.transposed, &mut self.gradient.parts);
        zeros(&mut numbers.hidden_gradients, words * hidden);
        numbers.packed.pack_transposed(&self.weights.parts, parts);
        numbers.packed.multiply(&numbers.gradients, &mut numbers.hidden_gradients);
        numbers.encoder.backward(
            &batch.inputs,
            &numbers.hidden_gradients,
            self.weights.windows(),
            self.gradient.windows_mut(),
            &mut self.embeddings,
        );
    }

    /// The network, after what is left of the last batch.
    pub(in super::super) fn finish(mut self) -> Network {
        if !self.batch.known.is_empty() {
            self.step();
        }
        Network::new(self.shape, RoundedWeights::round(&self.embeddings.values), self.weights)
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::config::TaggerConfig;
    use super::super::super::data::{Resources, TaggedSentence};
    use super::super::super::dictionary::Dictionary;
    use super::super::super::facts::Facts;
    use super::super::super::labels::{ColumnKind, LabelColumn, collect};
    use super::super::super::layout::{NewBundles, layers};
    use super::super::model::{Networks, Scratch};
    use super::*;

    const WORDS: [&str; 6] = ["the", "dogs", "saw", "a", "cat", "."];
    const TAGS: [&str; 6] = ["DET", "NOUN", "VERB", "DET", "NOUN", "PUNCT"];
    const FEATS: [&str; 6] =
        ["Definite=Def", "Number=Plur", "Number=Plur|Tense=Past", "Definite=Ind", "Number=Sing", "_"];

    /// Everything that training needs of a sentence.
    struct World {
        sentence: TaggedSentence,
        columns: Vec<LabelColumn>,
        layers: Vec<Layer>,
        dictionary: Dictionary,
        closed: ClosedWords,
        facts: Vec<Facts>,
        inputs: Inputs,
        bundles: Vec<u16>,
    }

    fn network() -> NetworkConfig {
        NetworkConfig {
            embedded: 6,
            hidden: 10,
            bits: 8,
            dropout: 0.0,
            form_dropout: 0.0,
            ..NetworkConfig::default()
        }
    }

    fn world() -> World {
        let strings = |texts: [&str; 6]| texts.map(str::to_owned).to_vec();
        let sentence = TaggedSentence { words: strings(WORDS), labels: vec![strings(TAGS), strings(FEATS)] };
        let names = [("upos".to_owned(), ColumnKind::Plain), ("feats".to_owned(), ColumnKind::Plain)];
        let sentences = std::slice::from_ref(&sentence);
        let (config, new) = (TaggerConfig::default(), NewBundles::default());
        let columns = collect(&names, sentences, &new).expect("they are few");
        let layers = layers(&columns, sentences, &new, &config).expect("they are few");
        let dictionary = Dictionary::of(sentences, &columns, &config);
        let closed = ClosedWords::of(&config, &dictionary, &columns, &layers);
        let of = |word: &&str| Facts::of(word, &dictionary, &Resources::default());
        let facts: Vec<Facts> = WORDS.iter().map(of).collect();
        let mut inputs = Inputs::default();
        facts.iter().for_each(|facts| inputs.push(facts, &network()));
        let numbers: Vec<_> = layers.iter().map(Layer::numbers).collect();
        let mut bundles = Vec::new();
        for at in 0..WORDS.len() {
            for (layer, numbers) in layers.iter().zip(&numbers) {
                let label = |&column: &usize| columns[column].number(&sentence.labels[column][at]);
                let labels: Vec<u16> = layer.columns.iter().filter_map(label).collect();
                bundles.push(numbers[&labels[..]]);
            }
        }
        drop(numbers);
        World { sentence, columns, layers, dictionary, closed, facts, inputs, bundles }
    }

    impl World {
        fn training(&self) -> NetworkTraining<'_> {
            let mut training = NetworkTraining::new(network(), &self.layers, &self.closed, 10_000, 5);
            let mut random = Random(11);
            training.embeddings.values.iter_mut().for_each(|value| *value = random.uniform() - 0.5);
            training
        }

        fn learn(&self, training: &mut NetworkTraining<'_>) {
            let width = self.layers.len();
            training.learn(
                &self.inputs,
                (0..WORDS.len()).map(|word| Lesson {
                    word,
                    bundles: &self.bundles[word * width..(word + 1) * width],
                    known: self.facts[word].known,
                }),
            );
        }
    }

    #[test]
    fn gradients_are_slopes_of_the_loss() {
        let world = world();
        let mut training = world.training();
        world.learn(&mut training);
        world.learn(&mut training);
        training.forward();
        training.slopes();
        training.backward();
        let gradient = training.gradient.clone();
        let embedding = training.embeddings.gradient.clone();
        const STEP: f32 = 5e-4;
        let mut compared = 0;
        let mut compare = |training: &mut NetworkTraining<'_>,
                           expected: f32,
                           set: &dyn Fn(&mut NetworkTraining<'_>, f32)| {
            let mut at = |by: f32| {
                set(training, by);
                training.forward();
                let loss = training.slopes() / training.batch.known.len() as f64;
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
                    training.weights.tables_mut()[table][place] += by
                });
            }
        }
        for place in (0..embedding.len()).step_by(5) {
            compare(&mut training, embedding[place], &|training, by| training.embeddings.values[place] += by);
        }
        assert!(compared > 20, "{compared}");
    }

    #[test]
    fn a_finished_network_scores_like_one_in_training() {
        let world = world();
        let mut training = world.training();
        (0..40).for_each(|_| world.learn(&mut training));
        training.step();
        world.learn(&mut training);
        training.forward();
        let (expected, parts) = (training.numbers.scores.clone(), training.shape.parts);
        training.batch.clear();
        let networks = Networks::new(vec![training.finish()], 1.0);
        let mut numbers = Vec::new();
        world.facts.iter().for_each(|facts| networks.read_word(facts, &mut numbers));
        let mut scratch = Scratch::default();
        // Every other word is open.
        let words = numbers.chunks_exact(networks.word_numbers()).enumerate();
        networks.read(words.map(|(at, numbers)| (numbers, at % 2 == 0)), &mut scratch);
        let all: Vec<u16> = (0..parts as u16).collect();
        for (at, expected) in expected.chunks_exact(parts).enumerate() {
            let mut scores = vec![0.0; parts];
            match at % 2 {
                0 => networks.add_all(at / 2, &scratch, &mut scores),
                _ => networks.add_some(at, &all, &scratch, &mut scores),
            }
            for (own, expected) in scores.iter().zip(expected) {
                assert!((own - expected).abs() < 1e-2, "{own} against {expected}");
            }
        }
    }

    #[test]
    fn it_learns() {
        let world = world();
        let mut training = world.training();
        (0..2_000).for_each(|_| world.learn(&mut training));
        world.learn(&mut training);
        training.forward();
        let loss = training.slopes() / training.batch.known.len() as f64;
        assert!(loss < 0.01, "{loss}");
        assert!(world.dictionary.len() > 0 && world.columns.len() == world.sentence.labels.len());
    }
}

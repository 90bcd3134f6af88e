//! Numbered training sentences: features, labels, candidates.

use corpus::ids::WordId;
use hashbrown::HashMap;

use super::config::TaggerConfig;
use super::data::{Resources, TaggedSentence};
use super::dictionary::Dictionary;
use super::facts::Facts;
use super::features::Sentence;
use super::labels::LabelColumn;
use super::layer::Layer;
use super::network::{Inputs, Lesson};
use models::learn::{LearnError, Progress};
use models::log_linear::{Counters, Numbering, Rows};

/// Number of sentences between two calls of the observer.
const CHUNK: usize = 256;

/// All sentences.
pub(super) struct Examples {
    /// `sentences[s]..sentences[s + 1]` are the words of sentence `s`.
    sentences: Vec<usize>,
    /// `words[w]..words[w + 1]` are the features of word `w`.
    words: Vec<usize>,
    /// First the names of features, later the ids of their rows.
    features: Vec<u32>,
    /// For each word its bundle in each layer.
    bundles: Vec<u16>,
    known: Vec<Option<WordId>>,
    /// For each word, the row of its vector.
    vectors: Vec<u32>,
    /// What networks see of the words, if there are any.
    inputs: Inputs,
    layers: usize,
}

/// The names of features with the ids of their rows.
pub(super) type NamedRows = Vec<(u32, u32)>;

/// The features of a word, and its known properties.
pub(super) struct Example<'e> {
    pub(super) features: &'e [u32],
    /// Its bundle in each layer.
    pub(super) bundles: &'e [u16],
    pub(super) known: Option<WordId>,
}

impl Examples {
    /// Numbers all sentences. Also returns the rows of weights, and the names of features with the ids of their rows.
    pub(super) fn collect(
        sentences: &[TaggedSentence],
        columns: &[LabelColumn],
        layers: &[Layer],
        dictionary: &Dictionary,
        resources: &Resources,
        config: &TaggerConfig,
        progress: &mut Progress<'_>,
    ) -> Result<(Self, Rows, NamedRows), LearnError> {
        let mut examples = Self {
            sentences: vec![0],
            words: vec![0],
            features: Vec::new(),
            bundles: Vec::new(),
            known: Vec::new(),
            vectors: Vec::new(),
            inputs: Inputs::default(),
            layers: layers.len(),
        };
        if layers.is_empty() {
            let (rows, _) = Rows::new(&[], 0);
            return Ok((examples, rows, Vec::new()));
        }
        let mut counters = Counters::new();
        let numbers: Vec<_> = layers.iter().map(Layer::numbers).collect();
        let mut labels: Vec<u16> = Vec::new();
        // The bundles of a word in all layers, as one number.
        let mut outcomes: Vec<u32> = Vec::new();
        let mut sets = SetNumbers::default();
        let (mut facts, mut lists) = (Vec::new(), Vec::new());
        let mut own_labels: Vec<u16> = Vec::new();
        progress.stage("features", Some(sentences.len() as u64))?;
        for chunk in sentences.chunks(CHUNK) {
            for sentence in chunk {
                facts.clear();
                for (at, word) in sentence.words.iter().enumerate() {
                    own_labels.clear();
                    let of_column = columns.iter().zip(&sentence.labels);
                    own_labels.extend(of_column.filter_map(|(column, labels)| {
                        column.number(&labels[at]).map(|label| column.first + label)
                    }));
                    facts.push(Facts::of(word, dictionary, resources).without(&own_labels, dictionary));
                }
                if let Some(gazetteer) = &resources.gazetteer {
                    gazetteer.matches(&sentence.words, &mut lists);
                }
                let view = Sentence::new(&facts, &lists);
                for (at, own) in facts.iter().enumerate() {
                    view.features(at, config.template, |name| {
                        examples.features.push(name);
                        counters.add(name);
                    });
                    examples.words.push(examples.features.len());
                    examples.known.push(own.known);
                    examples.vectors.push(own.vector);
                    if let Some(network) = &config.network {
                        examples.inputs.push(own, network);
                    }
                    let first = examples.bundles.len();
                    for (layer, numbers) in layers.iter().zip(&numbers) {
                        labels.clear();
                        labels.extend(layer.columns.iter().map(|&column| {
                            columns[column].number(&sentence.labels[column][at]).unwrap_or(0)
                        }));
                        examples.bundles.push(numbers.get(&labels[..]).copied().unwrap_or(0));
                    }
                    outcomes.push(sets.number(&examples.bundles[first..]));
                }
                examples.sentences.push(examples.words.len() - 1);
            }
            progress.advance(chunk.len() as u64)?;
        }
        let (rows, named) = examples.number(counters, &outcomes, &sets, layers, config);
        progress.figure("features", named.len() as f64);
        Ok((examples, rows, named))
    }

    fn number(
        &mut self,
        counters: Counters,
        outcomes: &[u32],
        sets: &SetNumbers,
        layers: &[Layer],
        config: &TaggerConfig,
    ) -> (Rows, NamedRows) {
        let mut numbering = Numbering::new(counters, config.least_count);
        self.rewrite(|name, word| numbering.number(name, None, outcomes[word]));
        let numbered = numbering.finish();
        self.rewrite(|number, _| numbered.numbers[number as usize]);
        let all = layers.last().map_or(0, Layer::end);
        let mut pairs: Vec<(u32, u16)> = numbered
            .pairs
            .iter()
            .flat_map(|&(feature, set)| {
                let bundles = layers.iter().zip(sets.bundles(set));
                bundles.flat_map(move |(layer, bundle)| {
                    layer.parts_of(bundle).iter().map(move |&part| (feature, part))
                })
            })
            .collect();
        pairs.sort_unstable();
        pairs.dedup();
        let (rows, row_of) = Rows::new(&pairs, all);
        self.features.iter_mut().for_each(|feature| *feature = row_of[*feature as usize]);
        (rows, numbered.names.into_iter().zip(row_of).collect())
    }

    /// Replaces or drops features.
    fn rewrite(&mut self, mut new: impl FnMut(u32, usize) -> Option<u32>) {
        let (mut read, mut write) = (0, 0);
        for word in 0..self.known.len() {
            let end = self.words[word + 1];
            self.words[word] = write;
            for at in read..end {
                if let Some(feature) = new(self.features[at], word) {
                    self.features[write] = feature;
                    write += 1;
                }
            }
            read = end;
        }
        let last = self.known.len();
        self.words[last] = write;
        self.features.truncate(write);
    }

    pub(super) fn sentences(&self) -> usize {
        self.sentences.len() - 1
    }

    /// The number of words of all sentences.
    pub(super) fn all_words(&self) -> usize {
        self.known.len()
    }

    /// What networks see of the words.
    pub(super) fn inputs(&self) -> &Inputs {
        &self.inputs
    }

    /// The words of a sentence as networks learn them.
    pub(super) fn lessons(&self, sentence: usize) -> impl ExactSizeIterator<Item = Lesson<'_>> {
        (self.sentences[sentence]..self.sentences[sentence + 1]).map(|word| Lesson {
            word,
            bundles: &self.bundles[word * self.layers..(word + 1) * self.layers],
            known: self.known[word],
        })
    }

    /// The rows of the vectors of a sentence's words.
    pub(super) fn vectors(&self, sentence: usize) -> &[u32] {
        &self.vectors[self.sentences[sentence]..self.sentences[sentence + 1]]
    }

    /// The words of a sentence.
    pub(super) fn words(&self, sentence: usize) -> impl ExactSizeIterator<Item = Example<'_>> {
        (self.sentences[sentence]..self.sentences[sentence + 1]).map(|word| Example {
            features: &self.features[self.words[word]..self.words[word + 1]],
            bundles: &self.bundles[word * self.layers..(word + 1) * self.layers],
            known: self.known[word],
        })
    }
}

/// Numbers the sets of bundles that words have in all layers.
#[derive(Default)]
struct SetNumbers {
    numbers: HashMap<Box<[u16]>, u32, foldhash::fast::FixedState>,
    sets: Vec<Box<[u16]>>,
}

impl SetNumbers {
    fn number(&mut self, bundles: &[u16]) -> u32 {
        if let Some(&number) = self.numbers.get(bundles) {
            return number;
        }
        let number = self.sets.len() as u32;
        self.numbers.insert(bundles.into(), number);
        self.sets.push(bundles.into());
        number
    }

    fn bundles(&self, set: u32) -> impl Iterator<Item = u16> {
        self.sets[set as usize].iter().copied()
    }
}

//! Numbered training sentences: features, labels, candidates.

use corpus::ids::Id;
use corpus::ids::WordId;
use corpus::vocab::VocabBuilder;

use super::config::TaggerConfig;
use super::data::{Resources, TaggedSentence};
use super::dictionary::Dictionary;
use super::facts::Facts;
use super::features::Sentence;
use super::labels::LabelColumn;
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
    /// For each word its label in each column, numbered within the column.
    labels: Vec<u16>,
    known: Vec<Option<WordId>>,
    /// For each word, the row of its vector.
    vectors: Vec<u32>,
    columns: usize,
}

/// The names of features with the ids of their rows.
pub(super) type NamedRows = Vec<(u32, u32)>;

/// The features of a word, and its known properties.
pub(super) struct Example<'e> {
    pub(super) features: &'e [u32],
    /// Its label in each column.
    pub(super) labels: &'e [u16],
    pub(super) known: Option<WordId>,
}

impl Examples {
    /// Numbers all sentences. Also returns the rows of weights, and the names of features with the ids of their rows.
    pub(super) fn collect(
        sentences: &[TaggedSentence],
        columns: &[LabelColumn],
        dictionary: &Dictionary,
        resources: &Resources,
        config: &TaggerConfig,
        progress: &mut Progress<'_>,
    ) -> Result<(Self, Rows, NamedRows), LearnError> {
        let mut examples = Self {
            sentences: vec![0],
            words: vec![0],
            features: Vec::new(),
            labels: Vec::new(),
            known: Vec::new(),
            vectors: Vec::new(),
            columns: columns.len(),
        };
        if columns.is_empty() {
            let (rows, _) = Rows::new(&[], 0);
            return Ok((examples, rows, Vec::new()));
        }
        let mut counters = Counters::new();
        // The labels of a word in all columns, as one number.
        let mut outcomes: Vec<u32> = Vec::new();
        let mut sets = SetNumbers::default();
        let (mut facts, mut lists) = (Vec::new(), Vec::new());
        progress.stage("features", Some(sentences.len() as u64))?;
        for chunk in sentences.chunks(CHUNK) {
            for sentence in chunk {
                facts.clear();
                facts.extend(sentence.words.iter().map(|word| Facts::of(word, dictionary, resources)));
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
                    let first = examples.labels.len();
                    for (column, labels) in columns.iter().zip(&sentence.labels) {
                        let label = labels.get(at).and_then(|label| column.number(label));
                        examples.labels.push(label.unwrap_or(0));
                    }
                    outcomes.push(sets.number(&examples.labels[first..]));
                }
                examples.sentences.push(examples.words.len() - 1);
            }
            progress.advance(chunk.len() as u64)?;
        }
        let (rows, named) = examples.number(counters, &outcomes, &sets, columns, config);
        progress.figure("features", named.len() as f64);
        Ok((examples, rows, named))
    }

    fn number(
        &mut self,
        counters: Counters,
        outcomes: &[u32],
        sets: &SetNumbers,
        columns: &[LabelColumn],
        config: &TaggerConfig,
    ) -> (Rows, NamedRows) {
        let mut numbering = Numbering::new(counters, config.least_count);
        self.rewrite(|name, word| numbering.number(name, None, outcomes[word]));
        let numbered = numbering.finish();
        self.rewrite(|number, _| numbered.numbers[number as usize]);
        let all = columns.last().map_or(0, |column| column.range().end);
        let mut pairs: Vec<(u32, u16)> = numbered
            .pairs
            .iter()
            .flat_map(|&(feature, set)| {
                let labels = columns.iter().zip(sets.labels(set));
                labels.map(move |(column, label)| (feature, column.first + label))
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

    /// The rows of the vectors of a sentence's words.
    pub(super) fn vectors(&self, sentence: usize) -> &[u32] {
        &self.vectors[self.sentences[sentence]..self.sentences[sentence + 1]]
    }

    /// The words of a sentence.
    pub(super) fn words(&self, sentence: usize) -> impl ExactSizeIterator<Item = Example<'_>> {
        (self.sentences[sentence]..self.sentences[sentence + 1]).map(|word| Example {
            features: &self.features[self.words[word]..self.words[word + 1]],
            labels: &self.labels[word * self.columns..(word + 1) * self.columns],
            known: self.known[word],
        })
    }
}

/// Numbers the sets of labels that words have in all columns.
#[derive(Default)]
struct SetNumbers {
    /// The labels as text, so that a vocabulary can number them.
    numbers: VocabBuilder<WordId>,
    sets: Vec<Vec<u16>>,
    text: String,
}

impl SetNumbers {
    fn number(&mut self, labels: &[u16]) -> u32 {
        self.text.clear();
        // A label is below 8000 and so maps to a character.
        self.text.extend(labels.iter().filter_map(|&label| char::from_u32(u32::from(label))));
        let number = self.numbers.intern(&self.text).index();
        if number == self.sets.len() {
            self.sets.push(labels.to_vec());
        }
        number as u32
    }

    fn labels(&self, set: u32) -> impl Iterator<Item = u16> {
        self.sets[set as usize].iter().copied()
    }
}

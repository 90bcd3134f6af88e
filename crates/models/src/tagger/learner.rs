//! Learning θ and τ: AdaGrad, sentence by sentence.
//!
//! ```text
//! g(i, y)  = p(y_i = y | x) − [y is right at i]                  for each feature of word i that was seen with y
//! g(y', y) = Σ_i p(y_{i−1} = y', y_i = y | x) − [so it is right]
//! h ← h + g²,   θ ← θ − η g / √(h + δ)
//! ```
//!
//! For the perceptron, `p` is 1 for the best sequence and 0 for all others. A sentence whose labels are almost certain changes nothing and is not
//! visited again. The result is the mean of the weights after each of the later passes.

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use super::config::{Objective, TaggerConfig};
use super::data::TaggerData;
use super::dictionary::Dictionary;
use super::examples::Examples;
use super::labels::{self, LabelColumn};
use super::lattice::Lattice;
use super::model::{Tagger, candidates};
use super::transitions::{FORBIDDEN, Transitions};
use crate::learn::{LearnError, Learned, Learner, Observer, Progress};
use crate::log_linear::{Rows, SparseWeights};

/// Learns taggers.
///
/// ```
/// use eigentree_models::learn::{Learner, Silent};
/// use eigentree_models::tagger::{ColumnKind, TaggedSentence, TaggerData, TaggerLearner};
/// let sentence = |words: &str, tags: &str| TaggedSentence {
///     words: words.split(' ').map(str::to_owned).collect(),
///     labels: vec![tags.split(' ').map(str::to_owned).collect()],
/// };
/// let data = TaggerData {
///     columns: vec![("upos".to_owned(), ColumnKind::Plain)],
///     sentences: vec![sentence("the dog barks", "DET NOUN VERB"), sentence("a cat sleeps", "DET NOUN VERB")],
///     ..TaggerData::default()
/// };
/// let mut learner = TaggerLearner::default();
/// learner.config.least_count = 1;
/// let tagger = learner.learn(&data, &mut Silent)?.model;
/// let tagging = tagger.tag(&["the", "cat", "barks"], &mut tagger.scratch());
/// let labels: Vec<&str> = tagging.labels(0).collect();
/// assert_eq!(labels, ["DET", "NOUN", "VERB"]);
/// # Ok::<(), eigentree_models::learn::LearnError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct TaggerLearner {
    /// How.
    pub config: TaggerConfig,
}

impl Learner for TaggerLearner {
    type Data = TaggerData;
    type Model = Tagger;

    fn learn(&self, data: &TaggerData, observer: &mut dyn Observer) -> Result<Learned<Tagger>, LearnError> {
        check(data)?;
        let mut progress = Progress::new(observer);
        let config = &self.config;
        let columns = labels::collect(&data.columns, &data.sentences)?;
        let dictionary = Dictionary::of(&data.sentences, &columns, config);
        let (examples, mut rows, named) = Examples::collect(
            &data.sentences,
            &columns,
            &dictionary,
            &data.resources,
            config,
            &mut progress,
        )?;
        let mut chains: Vec<Chain> = columns.iter().map(Chain::new).collect();
        let passes =
            descend(config, &examples, &columns, &dictionary, &mut rows, &mut chains, &mut progress)?;
        let weights = SparseWeights::round(named.into_iter(), &rows, passes);
        let transitions: Vec<Transitions> = chains.into_iter().map(|chain| chain.mean(passes)).collect();
        progress.figure("labels", columns.iter().map(LabelColumn::len).sum::<usize>() as f64);
        progress.figure("words in the dictionary", dictionary.len() as f64);
        let model = Tagger::from_parts(
            config.clone(),
            columns,
            dictionary,
            data.resources.clone(),
            weights,
            transitions,
        );
        Ok(progress.finish(model))
    }
}

fn check(data: &TaggerData) -> Result<(), LearnError> {
    if data.columns.is_empty() {
        return Err(LearnError::bad_config("there is no column to learn; name at least one"));
    }
    if data.sentences.iter().all(|sentence| sentence.words.is_empty()) {
        return Err(LearnError::bad_data("there are no words; give at least one sentence"));
    }
    for (number, sentence) in data.sentences.iter().enumerate() {
        let whole = sentence.labels.len() == data.columns.len()
            && sentence.labels.iter().all(|labels| labels.len() == sentence.words.len());
        if !whole {
            return Err(LearnError::bad_data(format!(
                "sentence {} has not one label for each word and column",
                number + 1
            )));
        }
    }
    Ok(())
}

/// τ of one column on its way.
struct Chain {
    transitions: Transitions,
    squares: Vec<f32>,
    sums: Vec<f32>,
    /// Slopes of the sentence at hand, and where they are not 0.
    slopes: Vec<f32>,
    touched: Vec<usize>,
    lattice: Lattice,
    best: Vec<u16>,
}

impl Chain {
    fn new(column: &LabelColumn) -> Self {
        let transitions = column.transitions();
        let cells = transitions.weights().len();
        Self {
            transitions,
            squares: vec![0.0; cells],
            sums: vec![0.0; cells],
            slopes: vec![0.0; cells],
            touched: Vec::new(),
            lattice: Lattice::default(),
            best: Vec::new(),
        }
    }

    fn slope(&mut self, cell: usize, slope: f32) {
        if self.slopes[cell] == 0.0 {
            self.touched.push(cell);
        }
        self.slopes[cell] += slope;
    }

    fn step(&mut self, rate: f32, damping: f32) {
        for cell in std::mem::take(&mut self.touched) {
            let slope = std::mem::take(&mut self.slopes[cell]);
            let weight = self.transitions.weights()[cell];
            if slope != 0.0 && weight != FORBIDDEN {
                self.squares[cell] += slope * slope;
                self.transitions.set(cell, weight - rate * slope / (self.squares[cell] + damping).sqrt());
            }
        }
    }

    fn sum(&mut self) {
        self.sums.iter_mut().zip(self.transitions.weights()).for_each(|(sum, weight)| *sum += weight);
    }

    fn mean(mut self, passes: usize) -> Transitions {
        let labels = self.transitions.end();
        let sums = std::mem::take(&mut self.sums);
        self.transitions.change(|from, to, weight| {
            if *weight != FORBIDDEN {
                *weight = sums[from * (labels + 1) + to] / passes.max(1) as f32;
            }
        });
        self.transitions
    }
}

/// Slopes below this change no weight.
const NEGLIGIBLE: f32 = 1e-3;

/// How many sentences go by between two looks at the observer.
const CHUNK: usize = 256;

/// Changes the weights, and says how many passes their sums are of.
fn descend(
    config: &TaggerConfig,
    examples: &Examples,
    columns: &[LabelColumn],
    dictionary: &Dictionary,
    rows: &mut Rows,
    chains: &mut [Chain],
    progress: &mut Progress<'_>,
) -> Result<usize, LearnError> {
    let mut order: Vec<usize> = (0..examples.sentences()).collect();
    let mut rng = ChaCha8Rng::seed_from_u64(config.seed);
    let mut summed = 0;
    let mut work = Work::new(columns);
    progress.stage("weights", Some((config.passes * order.len()) as u64))?;
    for pass in 0..config.passes {
        order.shuffle(&mut rng);
        let mut certain = Vec::new();
        for chunk in order.chunks(CHUNK) {
            for &sentence in chunk {
                let doubt = work.visit(config, examples, sentence, columns, dictionary, rows, chains);
                if doubt < config.certain {
                    certain.push(sentence);
                }
            }
            progress.advance(chunk.len() as u64)?;
        }
        certain.sort_unstable();
        order.sort_unstable();
        order.retain(|sentence| certain.binary_search(sentence).is_err());
        if 2 * (pass + 1) >= config.passes {
            rows.sum();
            chains.iter_mut().for_each(Chain::sum);
            summed += 1;
        }
    }
    Ok(summed)
}

/// Memory for one sentence.
struct Work {
    /// The scores of all labels, word by word.
    scores: Vec<f32>,
    all: usize,
    picked: Vec<u16>,
    /// The slopes of one word.
    slopes: Vec<f32>,
    active: Vec<(u16, f32)>,
}

impl Work {
    fn new(columns: &[LabelColumn]) -> Self {
        let all = columns.last().map_or(0, |column| column.range().end);
        Self { scores: Vec::new(), all, picked: Vec::new(), slopes: vec![0.0; all], active: Vec::new() }
    }

    /// Learns from one sentence; returns how far the least certain of its labels is from certain.
    #[allow(
        clippy::too_many_arguments,
        reason = "the parts of learning, each of which has an owner of its own"
    )]
    fn visit(
        &mut self,
        config: &TaggerConfig,
        examples: &Examples,
        sentence: usize,
        columns: &[LabelColumn],
        dictionary: &Dictionary,
        rows: &mut Rows,
        chains: &mut [Chain],
    ) -> f32 {
        let words = examples.words(sentence).len();
        self.scores.clear();
        self.scores.resize(words * self.all, 0.0);
        for (word, scores) in examples.words(sentence).zip(self.scores.chunks_exact_mut(self.all.max(1))) {
            word.features.iter().for_each(|&row| rows.add_weights(row, scores));
        }
        for (number, (column, chain)) in columns.iter().zip(chains.iter_mut()).enumerate() {
            self.column_slopes(config, examples, sentence, number, column, dictionary, chain);
        }
        let mut doubt = 0.0f32;
        for (at, word) in examples.words(sentence).enumerate() {
            self.active.clear();
            for (number, (column, chain)) in columns.iter().zip(chains.iter()).enumerate() {
                let gold = word.labels[number];
                let mut certainty = 0.0;
                let best = chain.best.get(at).copied();
                for (place, &label) in chain.lattice.labels_of(at).iter().enumerate() {
                    let p = match config.objective {
                        Objective::Likelihood => chain.lattice.marginals_of(at)[place],
                        Objective::Perceptron => f32::from(u8::from(best == Some(label))),
                    };
                    let right = label == gold;
                    if right {
                        certainty = p;
                    }
                    let slope = p - f32::from(u8::from(right));
                    if slope.abs() > NEGLIGIBLE {
                        self.active.push((column.first + label, slope));
                    }
                }
                doubt = doubt.max(1.0 - certainty);
            }
            if self.active.is_empty() {
                continue;
            }
            self.active.iter().for_each(|&(label, slope)| self.slopes[usize::from(label)] = slope);
            for &row in word.features {
                rows.descend(row, &self.slopes, &self.active, config.rate, config.damping);
            }
            self.active.iter().for_each(|&(label, _)| self.slopes[usize::from(label)] = 0.0);
        }
        chains.iter_mut().for_each(|chain| chain.step(config.rate, config.damping));
        doubt
    }

    /// Sums, or decodes, one column, and finds the slopes of its transitions.
    #[allow(
        clippy::too_many_arguments,
        reason = "the parts of learning, each of which has an owner of its own"
    )]
    fn column_slopes(
        &mut self,
        config: &TaggerConfig,
        examples: &Examples,
        sentence: usize,
        number: usize,
        column: &LabelColumn,
        dictionary: &Dictionary,
        chain: &mut Chain,
    ) {
        chain.lattice.clear();
        for (word, scores) in examples.words(sentence).zip(self.scores.chunks_exact(self.all.max(1))) {
            let scores = &scores[column.range()];
            candidates(config, column, dictionary, word.known, scores, &mut self.picked);
            let gold = word.labels[number];
            if !self.picked.contains(&gold) {
                self.picked.push(gold);
            }
            for &label in &self.picked {
                chain.lattice.candidate(label, scores[usize::from(label)]);
            }
            chain.lattice.end_word();
        }
        let gold = || examples.words(sentence).map(|word| word.labels[number]);
        match config.objective {
            Objective::Likelihood => {
                chain.lattice.sum(&chain.transitions);
                let Chain { lattice, transitions, slopes, touched, .. } = chain;
                lattice.pair_marginals(transitions, |from, to, p| {
                    let cell = transitions.cell(from, to);
                    if slopes[cell] == 0.0 {
                        touched.push(cell);
                    }
                    slopes[cell] += p;
                });
            }
            Objective::Perceptron => {
                chain.lattice.decode(&chain.transitions, &mut chain.best);
                let best = std::mem::take(&mut chain.best);
                pairs(best.iter().copied()).for_each(|(from, to)| {
                    let cell = chain.transitions.cell(from, to);
                    chain.slope(cell, 1.0);
                });
                chain.best = best;
            }
        }
        pairs(gold()).for_each(|(from, to)| {
            let cell = chain.transitions.cell(from, to);
            chain.slope(cell, -1.0);
        });
    }
}

/// Neighbours in a sequence, its ends included.
fn pairs(labels: impl Iterator<Item = u16>) -> impl Iterator<Item = (Option<u16>, Option<u16>)> {
    let mut before = None;
    labels.map(Some).chain([None]).map(move |label| (std::mem::replace(&mut before, label), label))
}

//! The tagger model.

use super::closed::ClosedWords;
use super::config::{Objective, TaggerConfig};
use super::data::Resources;
use super::dictionary::Dictionary;
use super::facts::{Facts, OUTSIDE};
use super::features::{PLACES, Sentence, lone_features};
use super::labels::LabelColumn;
use super::lattice::Lattice;
use super::layer::Layer;
use super::network::Networks;
use super::prefixes::BundleScores;
use super::scratch::{Scratch, Tagging};
use super::transitions::Transitions;
use super::vectors::{NO_VECTOR, VectorWeights};
use crate::lemmatizer::Lemmatizer;
use models::confidence::Odds;
use models::log_linear::SparseWeights;

/// For each wanted sequence of one column this many analyses are computed, as several of them may have the same labels
/// in this column.
const ANALYSES: usize = 4;

/// Number of window positions before and after the word.
const EDGES: usize = PLACES / 2;

/// Labels words in one or more columns. It is immutable and shared by threads; each thread has its own [`Scratch`].
#[derive(Clone, Debug)]
pub struct Tagger {
    pub(super) config: TaggerConfig,
    pub(super) columns: Vec<LabelColumn>,
    /// What becomes of the probabilities of each column.
    pub(super) odds: Vec<Odds>,
    pub(super) dictionary: Dictionary,
    pub(super) resources: Resources,
    pub(super) weights: SparseWeights,
    /// Present if there are vectors.
    pub(super) vector_weights: Option<VectorWeights>,
    pub(super) layers: Vec<Layer>,
    /// For each layer, one per factor.
    pub(super) transitions: Vec<Vec<Transitions>>,
    /// The bundles of frequent words; derived.
    pub(super) closed: ClosedWords,
    /// Score beside the features, if there are any.
    pub(super) networks: Option<Networks>,
    /// Present if the data had a column of lemmas.
    pub(super) lemmatizer: Option<Lemmatizer>,
}

impl Tagger {
    /// The columns of labels that it predicts.
    pub fn columns(&self) -> &[LabelColumn] {
        &self.columns
    }

    /// Makes the lemmas, if the tagger was learnt for them.
    pub fn lemmatizer(&self) -> Option<&Lemmatizer> {
        self.lemmatizer.as_ref()
    }

    /// Calls `each` with the index and the lemma of every word, given the labels of the words. It does nothing if there
    /// is no [`lemmatizer`](Self::lemmatizer).
    pub fn lemmatize<S: AsRef<str>>(
        &self,
        words: &[S],
        tagging: &Tagging<'_>,
        scratch: &mut Scratch,
        mut each: impl FnMut(usize, &str),
    ) {
        let Some(lemmatizer) = &self.lemmatizer else { return };
        for (at, word) in words.iter().enumerate() {
            each(at, lemmatizer.lemma(word.as_ref(), tagging.labels_of(at), &mut scratch.lemmas));
        }
    }

    /// Its training configuration.
    pub fn config(&self) -> &TaggerConfig {
        &self.config
    }

    /// The number of words in its dictionary.
    pub fn dictionary_words(&self) -> usize {
        self.dictionary.len()
    }

    /// Whether a word occurs in the training data.
    pub fn knows(&self, word: &str) -> bool {
        self.dictionary.find(word).is_some()
    }

    /// Scratch memory for one thread.
    pub fn scratch(&self) -> Scratch {
        Scratch::default()
    }

    /// The best labels of the words of a sentence.
    pub fn tag<'m, S: AsRef<str>>(&'m self, words: &[S], scratch: &mut Scratch) -> Tagging<'m> {
        self.fill(words, self.config.beam, scratch);
        let mut numbers: Vec<Vec<u16>> = vec![Vec::new(); self.columns.len()];
        for (layer, lattice) in self.layers.iter().zip(&mut scratch.lattices) {
            match self.config.objective {
                Objective::Greedy => lattice.decode_greedily(None, &mut scratch.best),
                Objective::Likelihood | Objective::Perceptron => {
                    lattice.decode(&mut scratch.best);
                }
            }
            for (place, &column) in layer.columns.iter().enumerate() {
                numbers[column].extend(scratch.best.iter().map(|&bundle| layer.labels_of(bundle)[place]));
            }
        }
        Tagging { columns: &self.columns, numbers }
    }

    /// The best labels, and for each column how probable it is that those of the words are right: the marginal of the lattice,
    /// with its odds changed as [`calibrate`](Self::calibrate) found.
    pub fn tag_with_confidence<'m, S: AsRef<str>>(
        &'m self,
        words: &[S],
        scratch: &mut Scratch,
    ) -> (Tagging<'m>, Vec<Vec<f32>>) {
        let tagging = self.tag(words, scratch);
        let mut confidences: Vec<Vec<f32>> = vec![Vec::new(); self.columns.len()];
        for (layer, lattice) in self.layers.iter().zip(&mut scratch.lattices) {
            lattice.sum();
            for (place, &column) in layer.columns.iter().enumerate() {
                let chosen = tagging.numbers[column].iter().enumerate();
                confidences[column].extend(chosen.map(|(word, &label)| {
                    let candidates = lattice.labels_of(word).iter().zip(lattice.marginals_of(word));
                    let agreeing = candidates.filter(|(bundle, _)| layer.labels_of(**bundle)[place] == label);
                    self.odds[column].of(agreeing.map(|(_, probability)| probability).sum::<f32>().min(1.0))
                }));
            }
        }
        (tagging, confidences)
    }

    /// The `most` best sequences of labels of one column with their log-probabilities, best first. Where columns are
    /// decided together, the log-probability is that of the best analysis in all of them.
    pub fn tag_best<S: AsRef<str>>(
        &self,
        words: &[S],
        column: usize,
        most: usize,
        scratch: &mut Scratch,
    ) -> Vec<(Vec<&str>, f64)> {
        // Where one label is certain, the second best are all that is asked for.
        self.fill(words, f32::INFINITY, scratch);
        let mut layers = self.layers.iter().zip(&mut scratch.lattices).filter_map(|(layer, lattice)| {
            Some((layer.columns.iter().position(|&own| own == column)?, layer, lattice))
        });
        let Some((place, layer, lattice)) = layers.next() else { return Vec::new() };
        let log_total = lattice.sum();
        let labels = &self.columns[column];
        let more = if layer.columns.len() > 1 { most.saturating_mul(ANALYSES) } else { most };
        let mut best: Vec<(Vec<&str>, f64)> = Vec::new();
        for (bundles, score) in lattice.decode_best(more) {
            let names: Vec<&str> =
                bundles.iter().map(|&bundle| labels.label(layer.labels_of(bundle)[place])).collect();
            if best.len() < most && best.iter().all(|(other, _)| *other != names) {
                best.push((names, f64::from(score) - log_total));
            }
        }
        best
    }

    /// Adds the scores of a word vector at a window position, in units of the quantised weights.
    fn add_vector(&self, row: u32, place: usize, sums: &mut [i32]) {
        let (Some(vectors), Some(weights)) = (&self.resources.vectors, &self.vector_weights) else { return };
        let step = self.weights.step() as f32;
        if row != NO_VECTOR && step > 0.0 {
            let vector = vectors.row(row);
            for (label, sum) in sums.iter_mut().enumerate() {
                *sum += (weights.score(place, label, vector) / step).round() as i32;
            }
        }
    }

    /// Scores the words and builds the lattices of all columns, with labels whose score is not further than `beam` below the
    /// best of the word.
    fn fill<S: AsRef<str>>(&self, words: &[S], beam: f32, scratch: &mut Scratch) {
        let Scratch {
            cache,
            facts,
            places,
            lists,
            lookup,
            sums,
            scores,
            of_bundles,
            picked,
            lattices,
            networks,
            ..
        } = scratch;
        let all = self.layers.last().map_or(0, Layer::end);
        cache.prepare(all, self.networks.as_ref().map_or(0, Networks::word_numbers));
        let add = |facts: &Facts, place: usize, sums: &mut [i32]| {
            lone_features(facts, place, self.config.template, |name| self.weights.add(name, sums));
            self.add_vector(facts.vector, place, sums);
        };
        let read = |facts: &Facts, numbers: &mut Vec<f32>| {
            self.networks.iter().for_each(|networks| networks.read_word(facts, numbers));
        };
        // No word is empty, so this key is free for the positions beyond the ends.
        let edge = cache.get("").unwrap_or_else(|| cache.insert("", OUTSIDE, add, read));
        facts.clear();
        places.clear();
        places.extend([edge; EDGES]);
        for word in words {
            let word = word.as_ref();
            let number = cache.get(word).unwrap_or_else(|| {
                cache.insert(word, Facts::of(word, &self.dictionary, &self.resources), add, read)
            });
            facts.push(cache.facts[number as usize]);
            places.push(number);
        }
        places.extend([edge; EDGES]);
        lists.clear();
        if let Some(gazetteer) = &self.resources.gazetteer {
            gazetteer.matches(words, lists);
        }
        let step = self.weights.step() as f32;
        lattices.resize_with(self.layers.len(), Lattice::default);
        lattices.iter_mut().for_each(Lattice::clear);
        if let Some(own) = &self.networks {
            let numbers = places[EDGES..places.len() - EDGES].iter().map(|&number| cache.numbers_of(number));
            let open = facts.iter().map(|facts| self.closed.get(facts.known).is_none());
            own.read(numbers.zip(open), networks);
        }
        let temperature = self.networks.as_ref().map_or(1.0, Networks::temperature);
        let (mut open, most) = (0, self.config.candidates);
        let sentence = Sentence::new(facts, lists);
        for (at, own) in facts.iter().enumerate() {
            let [first, rest @ ..] =
                std::array::from_fn::<_, PLACES, _>(|place| cache.sums(places[at + place], place));
            sums.clear();
            sums.extend(first.iter().map(|&lone| i32::from(lone)));
            for lone in rest {
                sums.iter_mut().zip(lone).for_each(|(sum, &lone)| *sum += i32::from(lone));
            }
            lookup.names.clear();
            sentence.joint_features(at, self.config.template, |name| lookup.names.push(name));
            self.weights.add_all(lookup, sums);
            scores.clear();
            scores.extend(sums.iter().map(|&sum| sum as f32 * step));
            let closed = self.closed.get(own.known);
            if let Some(own) = &self.networks {
                match closed {
                    Some(closed) => own.add_some(at, &closed.parts, networks, scores),
                    None => {
                        own.add_all(open, networks, scores);
                        open += 1;
                    }
                }
            }
            for (number, (layer, lattice)) in self.layers.iter().zip(lattices.iter_mut()).enumerate() {
                let closed = closed.map(|closed| &closed.bundles[number][..]);
                candidates((beam / temperature, most), layer, closed, scores, of_bundles, picked);
                picked.iter().for_each(|&bundle| lattice.candidate(bundle, layer.score(bundle, scores)));
                lattice.end_word();
            }
        }
        for ((layer, lattice), transitions) in self.layers.iter().zip(lattices).zip(&self.transitions) {
            lattice.connect(&layer.steps(transitions));
            if self.networks.is_some() {
                lattice.temper(temperature);
            }
        }
    }
}

/// The candidates of a word: those of the dictionary if it is frequent, otherwise those with the highest scores: at most
/// `most`, and none that is further than `beam` below the best.
pub(super) fn candidates(
    (beam, most): (f32, usize),
    layer: &Layer,
    closed: Option<&[u16]>,
    scores: &[f32],
    of_bundles: &mut BundleScores,
    picked: &mut Vec<u16>,
) {
    picked.clear();
    if let Some(bundles) = closed {
        picked.extend_from_slice(bundles);
        return;
    }
    layer.scores(scores, of_bundles);
    let scores = &of_bundles.all[..];
    let best = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let near = scores.iter().enumerate().filter(|(_, score)| **score >= best - beam);
    picked.extend(near.map(|(label, _)| label as u16));
    if picked.len() > most {
        let by_score = |one: &u16, other: &u16| {
            scores[usize::from(*other)].total_cmp(&scores[usize::from(*one)]).then(one.cmp(other))
        };
        picked.select_nth_unstable_by(most, by_score);
        picked.truncate(most);
        picked.sort_unstable();
    }
}

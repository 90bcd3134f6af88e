//! The tagger model.

use corpus::ids::WordId;

use super::config::TaggerConfig;
use super::data::Resources;
use super::dictionary::Dictionary;
use super::facts::{Facts, OUTSIDE};
use super::features::{PLACES, Sentence, lone_features};
use super::labels::LabelColumn;
use super::lattice::Lattice;
use super::scratch::{Scratch, Tagging};
use super::transitions::Transitions;
use super::vectors::{NO_VECTOR, VectorWeights};
use crate::lemmatizer::Lemmatizer;
use models::log_linear::SparseWeights;

/// Number of window positions before and after the word.
const EDGES: usize = PLACES / 2;

/// Labels words in one or more columns. It is immutable and shared by threads; each thread has its own [`Scratch`].
#[derive(Clone, Debug)]
pub struct Tagger {
    pub(super) config: TaggerConfig,
    pub(super) columns: Vec<LabelColumn>,
    pub(super) dictionary: Dictionary,
    pub(super) resources: Resources,
    pub(super) weights: SparseWeights,
    /// Present if there are vectors.
    pub(super) vector_weights: Option<VectorWeights>,
    /// One per column.
    pub(super) transitions: Vec<Transitions>,
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
        self.fill(words, scratch);
        let decode = |(lattice, transitions): (&mut Lattice, &Transitions)| {
            let mut best = Vec::with_capacity(words.len());
            lattice.decode(transitions, &mut best);
            best
        };
        let numbers = scratch.lattices.iter_mut().zip(&self.transitions).map(decode).collect();
        Tagging { columns: &self.columns, numbers }
    }

    /// The best labels, and for each column the probabilities of the labels of all words.
    pub fn tag_with_confidence<'m, S: AsRef<str>>(
        &'m self,
        words: &[S],
        scratch: &mut Scratch,
    ) -> (Tagging<'m>, Vec<Vec<f32>>) {
        let tagging = self.tag(words, scratch);
        let confidence = |(column, lattice): (usize, &mut Lattice)| {
            lattice.sum(&self.transitions[column]);
            let chosen = tagging.numbers[column].iter().enumerate();
            let probability = |(word, label): (usize, &u16)| {
                let at = lattice.labels_of(word).iter().position(|other| other == label);
                at.map_or(0.0, |at| lattice.marginals_of(word)[at])
            };
            chosen.map(probability).collect()
        };
        let confidences = scratch.lattices.iter_mut().enumerate().map(confidence).collect();
        (tagging, confidences)
    }

    /// The `most` best sequences of labels of one column with their log-probabilities, best first.
    pub fn tag_best<S: AsRef<str>>(
        &self,
        words: &[S],
        column: usize,
        most: usize,
        scratch: &mut Scratch,
    ) -> Vec<(Vec<&str>, f64)> {
        self.fill(words, scratch);
        let (Some(lattice), Some(transitions)) =
            (scratch.lattices.get_mut(column), self.transitions.get(column))
        else {
            return Vec::new();
        };
        let log_total = lattice.sum(transitions);
        let labels = &self.columns[column];
        let named = |(numbers, score): (Vec<u16>, f32)| {
            (numbers.into_iter().map(|number| labels.label(number)).collect(), f64::from(score) - log_total)
        };
        lattice.decode_best(transitions, most).into_iter().map(named).collect()
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

    /// Scores the words and builds the lattices of all columns.
    fn fill<S: AsRef<str>>(&self, words: &[S], scratch: &mut Scratch) {
        let Scratch { cache, facts, places, lists, lookup, sums, scores, picked, lattices, .. } = scratch;
        let all = self.columns.last().map_or(0, |column| column.range().end);
        cache.prepare(all);
        let add = |facts: &Facts, place: usize, sums: &mut [i32]| {
            lone_features(facts, place, self.config.template, |name| self.weights.add(name, sums));
            self.add_vector(facts.vector, place, sums);
        };
        // No word is empty, so this key is free for the positions beyond the ends.
        let edge = cache.get("").unwrap_or_else(|| cache.insert("", OUTSIDE, add));
        facts.clear();
        places.clear();
        places.extend([edge; EDGES]);
        for word in words {
            let word = word.as_ref();
            let number = cache.get(word).unwrap_or_else(|| {
                cache.insert(word, Facts::of(word, &self.dictionary, &self.resources), add)
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
        lattices.resize_with(self.columns.len(), Lattice::default);
        lattices.iter_mut().for_each(Lattice::clear);
        let sentence = Sentence::new(facts, lists);
        for (at, own) in facts.iter().enumerate() {
            sums.clear();
            sums.resize(all, 0);
            for (place, &number) in places[at..at + PLACES].iter().enumerate() {
                let lone = cache.sums(number, place);
                sums.iter_mut().zip(lone).for_each(|(sum, &lone)| *sum += i32::from(lone));
            }
            lookup.names.clear();
            sentence.joint_features(at, self.config.template, |name| lookup.names.push(name));
            self.weights.add_all(lookup, sums);
            for (column, lattice) in self.columns.iter().zip(lattices.iter_mut()) {
                scores.clear();
                scores.extend(sums[column.range()].iter().map(|&sum| sum as f32 * step));
                candidates(&self.config, column, &self.dictionary, own.known, scores, picked);
                picked.iter().for_each(|&label| lattice.candidate(label, scores[usize::from(label)]));
                lattice.end_word();
            }
        }
    }
}

/// The labels, numbered over all columns, of a word that is frequent enough to have no others.
pub(super) fn closed_labels<'d>(
    config: &TaggerConfig,
    dictionary: &'d Dictionary,
    known: Option<WordId>,
) -> Option<&'d [u16]> {
    known.filter(|&word| dictionary.count(word) >= config.closed_count).map(|word| dictionary.labels(word))
}

/// The candidate labels of a word: those of the dictionary if it is frequent, otherwise those with the highest scores.
pub(super) fn candidates(
    config: &TaggerConfig,
    column: &LabelColumn,
    dictionary: &Dictionary,
    known: Option<WordId>,
    scores: &[f32],
    picked: &mut Vec<u16>,
) {
    picked.clear();
    let range = column.range();
    if let Some(labels) = closed_labels(config, dictionary, known) {
        let own = labels.iter().filter(|&&label| range.contains(&usize::from(label)));
        picked.extend(own.map(|&label| label - column.first));
        return;
    }
    let best = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let near = scores.iter().enumerate().filter(|(_, score)| **score >= best - config.beam);
    picked.extend(near.map(|(label, _)| label as u16));
    if picked.len() > config.candidates {
        let by_score = |one: &u16, other: &u16| {
            scores[usize::from(*other)].total_cmp(&scores[usize::from(*one)]).then(one.cmp(other))
        };
        picked.select_nth_unstable_by(config.candidates, by_score);
        picked.truncate(config.candidates);
        picked.sort_unstable();
    }
}

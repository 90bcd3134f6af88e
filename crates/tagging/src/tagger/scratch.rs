//! Scratch memory for one sentence, and the result.

use hashbrown::HashMap;

use super::facts::Facts;
use super::features::PLACES;
use super::labels::LabelColumn;
use super::lattice::Lattice;
use super::network;
use super::prefixes::BundleScores;
use crate::lemmatizer;
use models::log_linear::Lookup;

/// Scratch memory for tagging, reused between sentences.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    pub(super) cache: WordCache,
    pub(super) facts: Vec<Facts>,
    /// The indices of the words in the cache.
    pub(super) places: Vec<u32>,
    pub(super) lists: Vec<(u32, u32)>,
    pub(super) lookup: Lookup,
    pub(super) sums: Vec<i32>,
    pub(super) scores: Vec<f32>,
    pub(super) of_bundles: BundleScores,
    pub(super) picked: Vec<u16>,
    pub(super) best: Vec<u16>,
    /// One per layer.
    pub(super) lattices: Vec<Lattice>,
    pub(super) networks: network::Scratch,
    pub(super) lemmas: lemmatizer::Scratch,
}

/// Cache of words with the scores of their single-word features. It only affects speed.
#[derive(Clone, Debug, Default)]
pub(super) struct WordCache {
    numbers: HashMap<Box<str>, u32, foldhash::fast::FixedState>,
    pub(super) facts: Vec<Facts>,
    /// For each word and window position, the summed weights of its single-word features for all labels.
    sums: Vec<i16>,
    labels: usize,
    /// For each word, what networks have computed of it alone.
    numbers_of: Vec<f32>,
    width: usize,
}

/// Maximum memory for cached sums.
const CACHE_BYTES: usize = 32 << 20;

impl WordCache {
    /// Prepares for this number of labels, and of networks' numbers per word; clears the cache if it was for others, or is
    /// full.
    pub(super) fn prepare(&mut self, labels: usize, width: usize) {
        let word_bytes = (labels * PLACES * size_of::<i16>() + width * size_of::<f32>()).max(1);
        let most = (CACHE_BYTES / word_bytes).clamp(256, 1 << 15);
        if self.labels != labels || self.width != width || self.facts.len() > most {
            self.numbers.clear();
            self.facts.clear();
            self.sums.clear();
            self.numbers_of.clear();
            self.labels = labels;
            self.width = width;
        }
    }

    pub(super) fn get(&self, word: &str) -> Option<u32> {
        self.numbers.get(word).copied()
    }

    /// Adds a word; `add` adds the weights of its single-word features at a window position, `read` what networks compute
    /// of it.
    pub(super) fn insert(
        &mut self,
        word: &str,
        facts: Facts,
        add: impl Fn(&Facts, usize, &mut [i32]),
        read: impl Fn(&Facts, &mut Vec<f32>),
    ) -> u32 {
        let number = self.facts.len() as u32;
        let mut sums = vec![0; self.labels];
        for place in 0..PLACES {
            add(&facts, place, &mut sums);
            // Fewer than twenty weights of one byte each, and the contribution of a vector.
            let short = |sum: i32| sum.clamp(i32::from(i16::MIN), i32::from(i16::MAX)) as i16;
            self.sums.extend(sums.iter_mut().map(|sum| short(std::mem::take(sum))));
        }
        read(&facts, &mut self.numbers_of);
        self.facts.push(facts);
        self.numbers.insert(word.into(), number);
        number
    }

    /// What networks have computed of a word.
    pub(super) fn numbers_of(&self, number: u32) -> &[f32] {
        &self.numbers_of[number as usize * self.width..][..self.width]
    }

    #[inline]
    pub(super) fn sums(&self, number: u32, place: usize) -> &[i16] {
        &self.sums[(number as usize * PLACES + place) * self.labels..][..self.labels]
    }
}

/// The labels of a sentence.
#[derive(Clone, Debug)]
pub struct Tagging<'m> {
    pub(super) columns: &'m [LabelColumn],
    /// For each column, the numbers of the words' labels.
    pub(super) numbers: Vec<Vec<u16>>,
}

impl<'m> Tagging<'m> {
    /// The labels of all words in a column.
    pub fn labels(&self, column: usize) -> impl ExactSizeIterator<Item = &'m str> {
        let labels = &self.columns[column];
        self.numbers[column].iter().map(|&number| labels.label(number))
    }

    /// The labels of a word in all columns.
    pub fn labels_of(&self, word: usize) -> impl Iterator<Item = &'m str> {
        self.columns.iter().zip(&self.numbers).map(move |(column, numbers)| column.label(numbers[word]))
    }

    /// The numbers of the labels of all words in a column.
    pub fn numbers(&self, column: usize) -> &[u16] {
        &self.numbers[column]
    }
}

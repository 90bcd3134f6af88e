//! What a network sees of a word: rows of the table of embeddings.

use super::super::facts::Facts;
use super::layers::{Characters, NetworkConfig};

/// Marks what a hash is of. Only these have embeddings.
const FORM: u64 = 1;
const ENDING: u64 = 2;
const BEGINNING: u64 = 8;
const SHAPE: u64 = 12;
const CLASS: u64 = 13;
const LOWER_CLASS: u64 = 14;
const STEM: u64 = 15;
const PART: u64 = 16;
const KIND: u64 = 17;
const CLUSTER: u64 = 18;
const SEEN: u64 = 24;
const INNER: u64 = 25;

/// Calls `row` with the rows of a word, that of its form first.
pub(super) fn rows(facts: &Facts, bits: u32, characters: Characters, mut row: impl FnMut(u32)) {
    let mut push = |view: u64, hash: u64| {
        if hash != 0 {
            let mixed = (hash ^ view.wrapping_mul(0x9e37_79b9_7f4a_7c15)).wrapping_mul(0xd6e8_feb8_6659_fd93);
            row(((mixed ^ (mixed >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93) >> (64 - bits)) as u32);
        }
    };
    let word = &facts.word;
    push(FORM, word.lower);
    word.endings.iter().zip(ENDING..).for_each(|(&hash, view)| push(view, hash));
    word.beginnings.iter().zip(BEGINNING..).for_each(|(&hash, view)| push(view, hash));
    push(SHAPE, word.shape);
    push(CLASS, word.class);
    push(LOWER_CLASS, word.lower_class);
    push(STEM, word.stem);
    push(PART, word.part);
    push(KIND, facts.kind);
    facts.clusters.iter().zip(CLUSTER..).for_each(|(&hash, view)| push(view, hash));
    facts.seen.iter().for_each(|&hash| push(SEEN, hash));
    match characters {
        Characters::Ends => {}
        Characters::Inner => facts.inner.iter().for_each(|&hash| push(INNER, hash)),
    }
}

/// The rows of all words of the training data.
#[derive(Clone, Default, Debug)]
pub(in super::super) struct Inputs {
    rows: Vec<u32>,
    ends: Vec<usize>,
}

impl Inputs {
    /// Adds a word.
    pub(in super::super) fn push(&mut self, facts: &Facts, config: &NetworkConfig) {
        rows(facts, config.bits, config.characters, |row| self.rows.push(row));
        self.ends.push(self.rows.len());
    }

    /// The rows of a word, that of its form first.
    pub(super) fn of(&self, word: usize) -> &[u32] {
        let start = word.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.rows[start..self.ends[word]]
    }
}

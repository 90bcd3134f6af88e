//! Input and output of a lexicon.

use super::clusters::Facts;
use crate::grammar::SymbolId;
use models::log_linear::Lookup;

/// What is known about a word in a sentence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Observation<'s> {
    /// The word alone.
    Word(&'s str),
    /// The word with its tag.
    Tagged(&'s str, &'s str),
    /// The tag alone.
    Tag(&'s str),
}

/// A preterminal (numbered from 0 among preterminals) with `p(w | s)`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Emission {
    /// The preterminal.
    pub preterminal: SymbolId,
    /// The probability of what was observed, given the preterminal.
    pub probability: f32,
}

/// The emissions of all words of a sentence, and scratch memory to find them. Reused between sentences.
#[derive(Clone, Debug, Default)]
pub struct SentenceEmissions {
    pub(super) all: Vec<Emission>,
    /// The end of each word's emissions in `all`.
    pub(super) ends: Vec<usize>,
    pub(super) facts: Vec<Facts>,
    pub(super) work: Work,
}

/// Scratch memory for one word.
#[derive(Clone, Debug, Default)]
pub(super) struct Work {
    /// By tag: its count with the word, its share, its score in context.
    pub(super) counts: Vec<f64>,
    pub(super) shares: Vec<f64>,
    pub(super) sums: Vec<i32>,
    /// The shares of one tag's chains, and their scores in context by preterminal.
    pub(super) chain_shares: Vec<f64>,
    pub(super) chain_sums: Vec<i32>,
    pub(super) lookup: Lookup,
}

impl SentenceEmissions {
    /// The number of words in the sentence.
    pub fn words(&self) -> usize {
        self.ends.len()
    }

    /// The preterminals of the word at `index` (from 0); none beyond the sentence.
    pub fn word(&self, index: usize) -> &[Emission] {
        let start = if index == 0 { 0 } else { self.ends.get(index - 1).copied().unwrap_or(self.all.len()) };
        let end = self.ends.get(index).copied().unwrap_or(self.all.len());
        &self.all[start..end]
    }

    /// The preterminals of each word.
    pub fn iter(&self) -> impl Iterator<Item = &[Emission]> {
        (0..self.words()).map(|index| self.word(index))
    }
}

//! The counts of a text.

use super::ranking::Ranking;
use super::{Boundaries, CountError, PairCounts, VocabLimit};
use crate::ids::{Id, WordId};
use crate::vocab::Vocab;

/// A text's words with their counts, and how often they stand near each other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TextCounts {
    /// The words.
    pub vocab: Vocab<WordId>,
    /// How often each word occurs.
    pub words: Vec<u64>,
    /// `pairs[d - 1]`: how often one word stands `d` places before another.
    pub pairs: Vec<PairCounts>,
}

impl TextCounts {
    /// The counts over the words that `limit` keeps, by falling count; all other words are one. That word is the second result, if
    /// there are any others.
    pub fn restricted(&self, limit: &VocabLimit) -> Result<(TextCounts, Option<WordId>), CountError> {
        limit.check()?;
        Ok(self.ranking(Some(limit), None)?.apply(self))
    }

    /// The same counts with words by falling count, equal counts by code point.
    pub fn ranked(&self) -> TextCounts {
        match self.ranking(None, None) {
            Ok(ranking) => ranking.apply(self).0,
            // Only a limit can be refused.
            Err(_) => self.clone(),
        }
    }

    fn ranking(&self, limit: Option<&VocabLimit>, class: Option<WordId>) -> Result<Ranking, CountError> {
        let text = |word: usize| WordId::new(word).map_or("", |id| self.vocab.text(id));
        Ranking::new(&self.words, text, limit, class.map(Id::index))
    }

    /// How many tokens were counted.
    pub fn tokens(&self) -> u64 {
        self.words.iter().fold(0, |sum, &count| sum.saturating_add(count))
    }

    /// How many different pairs there are, over all distances.
    pub fn distinct_pairs(&self) -> usize {
        self.pairs.iter().map(PairCounts::len).sum()
    }
}

/// Counts with what they were made from, which decides what they can be added to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CountedText {
    /// The counts; words by falling count, equal counts by code point.
    pub counts: TextCounts,
    /// Where sequences of words ended.
    pub boundaries: Boundaries,
    /// The word that stands for all that were not kept apart, if there are any.
    pub unknown: Option<WordId>,
}

impl CountedText {
    /// The number of a word, if it was counted.
    pub fn word(&self, text: &str) -> Option<usize> {
        self.counts.vocab.get(text).map(Id::index)
    }

    /// The name of the class of words that were not kept apart, if there is one.
    pub fn unknown_name(&self) -> Option<&str> {
        self.unknown.map(|word| self.counts.vocab.text(word))
    }

    /// The counts over the words that `limit` keeps.
    ///
    /// Counts that have a class of other words already keep its name, and more words join it; it counts as no word of the
    /// vocabulary.
    pub fn restricted(&self, limit: &VocabLimit) -> Result<CountedText, CountError> {
        let Some(unknown) = self.unknown else {
            let (counts, unknown) = self.counts.restricted(limit)?;
            return Ok(Self { counts, boundaries: self.boundaries, unknown });
        };
        limit.check()?;
        let name = self.counts.vocab.text(unknown).to_owned();
        let limit = VocabLimit { unknown: name, ..limit.clone() };
        let (counts, unknown) = self.counts.ranking(Some(&limit), Some(unknown))?.apply(&self.counts);
        Ok(Self { counts, boundaries: self.boundaries, unknown })
    }
}

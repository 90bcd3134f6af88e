//! The counts of a text.

use super::ranking::Ranking;
use super::{Boundaries, CountError, PairCounts, VocabLimit};
use crate::ids::{Id, WordId};
use crate::vocab::Vocab;

/// The words of a text with their counts and co-occurrence counts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TextCounts {
    /// The words.
    pub vocab: Vocab<WordId>,
    /// Count of each word.
    pub words: Vec<u64>,
    /// `pairs[d - 1]` counts pairs of words `d` positions apart.
    pub pairs: Vec<PairCounts>,
}

impl TextCounts {
    /// The counts over the words that `limit` keeps, by decreasing count; all other words form one class. The second
    /// result is that class, if it is not empty.
    pub fn restricted(&self, limit: &VocabLimit) -> Result<(TextCounts, Option<WordId>), CountError> {
        limit.check()?;
        Ok(self.ranking(Some(limit), None)?.apply(self))
    }

    /// The same counts with words by decreasing count, ties by code point.
    pub fn ranked(&self) -> TextCounts {
        match self.ranking(None, None) {
            Ok(ranking) => ranking.apply(self).0,
            // Only a limit can fail.
            Err(_) => self.clone(),
        }
    }

    fn ranking(&self, limit: Option<&VocabLimit>, class: Option<WordId>) -> Result<Ranking, CountError> {
        let text = |word: usize| WordId::new(word).map_or("", |id| self.vocab.text(id));
        Ranking::new(&self.words, text, limit, class.map(Id::index))
    }

    /// Number of tokens.
    pub fn tokens(&self) -> u64 {
        self.words.iter().fold(0, |sum, &count| sum.saturating_add(count))
    }

    /// Number of distinct pairs, over all distances.
    pub fn distinct_pairs(&self) -> usize {
        self.pairs.iter().map(PairCounts::len).sum()
    }
}

/// Counts with the settings that decide which other counts they can be merged with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CountedText {
    /// The counts; words by decreasing count, ties by code point.
    pub counts: TextCounts,
    /// Where sequences of words ended.
    pub boundaries: Boundaries,
    /// The class of all words that were not kept, if any.
    pub unknown: Option<WordId>,
}

impl CountedText {
    /// The number of a word, if it was counted.
    pub fn word(&self, text: &str) -> Option<usize> {
        self.counts.vocab.get(text).map(Id::index)
    }

    /// The name of the class of words that were not kept, if any.
    pub fn unknown_name(&self) -> Option<&str> {
        self.unknown.map(|word| self.counts.vocab.text(word))
    }

    /// The counts over the words that `limit` keeps.
    ///
    /// If the counts already have a class of other words, it keeps its name, and more words join it. It does not count
    /// as a word of the vocabulary.
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

    /// The counts over the words of `kept`, which may come from another text: words of other texts count 0 here, and words
    /// that `kept` does not have join its class of other words.
    ///
    /// Counts over the same vocabulary can be added, so the parts of a corpus can be limited to its vocabulary before they
    /// are added up.
    pub fn over(&self, kept: &CountedText) -> Result<CountedText, CountError> {
        if self.unknown.is_some() && self.unknown_name() != kept.unknown_name() {
            return Err(CountError::OtherVocabulary(self.unknown_name().unwrap_or_default().to_owned()));
        }
        let name = |word: &str| match kept.counts.vocab.get(word).or(kept.unknown) {
            Some(id) => Ok(id.index() as u32),
            None => Err(CountError::OtherWord(word.to_owned())),
        };
        let names = self.counts.vocab.iter().map(|(_, word)| name(word)).collect::<Result<Vec<_>, _>>()?;
        let size = kept.counts.words.len();
        let mut words = vec![0; size];
        for (&name, &count) in names.iter().zip(&self.counts.words) {
            words[name as usize] += count;
        }
        let pairs = self.counts.pairs.iter().map(|pairs| pairs.renamed(&names, size)).collect();
        let counts = TextCounts { vocab: kept.counts.vocab.clone(), words, pairs }.ranked();
        let unknown = kept.unknown_name().and_then(|name| counts.vocab.get(name));
        Ok(Self { counts, boundaries: self.boundaries, unknown })
    }
}

//! Counts of words under preterminals.

use std::ops::Range;

use corpus::ids::WordId;
use corpus::rare_words::SentencePosition;
use corpus::vocab::VocabBuilder;

use super::boundaries::{Boundary, Ending};
use crate::grammar::SymbolId;

/// The words of a treebank with their preterminals, sentence by sentence.
#[derive(Clone, Debug, Default)]
pub struct LexiconCounts {
    pub(super) words: VocabBuilder<WordId>,
    tokens: Vec<(WordId, SymbolId)>,
    /// What begins and ends at each token.
    boundaries: Vec<Boundary>,
    /// The starts of the sentences in `tokens`.
    starts: Vec<usize>,
}

/// Whether a word began its sentence.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) enum FirstWord {
    Yes,
    No,
}

impl FirstWord {
    pub(super) fn position(self) -> SentencePosition {
        match self {
            FirstWord::Yes => SentencePosition::First,
            FirstWord::No => SentencePosition::Later,
        }
    }
}

impl LexiconCounts {
    /// Adds one token. Preterminals are numbered from 0. The tokens of a sentence come in order; its first one starts
    /// the sentence.
    pub fn add(&mut self, word: &str, preterminal: SymbolId, position: SentencePosition) {
        if position == SentencePosition::First || self.starts.is_empty() {
            self.starts.push(self.tokens.len());
        }
        self.tokens.push((self.words.intern(word), preterminal));
        self.boundaries.push(Boundary::default());
    }

    /// Adds a phrase of the last sentence, which covers these words; phrases of one word do not count.
    pub fn add_phrase(&mut self, span: Range<usize>, kind: Ending) {
        let start = self.starts.last().map_or(0, |start| start + span.start);
        let end = start + span.len();
        if span.len() > 1 && end <= self.boundaries.len() {
            self.boundaries[start].begins = true;
            let ends = &mut self.boundaries[end - 1].ends;
            *ends = kind.max(*ends);
        }
    }

    /// The number of word types.
    pub fn types(&self) -> usize {
        self.words.len()
    }

    /// The sentences.
    pub(super) fn sentences(&self) -> impl Iterator<Item = &[(WordId, SymbolId)]> {
        let ends = self.starts.iter().skip(1).copied().chain([self.tokens.len()]);
        self.starts.iter().zip(ends).map(|(&start, end)| &self.tokens[start..end])
    }

    /// What begins and ends at the words of each sentence.
    pub(super) fn boundaries(&self) -> impl Iterator<Item = &[Boundary]> {
        let ends = self.starts.iter().skip(1).copied().chain([self.tokens.len()]);
        self.starts.iter().zip(ends).map(|(&start, end)| &self.boundaries[start..end])
    }

    /// The count of each word under each preterminal, sentence-initially and elsewhere, in a fixed order.
    pub(super) fn sorted(&self) -> Vec<(WordId, SymbolId, FirstWord, u64)> {
        let mut all: Vec<(WordId, SymbolId, FirstWord)> = self
            .sentences()
            .flat_map(|sentence| {
                sentence.iter().enumerate().map(|(at, &(word, symbol))| {
                    (word, symbol, if at == 0 { FirstWord::Yes } else { FirstWord::No })
                })
            })
            .collect();
        all.sort_unstable();
        all.chunk_by(|a, b| a == b).map(|same| (same[0].0, same[0].1, same[0].2, same.len() as u64)).collect()
    }
}

//! Counting words under preterminals.

use corpus::ids::WordId;
use corpus::rare_words::SentencePosition;
use corpus::vocab::VocabBuilder;
use hashbrown::HashMap;

use crate::grammar::SymbolId;

/// How often each word was seen under each preterminal, at the beginning of a sentence and elsewhere.
#[derive(Clone, Debug)]
pub struct LexiconCounts {
    pub(super) words: VocabBuilder<WordId>,
    pub(super) seen: HashMap<(WordId, SymbolId, FirstWord), u64, foldhash::fast::FixedState>,
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

impl Default for LexiconCounts {
    fn default() -> Self {
        let state = foldhash::fast::FixedState::with_seed(2);
        Self { words: VocabBuilder::new(), seen: HashMap::with_hasher(state) }
    }
}

impl LexiconCounts {
    /// Adds one token. Preterminals are numbered from 0.
    pub fn add(&mut self, word: &str, preterminal: SymbolId, position: SentencePosition) {
        let word = self.words.intern(word);
        let first = match position {
            SentencePosition::First => FirstWord::Yes,
            SentencePosition::Later => FirstWord::No,
        };
        *self.seen.entry((word, preterminal, first)).or_insert(0) += 1;
    }

    /// How many different words there are.
    pub fn types(&self) -> usize {
        self.words.len()
    }

    /// All counts in a fixed order.
    pub(super) fn sorted(&self) -> Vec<(WordId, SymbolId, FirstWord, u64)> {
        let mut all: Vec<_> =
            self.seen.iter().map(|(&(word, tag, first), &count)| (word, tag, first, count)).collect();
        all.sort_unstable_by_key(|&(word, tag, first, _)| (word, tag, first));
        all
    }
}

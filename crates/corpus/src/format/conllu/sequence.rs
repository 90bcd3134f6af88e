//! Valid sequences of ids.

use super::TokenId;

/// State of the numbering in a sentence.
#[derive(Clone, Debug, Default)]
pub(super) struct IdSequence {
    /// Number of words so far.
    words: u32,
    /// Last word of the last range.
    range_end: u32,
    /// Empty nodes since the last word.
    empties: u32,
}

impl IdSequence {
    /// Accepts `id` as the next one, or returns what was expected instead.
    pub(super) fn admit(&mut self, id: TokenId) -> Result<(), String> {
        let next = self.words + 1;
        let fits = match id {
            TokenId::Word(word) => word == next,
            TokenId::Range { first, last } => first == next && first > self.range_end && first <= last,
            TokenId::Empty { after, index } => after == self.words && index == self.empties + 1,
        };
        if !fits {
            return Err(match id {
                TokenId::Word(_) => format!("the word number {next}, since words are numbered 1, 2, 3, …"),
                TokenId::Range { .. } if self.range_end >= next => {
                    format!(
                        "no range before word {}, since one is open up to word {}",
                        self.range_end + 1,
                        self.range_end
                    )
                }
                TokenId::Range { .. } => format!("a range that begins at the next word, {next}"),
                TokenId::Empty { .. } => format!("the empty node {}.{}", self.words, self.empties + 1),
            });
        }
        match id {
            TokenId::Word(word) => (self.words, self.empties) = (word, 0),
            TokenId::Range { last, .. } => self.range_end = last,
            TokenId::Empty { index, .. } => self.empties = index,
        }
        Ok(())
    }

    /// Number of words so far.
    pub(super) fn words(&self) -> u32 {
        self.words
    }

    /// Last word of the last range, 0 without ranges.
    pub(super) fn range_end(&self) -> u32 {
        self.range_end
    }
}

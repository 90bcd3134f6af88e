//! A tagged sentence: one text buffer with the ends of its tokens and tags.

use super::scheme::Tag;
use crate::format::lines::LineEnding;

/// Why a token could not be added.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BioError {
    /// The token could not be read back.
    #[error("cannot write the token {token:?}: it must have at least one character and no tab, CR or LF")]
    Token {
        /// The token.
        token: String,
    },
    /// The tag could not be read back.
    #[error("{tag:?} is not a tag: expected `O`, or `B`, `I`, `E` or `S` with `-` and a class")]
    Tag {
        /// The tag.
        tag: String,
    },
    /// The numbers of tags and tokens differ.
    #[error("{tags} tags were given for {tokens} tokens")]
    Count {
        /// Number of tags.
        tags: usize,
        /// Number of tokens.
        tokens: usize,
    },
}

/// A sentence of tokens, each with a tag.
///
/// ```
/// use eigentree_corpus::format::bio::{BioSentence, Scheme};
/// let mut sentence = BioSentence::new();
/// sentence.push("New York", "B-LOC")?;
/// sentence.push("sleeps", "O")?;
/// assert_eq!(Scheme::Iob2.entities(sentence.tags())?.len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct BioSentence {
    text: String,
    /// `text[rows[i - 1].1..rows[i].0]` is token `i`, `text[rows[i].0..rows[i].1]` its tag.
    rows: Vec<(usize, usize)>,
    ending: LineEnding,
    first_line: u64,
}

impl BioSentence {
    /// Creates a sentence without tokens.
    pub fn new() -> Self {
        Self::default()
    }

    /// Number of tokens.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are no tokens.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The tokens.
    pub fn tokens(&self) -> impl ExactSizeIterator<Item = &str> + Clone {
        (0..self.rows.len()).map(|row| {
            let start = row.checked_sub(1).map_or(0, |before| self.rows[before].1);
            &self.text[start..self.rows[row].0]
        })
    }

    /// The tags.
    pub fn tags(&self) -> impl ExactSizeIterator<Item = &str> + Clone {
        self.rows.iter().map(|&(start, end)| &self.text[start..end])
    }

    /// Number of the first line in the input; 0 if the sentence was not read from a file.
    pub fn first_line(&self) -> u64 {
        self.first_line
    }

    /// Line ending used when the sentence is written.
    pub fn line_ending(&self) -> LineEnding {
        self.ending
    }

    /// Adds a token.
    pub fn push(&mut self, token: &str, tag: &str) -> Result<(), BioError> {
        let breaks = |text: &str| memchr::memchr3(b'\t', b'\n', b'\r', text.as_bytes()).is_some();
        if token.is_empty() || breaks(token) {
            return Err(BioError::Token { token: token.to_owned() });
        }
        if Tag::parse(tag).is_none() || breaks(tag) {
            return Err(BioError::Tag { tag: tag.to_owned() });
        }
        self.push_unchecked(token, tag);
        Ok(())
    }

    /// The same tokens with other tags.
    pub fn with_tags<S: AsRef<str>>(&self, tags: &[S]) -> Result<BioSentence, BioError> {
        if tags.len() != self.len() {
            return Err(BioError::Count { tags: tags.len(), tokens: self.len() });
        }
        let mut changed =
            BioSentence { ending: self.ending, first_line: self.first_line, ..BioSentence::new() };
        for (token, tag) in self.tokens().zip(tags) {
            if Tag::parse(tag.as_ref()).is_none() {
                return Err(BioError::Tag { tag: tag.as_ref().to_owned() });
            }
            changed.push_unchecked(token, tag.as_ref());
        }
        Ok(changed)
    }

    pub(super) fn push_unchecked(&mut self, token: &str, tag: &str) {
        self.text.push_str(token);
        let token_end = self.text.len();
        self.text.push_str(tag);
        self.rows.push((token_end, self.text.len()));
    }

    pub(super) fn begin(&mut self, first_line: u64, ending: LineEnding) {
        self.first_line = first_line;
        self.ending = if ending == LineEnding::CrLf { LineEnding::CrLf } else { LineEnding::Lf };
    }
}

/// Sentences are equal if they would be written alike.
impl PartialEq for BioSentence {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text && self.rows == other.rows && self.ending == other.ending
    }
}

impl Eq for BioSentence {}

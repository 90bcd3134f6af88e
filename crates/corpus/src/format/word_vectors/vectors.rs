//! Word vectors in memory.

use std::io;

use super::super::lines::quote;
use crate::error::{Position, ReadError, SyntaxError};

/// Maximum number of values to allocate before they have been read.
pub(super) const TRUSTED: usize = 1 << 20;

/// One vector per word.
#[derive(Clone, PartialEq, Debug)]
pub struct WordVectors {
    words: Vec<String>,
    dimension: usize,
    /// The values, word by word.
    values: Vec<f32>,
}

/// The number of values does not match the number of words and the dimension.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{values} numbers do not make {words} vectors of {dimension}")]
pub struct ShapeError {
    values: usize,
    words: usize,
    dimension: usize,
}

impl WordVectors {
    /// Creates vectors from the values of all words, word by word.
    pub fn new(words: Vec<String>, dimension: usize, values: Vec<f32>) -> Result<Self, ShapeError> {
        if words.len().checked_mul(dimension) == Some(values.len()) {
            Ok(Self { words, dimension, values })
        } else {
            Err(ShapeError { values: values.len(), words: words.len(), dimension })
        }
    }

    /// The words.
    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// Dimension of the vectors.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// All values, word by word.
    pub fn values(&self) -> &[f32] {
        &self.values
    }

    /// The vector of word `index`.
    ///
    /// # Panics
    /// If the word does not exist.
    pub fn vector(&self, index: usize) -> &[f32] {
        &self.values[index * self.dimension..(index + 1) * self.dimension]
    }

    /// The words with their vectors.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &[f32])> {
        self.words.iter().enumerate().map(|(index, word)| (word.as_str(), self.vector(index)))
    }
}

/// Rejects a word that is empty or contains white space.
pub(super) fn check_word(word: &str) -> io::Result<()> {
    if word.is_empty() || word.bytes().any(|byte| byte.is_ascii_whitespace()) {
        let told =
            format!("cannot write the word {}: it must not be empty or contain white space", quote(word));
        return Err(io::Error::new(io::ErrorKind::InvalidInput, told));
    }
    Ok(())
}

/// An error in line or record `line`.
pub(super) fn error_at(source_name: &str, line: u64, expected: &str, found: impl Into<String>) -> ReadError {
    ReadError::Syntax(SyntaxError {
        source_name: source_name.to_owned(),
        position: Position { line, column: None },
        expected: expected.to_owned(),
        found: found.into(),
    })
}

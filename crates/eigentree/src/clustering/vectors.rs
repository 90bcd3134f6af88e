//! Vectors of words for other tools.

use std::io;

use corpus::format::word_vectors::WordVectors;
use models::clusters::{BrownModel, Embedding};

/// The vectors of the spectral methods with their words, by falling frequency.
pub fn word_vectors(model: &BrownModel, embedding: &Embedding) -> io::Result<WordVectors> {
    let words = model.vocab().iter().map(|(_, word)| word.to_owned()).collect();
    let values = (0..embedding.words()).flat_map(|word| embedding.row(word)).copied().collect();
    WordVectors::new(words, embedding.dimension(), values)
        .map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error.to_string()))
}

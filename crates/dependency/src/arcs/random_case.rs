//! Random scores for tests.

use rand::Rng;

use super::ArcScores;

/// A random score between −3 and 3 for every arc over `words` words.
pub(super) fn random_scores<R: Rng + ?Sized>(words: usize, rng: &mut R) -> ArcScores {
    let mut scores = ArcScores::new(words);
    for head in 0..=words {
        for modifier in 0..words {
            scores.set(head, modifier, rng.random_range(-3.0..3.0));
        }
    }
    scores
}

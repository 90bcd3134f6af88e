//! Scores the trees of a file.

use corpus::error::ReadError;
use corpus::format::conllu::Sentence;
use dependency::deptree::{Deptree, Score, Scratch, TreeWords};
use models::learn::Observer;
use serde_json::{Value, json};

use super::trees::{forms_and_tags, tree_of};
use crate::Error;

/// Statistics of scoring.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct TreeScores {
    /// Number of sentences with a tree.
    pub trees: u64,
    /// Number of words in them.
    pub words: u64,
    /// Number of trees whose `p̂` is negative; its absolute value counts.
    pub negative: u64,
    /// Number of trees whose `p̂` is 0.
    pub impossible: u64,
    /// Number of sentences without a tree.
    pub without_tree: u64,
    /// `Σ log |p̂|` over all trees except the impossible ones.
    pub log_probability: f64,
}

impl TreeScores {
    /// The mean logarithm per word.
    pub fn per_word(&self) -> f64 {
        self.log_probability / self.words.max(1) as f64
    }

    /// The statistics as a JSON object.
    pub fn to_json(&self) -> Value {
        json!({
            "log_probability": self.log_probability,
            "tokens": self.words,
            "trees": self.trees,
            "negative": self.negative,
            "impossible": self.impossible,
        })
    }
}

/// Scores trees one by one and passes each score to `each`; `None` for a sentence without a tree.
pub fn score_trees(
    model: &Deptree,
    sentences: impl Iterator<Item = Result<Sentence, ReadError>>,
    observer: &mut dyn Observer,
    mut each: impl FnMut(Option<Score>) -> Result<(), Error>,
) -> Result<TreeScores, Error> {
    let mut scores = TreeScores::default();
    let mut scratch = Scratch::default();
    for sentence in sentences {
        let sentence = sentence?;
        let tree = tree_of(&sentence).ok().and_then(|tree| TreeWords::new(forms_and_tags(&sentence), tree));
        let score = tree.map(|tree| model.score(&tree, &mut scratch));
        match score {
            None => scores.without_tree += 1,
            Some(score) => {
                scores.trees += 1;
                scores.words += score.words as u64;
                match score.probability.sign {
                    0 => scores.impossible += 1,
                    sign => {
                        scores.negative += u64::from(sign < 0);
                        scores.log_probability += score.probability.log;
                    }
                }
            }
        }
        each(score)?;
        observer.advance(1);
        if observer.cancelled() {
            return Err(Error::Cancelled);
        }
    }
    Ok(scores)
}

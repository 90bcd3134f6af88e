//! Constants tuned on held-out sentences.

use corpus::format::conllu::Sentence;
use rayon::prelude::*;

use super::model::HeadAutomata;
use super::parser::{Decider, Parser, ParserConfig, Scratch};
use crate::arcs::Word;

/// The lexical weights that are tried.
pub const LEXICAL_WEIGHTS: [f64; 7] = [0.3, 0.5, 0.7, 0.85, 1.0, 1.2, 1.5];

/// Sets the weight of the model of words to the one in [`LEXICAL_WEIGHTS`] with the most correct heads in the held-out
/// sentences; ties go to the first. Returns it with the share of correct heads; `None` if the model has no words or the
/// sentences have no heads.
pub fn tune_lexical_weight(model: &mut HeadAutomata, held_out: &[Sentence]) -> Option<(f64, f64)> {
    let (_, before) = model.lexical()?;
    let mut best: Option<(f64, f64)> = None;
    for weight in LEXICAL_WEIGHTS {
        model.set_lexical_weight(weight);
        let Some(share) = attachment(model, ParserConfig::default(), held_out) else {
            model.set_lexical_weight(before);
            return None;
        };
        if best.is_none_or(|(_, most)| share > most) {
            best = Some((weight, share));
        }
    }
    let (weight, _) = best?;
    model.set_lexical_weight(weight);
    best
}

/// The share of words with a correct head, of those that have one.
pub fn attachment(model: &HeadAutomata, config: ParserConfig, sentences: &[Sentence]) -> Option<f64> {
    Accuracy::of(model, config, sentences).share()
}

/// Accuracy on sentences with known trees.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Accuracy {
    /// Number of words with a head.
    pub words: usize,
    /// Number of words with a correct head.
    pub right: usize,
    /// Number of sentences.
    pub sentences: usize,
    /// Number of sentences decided by the deterministic part of the model alone.
    pub fallbacks: usize,
    /// Number of sentences with a marginal that is not positive.
    pub floored: usize,
}

impl Accuracy {
    /// Parses sentences on all threads and compares with their heads.
    pub fn of(model: &HeadAutomata, config: ParserConfig, sentences: &[Sentence]) -> Self {
        let parser = Parser::new(model, config);
        let each: Vec<Accuracy> = sentences
            .par_iter()
            .map_init(Scratch::default, |scratch, sentence| {
                let parse = parser.parse(&Word::of_sentence(sentence), scratch);
                let gold =
                    sentence.words().zip(&parse.heads).filter_map(|(word, head)| Some((word.head()?, *head)));
                let (words, right) = gold.fold((0, 0), |(words, right), (gold, head)| {
                    (words + 1, right + usize::from(gold == head))
                });
                let fallbacks = usize::from(parse.decider != Decider::Whole);
                Accuracy { words, right, sentences: 1, fallbacks, floored: usize::from(parse.floored > 0) }
            })
            .collect();
        each.into_iter().fold(Self::default(), |sum, one| Self {
            words: sum.words + one.words,
            right: sum.right + one.right,
            sentences: sum.sentences + one.sentences,
            fallbacks: sum.fallbacks + one.fallbacks,
            floored: sum.floored + one.floored,
        })
    }

    /// The share of words with a correct head; `None` without words.
    pub fn share(&self) -> Option<f64> {
        (self.words > 0).then(|| self.right as f64 / self.words as f64)
    }
}

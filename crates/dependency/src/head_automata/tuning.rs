//! Constants tuned on held-out sentences.

use corpus::format::conllu::Sentence;
use rayon::prelude::*;

use super::config::{Geometry, LexicalWeights};
use super::model::HeadAutomata;
use super::parser::{Decider, Parser, ParserConfig, Scratch};
use crate::arcs::Word;

/// The weights that are tried for all factors of words together.
pub const LEXICAL_WEIGHTS: [f64; 7] = [0.3, 0.5, 0.7, 0.85, 1.0, 1.2, 1.5];

/// The factor by which the weight of one factor is then raised or lowered, as long as that helps and no more often than this.
const STEP: f64 = 1.5;
const MOST_STEPS: usize = 4;

/// Sets the weights of the model of words to those with the most correct heads in the held-out sentences: first one of
/// [`LEXICAL_WEIGHTS`] for all factors, then each factor by itself, neighbours before places before clusters before words before tags. Ties go to the first.
/// Returns them with the share of correct heads; `None` if the model has no words or the sentences have no heads.
pub fn tune_lexical_weights(
    model: &mut HeadAutomata,
    held_out: &[Sentence],
) -> Option<(LexicalWeights, f64)> {
    let (lexical, _) = model.lexical()?;
    let without_places = lexical.geometry == Geometry::Ignore;
    let absent = [false, false, without_places, lexical.clusters.is_none(), without_places];
    let mut best = tune_common_weight(model, held_out)?;
    let mut score = |weights: LexicalWeights| {
        model.set_lexical_weights(weights);
        attachment(model, ParserConfig::default(), held_out)
    };
    for factor in [4, 2, 3, 1, 0].into_iter().filter(|&factor| !absent[factor]) {
        for step in [STEP, 1.0 / STEP] {
            let mut helped = false;
            for _ in 0..MOST_STEPS {
                let mut weights = best.0.to_array();
                weights[factor] *= step;
                let weights = LexicalWeights::from_array(weights);
                match score(weights) {
                    Some(share) if share > best.1 => (best, helped) = ((weights, share), true),
                    _ => break,
                }
            }
            if helped {
                break;
            }
        }
    }
    model.set_lexical_weights(best.0);
    Some(best)
}

/// Sets all weights of the model of words to the one of [`LEXICAL_WEIGHTS`] with the most correct heads in the held-out sentences:
/// a constant before the second logarithm of equation 21 of Luque et al. (2012). Otherwise as [`tune_lexical_weights`].
pub fn tune_common_weight(model: &mut HeadAutomata, held_out: &[Sentence]) -> Option<(LexicalWeights, f64)> {
    let (_, before) = model.lexical()?;
    let mut best: Option<(LexicalWeights, f64)> = None;
    for weight in LEXICAL_WEIGHTS {
        let weights = LexicalWeights::all(weight);
        model.set_lexical_weights(weights);
        match attachment(model, ParserConfig::default(), held_out) {
            Some(share) if best.is_none_or(|(_, most)| share > most) => best = Some((weights, share)),
            _ => {}
        }
    }
    model.set_lexical_weights(best.map_or(before, |(weights, _)| weights));
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
        Self::of_each(model, config, sentences).into_iter().sum()
    }

    /// The same, sentence by sentence.
    pub fn of_each(model: &HeadAutomata, config: ParserConfig, sentences: &[Sentence]) -> Vec<Self> {
        let parser = Parser::new(model, config);
        sentences
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
            .collect()
    }

    /// The share of words with a correct head; `None` without words.
    pub fn share(&self) -> Option<f64> {
        (self.words > 0).then(|| self.right as f64 / self.words as f64)
    }
}

impl std::iter::Sum for Accuracy {
    fn sum<I: Iterator<Item = Self>>(each: I) -> Self {
        each.fold(Self::default(), |sum, one| Self {
            words: sum.words + one.words,
            right: sum.right + one.right,
            sentences: sum.sentences + one.sentences,
            fallbacks: sum.fallbacks + one.fallbacks,
            floored: sum.floored + one.floored,
        })
    }
}

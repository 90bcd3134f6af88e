//! Constants that held-out sentences choose.

use corpus::format::conllu::Sentence;
use rayon::prelude::*;

use super::model::HeadAutomata;
use super::parser::{Parser, ParserConfig, Scratch};

/// The weights of words that are tried.
pub const LEXICAL_WEIGHTS: [f64; 7] = [0.3, 0.5, 0.7, 0.85, 1.0, 1.2, 1.5];

/// Sets the weight of the model of words to that of [`LEXICAL_WEIGHTS`] with the most right heads in the held-out sentences, the first of the best. Returns it with the
/// share of right heads; `None` if the model has no words, or the sentences have no heads.
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

/// The share of words whose head is found, of those that have one.
pub fn attachment(model: &HeadAutomata, config: ParserConfig, sentences: &[Sentence]) -> Option<f64> {
    let parser = Parser::new(model, config);
    let counts: Vec<(usize, usize)> = sentences
        .par_iter()
        .map_init(Scratch::default, |scratch, sentence| {
            let parse = parser.parse(sentence, scratch);
            let mut counts = (0, 0);
            for (head, word) in parse.heads.iter().zip(sentence.words()) {
                if let Some(gold) = word.head() {
                    counts.0 += usize::from(gold == *head);
                    counts.1 += 1;
                }
            }
            counts
        })
        .collect();
    let (right, all) = counts.iter().fold((0, 0), |sum, counts| (sum.0 + counts.0, sum.1 + counts.1));
    (all > 0).then(|| right as f64 / all as f64)
}

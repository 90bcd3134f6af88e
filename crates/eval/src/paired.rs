//! Iteration over gold and predicted sentences in parallel.

use corpus::error::ReadError;

use crate::error::EvalError;

/// Calls `score` with the number (from 1) and both versions of each sentence. Fails if one side has more sentences.
pub(crate) fn in_step<G, P>(
    gold: impl IntoIterator<Item = Result<G, ReadError>>,
    predicted: impl IntoIterator<Item = Result<P, ReadError>>,
    mut score: impl FnMut(usize, G, P) -> Result<(), EvalError>,
) -> Result<(), EvalError> {
    let (mut gold, mut predicted) = (gold.into_iter(), predicted.into_iter());
    let mut before = 0;
    loop {
        match (gold.next().transpose()?, predicted.next().transpose()?) {
            (None, None) => return Ok(()),
            (Some(one), Some(other)) => score(before + 1, one, other)?,
            (one, other) => {
                return Err(EvalError::SentenceCount {
                    gold: before + usize::from(one.is_some()) + gold.count(),
                    predicted: before + usize::from(other.is_some()) + predicted.count(),
                });
            }
        }
        before += 1;
    }
}

/// Checks that sentence `number` has the same words on both sides.
pub(crate) fn same_words<'a>(
    number: usize,
    gold: impl ExactSizeIterator<Item = &'a str>,
    predicted: impl ExactSizeIterator<Item = &'a str>,
) -> Result<(), EvalError> {
    let (gold_words, predicted_words) = (gold.len(), predicted.len());
    if gold_words != predicted_words {
        return Err(EvalError::Length { sentence: number, gold: gold_words, predicted: predicted_words });
    }
    match gold.zip(predicted).enumerate().find(|(_, (one, other))| one != other) {
        None => Ok(()),
        Some((at, (one, other))) => Err(EvalError::Word {
            sentence: number,
            word: at + 1,
            gold: one.to_owned(),
            predicted: other.to_owned(),
            gold_words,
            predicted_words,
        }),
    }
}

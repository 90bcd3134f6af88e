//! Iterates over gold and predicted sentences in parallel, including bad ones.

use corpus::error::{ReadError, SyntaxError};
use eval::error::EvalError;

use crate::Error;
use crate::reading::BadItems;

/// Calls `score` with the number (from 1) and both versions of each sentence on the gold side; the predicted one is
/// `None` if it could not be read and that is allowed. Returns the errors that were skipped.
pub(super) fn in_step<G, P>(
    gold: impl IntoIterator<Item = Result<G, ReadError>>,
    predicted: impl IntoIterator<Item = Result<P, ReadError>>,
    bad_items: BadItems,
    mut score: impl FnMut(usize, G, Option<P>) -> Result<(), EvalError>,
) -> Result<Vec<SyntaxError>, Error> {
    let (mut gold, mut predicted) = (gold.into_iter(), predicted.into_iter());
    let mut skipped = Vec::new();
    let mut readable = |item: Option<Result<_, ReadError>>| match item {
        Some(Err(ReadError::Syntax(error))) if bad_items == BadItems::Skip => {
            skipped.push(error);
            Ok(Some(None))
        }
        Some(Err(error)) => Err(error),
        Some(Ok(())) => Ok(Some(Some(()))),
        None => Ok(None),
    };
    let mut before = 0;
    loop {
        let (mut one, mut other) = (None, None);
        let gold_item = readable(gold.next().map(|item| item.map(|item| one = Some(item))))?;
        let predicted_item = readable(predicted.next().map(|item| item.map(|item| other = Some(item))))?;
        match (gold_item.is_some(), predicted_item.is_some()) {
            (false, false) => return Ok(skipped),
            (true, true) => {
                if let Some(gold) = one {
                    score(before + 1, gold, other)?;
                }
            }
            (more_gold, more_predicted) => {
                return Err(EvalError::SentenceCount {
                    gold: before + usize::from(more_gold) + gold.count(),
                    predicted: before + usize::from(more_predicted) + predicted.count(),
                }
                .into());
            }
        }
        before += 1;
    }
}

//! Mixture weights by held-out likelihood.

use rayon::prelude::*;

use super::component::{Component, Said, Walk};
use super::ngram::NgramModel;
use crate::automaton::SequenceCounts;

/// Number of sequences per task.
const CHUNK: usize = 256;

/// Minimum weight of the n-gram model, which keeps probabilities positive.
pub(super) const LEAST: f64 = 1e-3;

/// The weight of each event of the sequences, in the order of the columns of [`of_ngrams`] and of [`of_component`].
pub(super) fn event_weights(counts: &SequenceCounts) -> Vec<f64> {
    counts.iter().flat_map(|(sequence, weight)| std::iter::repeat_n(weight, sequence.len() + 1)).collect()
}

/// The probability of each symbol and end of the sequences, by the model of each order up to that of `model`.
pub(super) fn of_ngrams(model: &NgramModel, counts: &SequenceCounts) -> Vec<Vec<f64>> {
    let orders = model.order();
    // All orders for each event, then separated.
    let found = by_sequence(counts, |range| {
        let mut found = Vec::new();
        for index in range {
            let (sequence, _) = counts.get(index);
            for place in 0..=sequence.len() {
                let event = event(sequence, place, model.symbols()) as u32;
                model.by_order(&sequence[..place], event, |_, probability| found.push(probability));
            }
        }
        found
    });
    (0..orders).map(|order| found.iter().skip(order).step_by(orders).copied().collect()).collect()
}

/// The probability that a component gives each symbol and end; where it has no prediction, that of the n-gram model.
pub(super) fn of_component(component: &Component, counts: &SequenceCounts, ngrams: &[f64]) -> Vec<f64> {
    let mut found = by_sequence(counts, |range| {
        let (mut found, mut distribution) = (Vec::new(), Vec::new());
        let mut walk = Walk::new(component);
        for index in range {
            let (sequence, _) = counts.get(index);
            walk.restart(component);
            for place in 0..=sequence.len() {
                found.push(match walk.distribution(component, &mut distribution) {
                    Said::Nothing => f64::NAN,
                    Said::Whole | Said::Clipped => {
                        distribution[event(sequence, place, component.automaton.symbols())]
                    }
                });
                if let Some(&symbol) = sequence.get(place) {
                    walk.advance(component, symbol);
                }
            }
        }
        found
    });
    found.iter_mut().zip(ngrams).filter(|(own, _)| own.is_nan()).for_each(|(own, ngram)| *own = *ngram);
    found
}

fn event(sequence: &[u32], place: usize, stop: usize) -> usize {
    sequence.get(place).map_or(stop, |&symbol| symbol as usize)
}

fn by_sequence(
    counts: &SequenceCounts,
    read: impl Fn(std::ops::Range<usize>) -> Vec<f64> + Sync,
) -> Vec<f64> {
    let parts: Vec<Vec<f64>> = (0..counts.len().div_ceil(CHUNK))
        .into_par_iter()
        .map(|chunk| read(chunk * CHUNK..((chunk + 1) * CHUNK).min(counts.len())))
        .collect();
    parts.concat()
}

/// A mixture and its log-likelihood.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Mixture {
    pub(super) weights: Vec<f64>,
    pub(super) log_likelihood: f64,
}

/// The weights of columns of event probabilities that maximise the likelihood of the events, by EM. The first column
/// must be positive.
pub(super) fn mixture(columns: &[&[f64]], event_weights: &[f64]) -> Mixture {
    let mut weights = vec![1.0 / columns.len() as f64; columns.len()];
    let mut log_likelihood = f64::NEG_INFINITY;
    let total: f64 = event_weights.iter().sum::<f64>().max(f64::MIN_POSITIVE);
    for _ in 0..200 {
        let mut uses = vec![0.0; columns.len()];
        let mut likelihood = LogProduct::default();
        for (event, weight) in event_weights.iter().enumerate() {
            let mixed: f64 = columns.iter().zip(&weights).map(|(column, share)| share * column[event]).sum();
            likelihood.times(mixed, *weight);
            let share_of = weight / mixed;
            for ((uses, column), share) in uses.iter_mut().zip(columns).zip(&weights) {
                *uses += share_of * share * column[event];
            }
        }
        let sum = likelihood.finish();
        let gain = sum - log_likelihood;
        log_likelihood = sum;
        if gain < 1e-7 * total {
            break;
        }
        weights = uses.iter().map(|uses| uses / total).collect();
        if weights[0] < LEAST {
            let rest: f64 = weights[1..].iter().sum::<f64>().max(f64::MIN_POSITIVE);
            weights[1..].iter_mut().for_each(|weight| *weight *= (1.0 - LEAST) / rest);
            weights[0] = LEAST;
        }
    }
    Mixture { weights, log_likelihood }
}

/// `Σ weight · log factor`. Consecutive factors of the same weight are multiplied first, as logarithms are expensive.
#[derive(Default)]
struct LogProduct {
    sum: f64,
    weight: f64,
    product: Option<f64>,
}

impl LogProduct {
    fn times(&mut self, factor: f64, weight: f64) {
        // The logarithm of a product below this is taken, so that the next factor cannot make it zero.
        const SMALL: f64 = 1e-150;
        self.product = match self.product {
            Some(product) if weight == self.weight && product > SMALL => Some(product * factor),
            _ => {
                self.settle();
                self.weight = weight;
                Some(factor)
            }
        };
    }

    fn settle(&mut self) {
        if let Some(product) = self.product.take() {
            self.sum += self.weight * product.ln();
        }
    }

    fn finish(mut self) -> f64 {
        self.settle();
        self.sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_better_part_gets_the_weight() {
        let (bad, good) = (vec![0.1; 100], vec![0.4; 100]);
        let found = mixture(&[&bad, &good], &vec![1.0; 100]);
        assert!((found.weights[0] - LEAST).abs() < 1e-2 && found.weights[1] > 0.98);
        let one = mixture(&[&bad], &vec![2.0; 100]);
        assert!((one.log_likelihood - 200.0 * 0.1_f64.ln()).abs() < 1e-9);
    }

    #[test]
    fn logarithms_of_products_are_sums_of_logarithms() {
        let mut product = LogProduct::default();
        let mut sum = 0.0;
        for (factor, weight) in
            [(1e-100, 1.0), (1e-100, 1.0), (1e-100, 1.0), (0.5, 1.0), (0.25, 3.0), (2.0, 0.5)]
        {
            product.times(factor, weight);
            sum += weight * f64::ln(factor);
        }
        assert!((product.finish() - sum).abs() < 1e-9);
        assert_eq!(LogProduct::default().finish(), 0.0);
    }
}

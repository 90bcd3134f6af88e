//! Learns the weights by AdaGrad on the log-likelihood of the labels.
//!
//! ```text
//! g = q(y | x, i) − [y is right]        for each feature of the token and each label seen with the feature
//! h(f, y) ← h(f, y) + g²,   θ(f, y) ← θ(f, y) − η g / √(h(f, y) + δ)
//! ```
//!
//! A token whose label is almost certain changes nothing and is not visited again. Most of a treebank is learnt in one
//! pass, and the remaining tokens take the time. The result is the mean of the weights after each of the later passes.

use super::super::ContextConfig;
use super::examples::Examples;
use super::features::{Sentence, Template};
use models::log_linear::{Rows, SparseWeights, shuffled_blocks};

/// A set of candidate labels, by number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in super::super) struct CandidateSet(pub(in super::super) u32);

/// Gradients below this change no weight.
const NEGLIGIBLE: f32 = 1e-3;
/// Labels whose score is this far below the best have no probability.
const HOPELESS: f32 = 12.0;

/// Number of tokens processed in the order in which they are stored.
const BLOCK: usize = 16;

/// Collects tokens, then learns from them.
pub(in super::super) struct ContextLearner {
    config: ContextConfig,
    examples: Examples,
}

impl ContextLearner {
    pub(in super::super) fn new(config: &ContextConfig) -> Self {
        Self { config: config.clone(), examples: Examples::new() }
    }

    /// Adds a token with its label, which is one of the candidates.
    pub(in super::super) fn add(
        &mut self,
        sentence: Sentence<'_>,
        at: usize,
        template: Template,
        label: u16,
        candidates: CandidateSet,
    ) {
        self.examples.add(sentence, at, template, label, candidates);
    }

    /// Learns the weights. `sets` are the labels of each [`CandidateSet`]; labels are numbered below `labels`.
    pub(in super::super) fn learn(mut self, sets: &[Vec<u16>], labels: usize) -> SparseWeights {
        let features = self.examples.number(self.config.least_count);
        let (mut rows, numbers) = Rows::new(&features.pairs, labels);
        self.examples.renumber(&numbers);
        let passes = descend(&self.config, &self.examples, sets, labels, &mut rows);
        SparseWeights::round(features.names.into_iter().zip(numbers), &rows, passes)
    }
}

/// Updates the weights and returns the number of passes in their sums.
fn descend(
    config: &ContextConfig,
    examples: &Examples,
    sets: &[Vec<u16>],
    labels: usize,
    rows: &mut Rows,
) -> usize {
    let mut order = shuffled_blocks(examples.len(), BLOCK, 1);
    // Scores, then probabilities, then gradients of all labels; 0 where there is nothing to do.
    let mut slopes = vec![0.0f32; labels];
    let mut active: Vec<(u16, f32)> = Vec::new();
    let mut summed = 0;
    for pass in 0..config.passes {
        order.retain(|&number| {
            let (example, own) = examples.get(number as usize);
            let candidates = &sets[example.candidates.0 as usize];
            own.iter().for_each(|&row| rows.add_weights(row, &mut slopes));
            active.clear();
            let certainty = probabilities(&slopes, candidates, &mut active, example.label);
            // Tag features also score labels that are not candidates; chain features do not.
            match example.owner {
                None => slopes.fill(0.0),
                Some(_) => candidates.iter().for_each(|&label| slopes[usize::from(label)] = 0.0),
            }
            if 1.0 - certainty < config.certain {
                return false;
            }
            active.iter().for_each(|&(label, slope)| slopes[usize::from(label)] = slope);
            for &row in own {
                rows.descend(row, &slopes, &active, config.rate, config.damping);
            }
            active.iter().for_each(|&(label, _)| slopes[usize::from(label)] = 0.0);
            true
        });
        if 2 * (pass + 1) >= config.passes {
            rows.sum();
            summed += 1;
        }
    }
    summed
}

/// Turns the scores of the candidates into the gradients that are not negligible; returns the probability of the right
/// label.
fn probabilities(scores: &[f32], candidates: &[u16], slopes: &mut Vec<(u16, f32)>, right: u16) -> f32 {
    let best = candidates.iter().map(|&label| scores[usize::from(label)]).fold(f32::NEG_INFINITY, f32::max);
    let mut total = 0.0;
    for &label in candidates {
        let score = scores[usize::from(label)];
        if score > best - HOPELESS {
            let power = (score - best).exp();
            total += power;
            slopes.push((label, power));
        } else if label == right {
            slopes.push((label, 0.0));
        }
    }
    let mut certainty = 0.0;
    slopes.retain_mut(|(label, slope)| {
        *slope /= total;
        if *label == right {
            certainty = *slope;
            *slope -= 1.0;
        }
        slope.abs() > NEGLIGIBLE
    });
    certainty
}

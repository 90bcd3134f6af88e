//! A log-linear choice among the trees of a list, with an L2 penalty.
//!
//! ```text
//! p(y | list) ∝ exp(s₀(y) + w·f(y)),       minimise  −Σ_lists log Σ_{y best} p(y | list) / M + λ/2 ‖w‖²
//! ```
//!
//! where `s₀` is the parser's standardised score and `best` are the trees with the most correct words. Weights come from
//! dual averaging with per-feature steps (Duchi et al. 2011; Xiao 2010): after t lists the weight of a feature with the
//! sum g of its gradients and the sum h of their squares is `−g / ((δ + √h)/η + λ t)`.

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::features::{BUCKETS, Features, REAL};
use super::model::Weights;

/// η, the step size, and δ, which keeps the first steps short.
const RATE: f64 = 0.1;
const DAMPING: f64 = 0.1;

/// The penalties that held-out lists choose from.
const PENALTIES: [f64; 4] = [1e-5, 1e-4, 1e-3, 1e-2];

/// One in this many lists is held out to choose the penalty: the last of them, which are whole documents.
const HELD_OUT: usize = 5;

/// A list as the learner sees it.
pub(super) struct Example {
    pub(super) trees: Vec<Features>,
    /// Correct words of each tree.
    pub(super) correct: Vec<u32>,
}

impl Example {
    /// The most correct words of a tree.
    fn most(&self) -> u32 {
        self.correct.iter().copied().max().unwrap_or(0)
    }
}

/// Learns weights with the penalty that does best on held-out lists; returns them with the penalty.
pub(super) fn choose_penalty(
    lists: &[Example],
    spread: [f64; REAL],
    epochs: usize,
    seed: u64,
) -> (Weights, f64) {
    let (rest, held_out) = lists.split_at(lists.len() - lists.len() / HELD_OUT);
    let best = match held_out.is_empty() || rest.is_empty() {
        true => PENALTIES[1],
        false => {
            let right: Vec<u64> = PENALTIES
                .par_iter()
                .map(|&penalty| correct(&learn(rest, spread, epochs, penalty, seed), held_out))
                .collect();
            let best = (1..right.len()).fold(0, |best, at| if right[at] > right[best] { at } else { best });
            PENALTIES[best]
        }
    };
    (learn(lists, spread, epochs, best, seed), best)
}

/// Correct words of the trees that the weights choose.
fn correct(weights: &Weights, lists: &[Example]) -> u64 {
    lists.iter().map(|list| u64::from(list.correct[weights.best(&list.trees)])).sum()
}

/// Learns weights with this penalty.
pub(super) fn learn(
    lists: &[Example],
    spread: [f64; REAL],
    epochs: usize,
    penalty: f64,
    seed: u64,
) -> Weights {
    let mut sums = Sums::new(spread, penalty);
    let mut order: Vec<usize> = (0..lists.len()).collect();
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    for _ in 0..epochs {
        order.shuffle(&mut rng);
        for &at in &order {
            sums.add(&lists[at]);
        }
    }
    sums.weights()
}

/// Sums of gradients and of their squares.
struct Sums {
    spread: [f64; REAL],
    penalty: f64,
    steps: f64,
    real: [(f64, f64); REAL],
    sparse: Vec<(f32, f32)>,
    /// Gradients of one list, and the features they belong to.
    gradient: Vec<f32>,
    touched: Vec<u32>,
    scores: Vec<f64>,
}

impl Sums {
    fn new(spread: [f64; REAL], penalty: f64) -> Self {
        Self {
            spread,
            penalty,
            steps: 0.0,
            real: [(0.0, 0.0); REAL],
            sparse: vec![(0.0, 0.0); BUCKETS],
            gradient: vec![0.0; BUCKETS],
            touched: Vec::new(),
            scores: Vec::new(),
        }
    }

    /// The weight that sums stand for.
    fn weight(&self, (sum, squares): (f64, f64)) -> f64 {
        -sum / ((DAMPING + squares.sqrt()) / RATE + self.penalty * self.steps)
    }

    fn score(&self, tree: &Features) -> f64 {
        let real = (0..REAL).map(|i| {
            let offset = if i == 0 { 1.0 } else { 0.0 };
            (offset + self.weight(self.real[i])) * tree.real[i] / self.spread[i]
        });
        let of_sparse = |&at: &u32| {
            let (sum, squares) = self.sparse[at as usize];
            if sum == 0.0 { 0.0 } else { self.weight((f64::from(sum), f64::from(squares))) }
        };
        real.sum::<f64>() + tree.sparse.iter().map(of_sparse).sum::<f64>()
    }

    /// Adds the gradient of a list.
    fn add(&mut self, list: &Example) {
        let most = list.most();
        let mut scores = std::mem::take(&mut self.scores);
        scores.clear();
        scores.extend(list.trees.iter().map(|tree| self.score(tree)));
        let best = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        scores.iter_mut().for_each(|score| *score = (*score - best).exp());
        let total: f64 = scores.iter().sum();
        let of_best: f64 =
            scores.iter().zip(&list.correct).filter(|(_, correct)| **correct == most).map(|(p, _)| p).sum();
        let mut real = [0.0; REAL];
        for ((tree, &p), &correct) in list.trees.iter().zip(&scores).zip(&list.correct) {
            let wanted = if correct == most && of_best > 0.0 { p / of_best } else { 0.0 };
            let difference = p / total - wanted;
            if difference.abs() < 1e-9 {
                continue;
            }
            for (i, sum) in real.iter_mut().enumerate() {
                *sum += difference * tree.real[i] / self.spread[i];
            }
            for &at in &tree.sparse {
                let entry = &mut self.gradient[at as usize];
                if *entry == 0.0 {
                    self.touched.push(at);
                }
                *entry += difference as f32;
            }
        }
        self.scores = scores;
        for (sum, gradient) in self.real.iter_mut().zip(real) {
            *sum = (sum.0 + gradient, sum.1 + gradient * gradient);
        }
        for at in self.touched.drain(..) {
            let gradient = std::mem::take(&mut self.gradient[at as usize]);
            let sum = &mut self.sparse[at as usize];
            *sum = (sum.0 + gradient, sum.1 + gradient * gradient);
        }
        self.steps += 1.0;
    }

    fn weights(self) -> Weights {
        let mut weights = Weights::zero(self.spread);
        for (i, weight) in weights.real.iter_mut().enumerate() {
            *weight = self.weight(self.real[i]) + if i == 0 { 1.0 } else { 0.0 };
        }
        for (weight, &(sum, squares)) in weights.sparse.iter_mut().zip(&self.sparse) {
            if sum != 0.0 {
                *weight = self.weight((f64::from(sum), f64::from(squares)));
            }
        }
        weights
    }
}

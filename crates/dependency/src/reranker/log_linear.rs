//! A log-linear choice among the trees of a list, with an L2 penalty.
//!
//! ```text
//! p(y | list) ∝ exp(s₀(y) + w·f(y)),       minimise  −Σ_lists log Σ_{y best} p(y | list) / M + λ/2 ‖w‖²
//! ```
//!
//! where `best` are the trees with the most correct words, and `s₀` weighs the few real-valued features as is most probable
//! without any others ([`fit_real`]). Weights come from dual averaging with per-feature steps (Duchi et al. 2011; Xiao 2010):
//! after t lists the weight of a feature with the sum g of its gradients and the sum h of their squares is
//! `−g / ((δ + √h)/η + λ t)`. Held-out lists choose λ, or that hashed features are left out.

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::features::{BUCKETS, Features, REAL};
use super::model::Weights;
use super::real_weights::fit_real;

/// η, the step size, and δ, which keeps the first steps short.
const RATE: f64 = 0.1;
const DAMPING: f64 = 0.1;

/// The penalties that held-out lists choose from, besides leaving hashed features out.
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
    /// A list; hashed features that all its trees share are left out, since they cannot decide.
    pub(super) fn new(mut trees: Vec<Features>, correct: Vec<u32>) -> Self {
        trees.iter_mut().for_each(|tree| tree.sparse.sort_unstable());
        let mut shared = trees.first().map(|tree| tree.sparse.clone()).unwrap_or_default();
        for tree in trees.iter().skip(1) {
            shared = merged(&shared, &tree.sparse).0;
        }
        for tree in &mut trees {
            tree.sparse = merged(&shared, &tree.sparse).1;
        }
        Self { trees, correct }
    }

    /// The most correct words of a tree.
    pub(super) fn most(&self) -> u32 {
        self.correct.iter().copied().max().unwrap_or(0)
    }
}

/// What two ascending lists share, and what only the second has, both with repetitions.
fn merged(one: &[u32], other: &[u32]) -> (Vec<u32>, Vec<u32>) {
    let (mut shared, mut rest) = (Vec::new(), Vec::new());
    let mut one = one.iter().peekable();
    for &feature in other {
        while one.next_if(|&&smaller| smaller < feature).is_some() {}
        match one.next_if(|&&same| same == feature) {
            Some(_) => shared.push(feature),
            None => rest.push(feature),
        }
    }
    (shared, rest)
}

/// Weights with the penalty that held-out lists chose.
pub(super) struct Chosen {
    pub(super) weights: Weights,
    /// `None` if hashed features are not used.
    pub(super) penalty: Option<f64>,
    /// Correct words of the trees chosen from the held-out lists with this penalty, by weights that were not learnt from them;
    /// `None` if there are no such lists.
    pub(super) held_out: Option<u64>,
}

/// Learns weights with the penalty that does best on held-out lists.
pub(super) fn choose_penalty(lists: &[Example], spread: [f64; REAL], epochs: usize, seed: u64) -> Chosen {
    let real_only = |lists: &[Example]| Weights { real: fit_real(lists, &spread), ..Weights::zero(spread) };
    let without_hashed = lists.iter().all(|list| list.trees.iter().all(|tree| tree.sparse.is_empty()));
    let (rest, held_out) = lists.split_at(lists.len() - lists.len() / HELD_OUT);
    let halves = (!held_out.is_empty() && !rest.is_empty()).then(|| (real_only(rest), held_out));
    if without_hashed {
        let held_out = halves.map(|(base, held_out)| correct(&base, held_out));
        return Chosen { weights: real_only(lists), penalty: None, held_out };
    }
    let (penalty, held_out) = match halves {
        None => (Some(PENALTIES[1]), None),
        Some((base, held_out)) => {
            let right: Vec<u64> = PENALTIES
                .par_iter()
                .map(|&penalty| correct(&learn(rest, &base, epochs, penalty, seed), held_out))
                .collect();
            let start = (None, correct(&base, held_out));
            let better = |best: (Option<f64>, u64), (&penalty, right): (&f64, u64)| match right > best.1 {
                true => (Some(penalty), right),
                false => best,
            };
            let (penalty, right) = PENALTIES.iter().zip(right).fold(start, better);
            (penalty, Some(right))
        }
    };
    let base = real_only(lists);
    let weights = match penalty {
        Some(penalty) => learn(lists, &base, epochs, penalty, seed),
        None => base,
    };
    Chosen { weights, penalty, held_out }
}

/// Correct words of the trees that the weights choose.
fn correct(weights: &Weights, lists: &[Example]) -> u64 {
    lists.iter().map(|list| u64::from(list.correct[weights.best(&list.trees)])).sum()
}

/// Learns weights with this penalty, beside those of the real-valued features in `base`.
fn learn(lists: &[Example], base: &Weights, epochs: usize, penalty: f64, seed: u64) -> Weights {
    let mut sums = Sums::new(base, penalty);
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
    /// The weights of `s₀`.
    base: [f64; REAL],
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
    fn new(base: &Weights, penalty: f64) -> Self {
        Self {
            spread: base.spread,
            base: base.real,
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
        let real =
            (0..REAL).map(|i| (self.base[i] + self.weight(self.real[i])) * tree.real[i] / self.spread[i]);
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
            *weight = self.base[i] + self.weight(self.real[i]);
        }
        for (weight, &(sum, squares)) in weights.sparse.iter_mut().zip(&self.sparse) {
            if sum != 0.0 {
                *weight = self.weight((f64::from(sum), f64::from(squares)));
            }
        }
        weights
    }
}

//! The most probable weights of the real-valued features alone, by Newton's method.

use rayon::prelude::*;

use super::features::REAL;
use super::log_linear::Example;

/// Steps of Newton's method, and the change at which it ends.
const STEPS: usize = 40;
const SMALL: f64 = 1e-5;
/// How often a step is halved until the objective rises.
const HALVINGS: usize = 8;
/// The penalty of the squared weights, per list.
const RIDGE: f64 = 1e-4;
/// Lists per task; sums are added in order, so that the number of threads does not matter.
const CHUNK: usize = 512;

/// The objective with its gradient and the covariance of the features, which bounds its curvature.
#[derive(Clone, Copy, Default)]
struct Sums {
    objective: f64,
    gradient: [f64; REAL],
    curvature: [[f64; REAL]; REAL],
}

/// The weights that make the best trees of the lists most probable, if nothing else is known of a tree. The parser's score
/// starts at 1, the others at 0.
pub(super) fn fit_real(lists: &[Example], spread: &[f64; REAL]) -> [f64; REAL] {
    let mut weights = [0.0; REAL];
    weights[0] = 1.0;
    let mut now = sums(lists, spread, &weights);
    for _ in 0..STEPS {
        let step = solve(now.curvature, now.gradient);
        let mut found = None;
        for halving in 0..HALVINGS {
            let part = 0.5_f64.powi(halving as i32);
            let next: [f64; REAL] = std::array::from_fn(|i| weights[i] + part * step[i]);
            let sums = sums(lists, spread, &next);
            if sums.objective > now.objective {
                found = Some((next, sums));
                break;
            }
        }
        let Some((next, sums)) = found else { break };
        let change = next.iter().zip(&weights).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        (weights, now) = (next, sums);
        if change < SMALL {
            break;
        }
    }
    weights
}

fn sums(lists: &[Example], spread: &[f64; REAL], weights: &[f64; REAL]) -> Sums {
    let parts: Vec<Sums> = lists
        .par_chunks(CHUNK)
        .map(|lists| {
            let mut sums = Sums::default();
            lists.iter().for_each(|list| sums.add(list, spread, weights));
            sums
        })
        .collect();
    let mut total = Sums::default();
    for part in parts {
        total.objective += part.objective;
        for i in 0..REAL {
            total.gradient[i] += part.gradient[i];
            (0..REAL).for_each(|j| total.curvature[i][j] += part.curvature[i][j]);
        }
    }
    let ridge = RIDGE * lists.len().max(1) as f64;
    for (i, weight) in weights.iter().enumerate() {
        total.objective -= 0.5 * ridge * weight * weight;
        total.gradient[i] -= ridge * weight;
        total.curvature[i][i] += ridge;
    }
    total
}

impl Sums {
    /// Adds `log p(best)` of a list, with its derivatives.
    fn add(&mut self, list: &Example, spread: &[f64; REAL], weights: &[f64; REAL]) {
        let values =
            |at: usize| -> [f64; REAL] { std::array::from_fn(|i| list.trees[at].real[i] / spread[i]) };
        let scores: Vec<f64> = (0..list.trees.len())
            .map(|at| values(at).iter().zip(weights).map(|(value, weight)| value * weight).sum())
            .collect();
        let top = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let most = list.most();
        let (mut all, mut best) = (0.0, 0.0);
        let (mut mean, mut mean_best) = ([0.0; REAL], [0.0; REAL]);
        let mut square = [[0.0; REAL]; REAL];
        for (at, score) in scores.iter().enumerate() {
            let (value, p) = (values(at), (score - top).exp());
            all += p;
            for i in 0..REAL {
                mean[i] += p * value[i];
                (0..REAL).for_each(|j| square[i][j] += p * value[i] * value[j]);
            }
            if list.correct[at] == most {
                best += p;
                (0..REAL).for_each(|i| mean_best[i] += p * value[i]);
            }
        }
        // All good trees are too improbable to be told from 0.
        if best <= 0.0 {
            return;
        }
        self.objective += (best / all).ln();
        for i in 0..REAL {
            self.gradient[i] += mean_best[i] / best - mean[i] / all;
            (0..REAL).for_each(|j| {
                self.curvature[i][j] += square[i][j] / all - mean[i] / all * (mean[j] / all);
            });
        }
    }
}

/// The solution of a small positive definite system, by elimination.
fn solve(mut matrix: [[f64; REAL]; REAL], mut right: [f64; REAL]) -> [f64; REAL] {
    for pivot in 0..REAL {
        for row in pivot + 1..REAL {
            let factor = matrix[row][pivot] / matrix[pivot][pivot];
            (pivot..REAL).for_each(|column| matrix[row][column] -= factor * matrix[pivot][column]);
            right[row] -= factor * right[pivot];
        }
    }
    for row in (0..REAL).rev() {
        let known: f64 = (row + 1..REAL).map(|column| matrix[row][column] * right[column]).sum();
        right[row] = (right[row] - known) / matrix[row][row];
    }
    right
}

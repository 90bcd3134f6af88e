//! Estimates the operators from averages.

use faer::Mat;
use linalg::{DenseError, thin_svd};

use super::model::{Operators, Product};
use super::{Deptree, Observations, Representation, TreeMoments};
use models::learn::LearnError;

/// Condition numbers of the inverted matrices: the largest singular value over the smallest.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Conditioning {
    /// Condition number of `Σ_L`, over heads with children on both sides.
    pub sigma_left: f64,
    /// Condition number of `Σ_R`.
    pub sigma_right: f64,
    /// Condition number of `E_L`.
    pub step_left: f64,
    /// Condition number of `E_R`.
    pub step_right: f64,
    /// Number of heads with children on both sides.
    pub triples: f64,
    /// The smallest singular value of `Σ_L`, `Σ_R`, `E_L` and `E_R`; not a number if the file does not tell it.
    pub least: f64,
}

/// Estimates the model from averages. Inverses are regularised by the fraction `shrinkage` (see
/// [`Shrinkage`](super::Shrinkage)); `prior` is the share of the symbols' own probabilities mixed into `o`.
pub fn estimate(
    moments: &TreeMoments,
    observations: Observations,
    words: &Representation,
    shrinkage: f64,
    prior: Option<(f64, &[f64])>,
) -> Result<Deptree, LearnError> {
    let inverted = |matrix: &Mat<f64>| {
        shrunken_inverse(matrix, shrinkage).map_err(|error| LearnError::failed("estimate", error))
    };
    let [sigma_left, sigma_right] = [inverted(&moments.heads[0])?, inverted(&moments.heads[1])?];
    let steps = [&moments.siblings * &sigma_right.0, moments.siblings.transpose() * &sigma_left.0];
    let [step_left, step_right] = [inverted(&steps[0])?, inverted(&steps[1])?];
    let k = words.dimension;
    // D(y) from both sides: E_L⁻¹ K(y) Σ_R⁻¹ and E_R⁻¹ K(y)ᵀ Σ_L⁻¹.
    let mut product = vec![0.0; k * k * k];
    for (at, third) in moments.third.iter().enumerate() {
        let from_left = &step_left.0 * third * &sigma_right.0;
        let from_right = &step_right.0 * third.transpose() * &sigma_left.0;
        for i in 0..k {
            for j in 0..k {
                product[(i * k + at) * k + j] = 0.5 * (from_left[(i, j)] + from_right[(i, j)]);
            }
        }
    }
    let end = end_vector(moments, shrinkage).map_err(|error| LearnError::failed("estimate", error))?;
    let conditioning = Conditioning {
        sigma_left: sigma_left.1,
        sigma_right: sigma_right.1,
        step_left: step_left.1,
        step_right: step_right.1,
        triples: moments.triples,
        least: [&sigma_left, &sigma_right, &step_left, &step_right]
            .iter()
            .map(|inverse| inverse.2)
            .fold(f64::INFINITY, f64::min),
    };
    let product = Product::Dense(product);
    let operators =
        Operators { start: moments.root.1.clone(), end, steps: steps.map(row_major).to_vec(), product };
    Ok(assemble(operators, conditioning, observations, words, prior))
}

/// The estimator as printed in the paper, with one prior for roots, left and right children, and all averages over all
/// sites of their kind. For comparison only: where the priors differ, its unknowns do not cancel.
pub fn estimate_one_prior(
    moments: &TreeMoments,
    observations: Observations,
    words: &Representation,
    shrinkage: f64,
) -> Result<Deptree, LearnError> {
    let failed = |error| LearnError::failed("estimate", error);
    let [(_, mean_left, cross_left), (_, mean_right, cross_right)] = &moments.arcs;
    let [left, right] = [mean_left, mean_right].map(|mean| mean.iter().copied());
    let total = moments.root.0 + moments.arcs[0].0 + moments.arcs[1].0;
    let parts = [moments.root.0, moments.arcs[0].0, moments.arcs[1].0].map(|part| part / total);
    let mean: Vec<f64> = moments
        .root
        .1
        .iter()
        .zip(left.zip(right))
        .map(|(root, (left, right))| parts[0] * root + parts[1] * left + parts[2] * right)
        .collect();
    let [sigma_left, sigma_right] = [cross_left, cross_right].map(|cross| shrunken_inverse(cross, shrinkage));
    let (sigma_left, sigma_right) = (sigma_left.map_err(failed)?, sigma_right.map_err(failed)?);
    let steps = [&moments.siblings * &sigma_right.0, moments.siblings.transpose() * &sigma_left.0];
    let step_left = shrunken_inverse(&steps[0], shrinkage).map_err(failed)?;
    let k = words.dimension;
    let mut product = vec![0.0; k * k * k];
    for (at, third) in moments.third.iter().enumerate() {
        let matrix = &step_left.0 * third * &sigma_right.0;
        for i in 0..k {
            for j in 0..k {
                product[(i * k + at) * k + j] = matrix[(i, j)];
            }
        }
    }
    let end = (0..k).map(|j| (0..k).map(|i| mean[i] * sigma_right.0[(i, j)]).sum()).collect();
    let product = Product::Dense(product);
    let operators = Operators { start: mean, end, steps: steps.map(row_major).to_vec(), product };
    Ok(assemble(operators, Conditioning::default(), observations, words, None))
}

/// Completes the model with the duals of the symbols.
fn assemble(
    operators: Operators,
    conditioning: Conditioning,
    observations: Observations,
    words: &Representation,
    prior: Option<(f64, &[f64])>,
) -> Deptree {
    let mut duals = words.duals.clone();
    if let Some((part, probabilities)) = prior {
        // `Gᵀ c∞ = 1`, so that adding `p(x) c∞` to y_x adds p(x) to o(x|h) for every state h.
        for (dual, &probability) in duals.chunks_mut(words.dimension).zip(probabilities) {
            for (entry, end) in dual.iter_mut().zip(&operators.end) {
                *entry = (1.0 - part) * *entry + part * probability * end;
            }
        }
    }
    Deptree { observations, dimension: words.dimension, operators, duals, valences: None, conditioning }
}

/// `c∞ᵀ`, by least squares from `c∞ᵀ Σ_d = µ_dᵀ` of both sides.
fn end_vector(moments: &TreeMoments, shrinkage: f64) -> Result<Vec<f64>, DenseError> {
    let k = moments.root.1.len();
    let mut both = Mat::zeros(k, 2 * k);
    let mut right_hand = vec![0.0; 2 * k];
    let total = (moments.arcs[0].0 + moments.arcs[1].0).max(f64::MIN_POSITIVE);
    for (side, (weight, mean, cross)) in moments.arcs.iter().enumerate() {
        let weight = (weight / total).sqrt();
        for j in 0..k {
            right_hand[side * k + j] = weight * mean[j];
            for i in 0..k {
                both[(i, side * k + j)] = weight * cross[(i, j)];
            }
        }
    }
    let (inverse, ..) = shrunken_inverse(&both, shrinkage)?;
    Ok((0..k).map(|i| (0..2 * k).map(|j| right_hand[j] * inverse[(j, i)]).sum()).collect())
}

/// `V diag(s / (s² + λ²)) Uᵀ` with `λ` the fraction `shrinkage` of the largest singular value; the condition number; the
/// smallest singular value. Singular values at the level of rounding error are left out.
fn shrunken_inverse(matrix: &Mat<f64>, shrinkage: f64) -> Result<(Mat<f64>, f64, f64), DenseError> {
    let svd = thin_svd(matrix.as_ref())?;
    let largest = svd.s.first().copied().unwrap_or(0.0);
    let smallest = svd.s.last().copied().unwrap_or(0.0);
    let (tiny, penalty) = (largest * 1e-13, (shrinkage * largest).powi(2));
    let mut scaled = svd.v.clone();
    for (column, &value) in svd.s.iter().enumerate() {
        let factor = if value > tiny { value / (value * value + penalty) } else { 0.0 };
        (0..scaled.nrows()).for_each(|row| scaled[(row, column)] *= factor);
    }
    let condition = if smallest > 0.0 { largest / smallest } else { f64::INFINITY };
    Ok((scaled * svd.u.transpose(), condition, smallest))
}

fn row_major(matrix: Mat<f64>) -> Vec<f64> {
    (0..matrix.nrows()).flat_map(|i| (0..matrix.ncols()).map(move |j| (i, j))).map(|at| matrix[at]).collect()
}

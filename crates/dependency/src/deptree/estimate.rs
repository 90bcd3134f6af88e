//! Estimates the operators from averages.

use faer::Mat;
use linalg::{DenseError, thin_svd};

use super::model::{Operators, Product};
use super::moments::ChainMoments;
use super::{Deptree, Observations, Representation, TreeMoments, Triples};
use models::learn::LearnError;

/// Condition numbers of the inverted matrices: the largest singular value over the smallest.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Conditioning {
    /// Condition number of `Σ_L`, over the triples that were used.
    pub sigma_left: f64,
    /// Condition number of `Σ_R`.
    pub sigma_right: f64,
    /// Condition number of `E_L`; of both matrices together if `D` was estimated from both at once.
    pub step_left: f64,
    /// Condition number of `E_R`.
    pub step_right: f64,
    /// Number of triples: heads with children on both sides and, if these are used, words with a head and children on a side.
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
    (triples, shrinkage): (Triples, f64),
    prior: Option<(f64, &[f64])>,
) -> Result<Deptree, LearnError> {
    let end = end_vector(moments, shrinkage).map_err(|error| LearnError::failed("estimate", error))?;
    let (steps, product, conditioning) = match triples {
        Triples::Siblings => of_siblings(moments, shrinkage),
        Triples::Both => of_all_triples(moments, shrinkage),
    }
    .map_err(|error| LearnError::failed("estimate", error))?;
    let steps = steps.map(row_major).to_vec();
    let operators = Operators { start: moments.root.1.clone(), end, steps, product: Product::Dense(product) };
    Ok(assemble(operators, conditioning, observations, words, prior))
}

/// `E_L`, `E_R` and the entries of `D`.
type Solved = ([Mat<f64>; 2], Vec<f64>, Conditioning);

/// The conditioning of the inverses of `Σ_L`, `Σ_R`, `E_L` and `E_R`.
fn of_inverses(inverses: [&(Mat<f64>, f64, f64); 4], triples: f64) -> Conditioning {
    let [sigma_left, sigma_right, step_left, step_right] = inverses.map(|inverse| inverse.1);
    let least = inverses.iter().map(|inverse| inverse.2).fold(f64::INFINITY, f64::min);
    Conditioning { sigma_left, sigma_right, step_left, step_right, triples, least }
}

/// From heads with children on both sides, as in the paper.
fn of_siblings(moments: &TreeMoments, shrinkage: f64) -> Result<Solved, DenseError> {
    let inverted = |matrix: &Mat<f64>| shrunken_inverse(matrix, shrinkage);
    let [sigma_left, sigma_right] = [inverted(&moments.heads[0])?, inverted(&moments.heads[1])?];
    let steps = [&moments.siblings * &sigma_right.0, moments.siblings.transpose() * &sigma_left.0];
    let [step_left, step_right] = [inverted(&steps[0])?, inverted(&steps[1])?];
    let k = moments.root.1.len();
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
    let conditioning = of_inverses([&sigma_left, &sigma_right, &step_left, &step_right], moments.triples);
    Ok((steps, product, conditioning))
}

/// From heads with children on both sides, and from words with a child and a head: given its state, a word's child is
/// independent of its child on the other side and of its head, so that both serve as the second view.
fn of_all_triples(moments: &TreeMoments, shrinkage: f64) -> Result<Solved, DenseError> {
    let k = moments.root.1.len();
    let counts =
        [0, 1].map(|side| moments.triples + moments.chains[side].iter().map(|c| c.weight).sum::<f64>());
    let share = |count: f64, all: f64| (count / all.max(f64::MIN_POSITIVE)).sqrt();
    // Second views side by side: the child on the other side, heads of words on their left, heads on their right.
    let views = |side: usize, sibling: Mat<f64>, above: &dyn Fn(&ChainMoments) -> Mat<f64>| {
        let chains = moments.chains[side].iter().map(|chains| (chains.weight, above(chains)));
        let blocks: Vec<_> = std::iter::once((moments.triples, sibling)).chain(chains).collect();
        Mat::from_fn(k, 3 * k, |i, j| {
            let (count, block) = &blocks[j / k];
            share(*count, counts[side]) * block[(i, j % k)]
        })
    };
    // What a child on the left has as rows, a child on the right has as columns.
    let seen_from = |side: usize, matrix: &Mat<f64>| match side {
        0 => matrix.clone(),
        _ => matrix.transpose().to_owned(),
    };
    let solve = |side: usize| {
        let heads = views(side, moments.heads[1 - side].clone(), &|chains| chains.heads.clone());
        let ends = views(side, seen_from(side, &moments.siblings), &|chains| chains.ends.clone());
        let inverse = shrunken_inverse(&heads, shrinkage)?;
        Ok::<_, DenseError>((ends * &inverse.0, inverse))
    };
    let (left, right) = (solve(0)?, solve(1)?);
    // E_L D(y) and E_R D(y) are known; D(y) solves both by least squares.
    let parts = counts.map(|count| share(count, counts[0] + counts[1]));
    let both = |left: &Mat<f64>, right: &Mat<f64>| {
        Mat::from_fn(
            2 * k,
            k,
            |i, j| {
                if i < k { parts[0] * left[(i, j)] } else { parts[1] * right[(i - k, j)] }
            },
        )
    };
    let steps = shrunken_inverse(&both(&left.0, &right.0), shrinkage)?;
    let mut product = vec![0.0; k * k * k];
    for at in 0..k {
        let third = |side: usize, inverse: &Mat<f64>| {
            let sibling = seen_from(side, &moments.third[at]);
            views(side, sibling, &|chains| chains.third[at].clone()) * inverse
        };
        let found = &steps.0 * both(&third(0, &left.1.0), &third(1, &right.1.0));
        for i in 0..k {
            for j in 0..k {
                product[(i * k + at) * k + j] = found[(i, j)];
            }
        }
    }
    let conditioning = Conditioning {
        sigma_left: left.1.1,
        sigma_right: right.1.1,
        step_left: steps.1,
        step_right: steps.1,
        triples: counts[0] + counts[1] - moments.triples,
        least: left.1.2.min(right.1.2).min(steps.2),
    };
    Ok(([left.0, right.0], product, conditioning))
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
    // Only one of the two is inverted, but the theorem speaks of both.
    let step_right = shrunken_inverse(&steps[1], shrinkage).map_err(failed)?;
    let conditioning = of_inverses([&sigma_left, &sigma_right, &step_left, &step_right], moments.triples);
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
    Ok(assemble(operators, conditioning, observations, words, None))
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

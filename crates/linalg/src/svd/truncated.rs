//! The entry point: plan, iterate, extract.

use std::ops::ControlFlow;

use faer::Mat;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::config::{Plan, RankPolicy, SvdConfig};
use super::error::SvdError;
use super::extract::{Triplets, extract, extract_all, residuals};
use super::lanczos::Lanczos;
use super::oriented::{Oriented, ShortSide};
use super::ritz::{Ritz, accepted};
use super::sign::fix_signs;
use crate::operator::LinearOperator;
use crate::panel::Panel;
use crate::scalar::Scalar;

/// `A ≈ U diag(s) Vᵀ`, the leading singular triplets.
#[derive(Debug, Clone)]
pub struct Svd<T> {
    /// Left singular vectors as columns, sign-fixed.
    pub u: Mat<T>,
    /// Singular values, descending.
    pub s: Vec<T>,
    /// Right singular vectors as columns.
    pub v: Mat<T>,
    /// The larger of `‖A v_i − σ_i u_i‖` and `‖Aᵀ u_i − σ_i v_i‖` over `σ_1`, computed from the operator. One of
    /// the two is rounding error by construction.
    pub residuals: Vec<f64>,
    /// Number of vectors multiplied by A or its transpose.
    pub products: usize,
    /// Number of restarts of the basis.
    pub restarts: usize,
    /// Whether every residual is within the tolerance.
    pub converged: bool,
}

/// The leading singular triplets of an operator; the method is described in [`crate::svd`].
///
/// ```
/// use linalg::{CsrMatrix, SparseOperator, SvdConfig, truncated_svd};
///
/// let diagonal = CsrMatrix::from_triplets(300, 200, (0..200).map(|i| (i, i, 1.0 + i as f64)))?;
/// let config = SvdConfig { tolerance: 1e-9, ..SvdConfig::with_rank(3) };
/// let svd = truncated_svd(&SparseOperator::new(diagonal), &config)?;
/// assert!(svd.converged);
/// assert!(svd.s.iter().zip([200.0, 199.0, 198.0]).all(|(a, b)| (a - b).abs() < 1e-9));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn truncated_svd<T, O>(operator: &O, config: &SvdConfig) -> Result<Svd<T>, SvdError>
where
    T: Scalar,
    O: LinearOperator<T> + ?Sized,
{
    truncated_svd_watched(operator, config, &mut |_| ControlFlow::Continue(()))
}

/// The same with an observer: `watch` receives the number of vectors multiplied by the operator or its transpose since
/// the last call. It may stop the computation, which then returns [`SvdError::Stopped`].
pub fn truncated_svd_watched<T, O>(
    operator: &O,
    config: &SvdConfig,
    watch: &mut dyn FnMut(usize) -> ControlFlow<()>,
) -> Result<Svd<T>, SvdError>
where
    T: Scalar,
    O: LinearOperator<T> + ?Sized,
{
    T::truncated_svd(&operator, config, watch)
}

/// The same for an operator whose type is not known.
pub(crate) fn iterate_to_rank<T: Scalar>(
    operator: &dyn LinearOperator<T>,
    config: &SvdConfig,
    watch: &mut dyn FnMut(usize) -> ControlFlow<()>,
) -> Result<Svd<T>, SvdError> {
    let plan = config.resolve(operator.nrows(), operator.ncols())?;
    let mut rng = ChaCha8Rng::seed_from_u64(config.seed);
    let operator = Oriented::new(operator, &mut rng)?;
    let (rank, triplets, mut products, restarts) = match plan {
        Plan::Full { rank } => (rank, extract_all(&operator)?, operator.short(), 0),
        Plan::Krylov { rank, block, dimension } => {
            let mut lanczos = Lanczos::new(&operator, block, dimension, rng)?;
            let (ritz, restarts) = iterate(&mut lanczos, config, rank, block, dimension, watch)?;
            let subspace = lanczos.ritz_vectors(&ritz, rank);
            let products = lanczos.products() + rank;
            drop(lanczos);
            (rank, extract(&operator, subspace)?, products, restarts)
        }
    };
    let cutoff = rank_cutoff::<T>(operator.short()) * triplets.values[0];
    let found = triplets.values.iter().take(rank).take_while(|&&value| value > cutoff).count();
    if !triplets.values[0].is_finite() {
        return Err(operator.non_finite());
    }
    if found < rank && config.rank_policy == RankPolicy::Exact {
        return Err(SvdError::RankDeficient { requested: rank, found });
    }
    let triplets = truncate(triplets, found);
    let residuals = residuals(&operator, &triplets);
    products += found;
    let top = triplets.values[0];
    let converged = residuals
        .iter()
        .zip(&triplets.values)
        .all(|(&residual, &value)| residual <= accepted(config.tolerance, T::EPSILON, value / top));
    let (u, v) = match operator.side() {
        ShortSide::Left => (triplets.short, triplets.long),
        ShortSide::Right => (triplets.long, triplets.short),
    };
    let (mut u, mut v) = (u.to_mat(), v.to_mat());
    fix_signs(u.as_mut(), v.as_mut());
    let s = triplets.values.iter().map(|value| T::from_f64(value / operator.scale())).collect();
    Ok(Svd { u, s, v, residuals, products, restarts, converged })
}

/// Singular values below this fraction of the largest are rounding errors. Errors of a product accumulate like a random
/// walk, hence the square root.
fn rank_cutoff<T: Scalar>(size: usize) -> f64 {
    8.0 * T::EPSILON * (size as f64).sqrt().max(4.0)
}

/// Grows the Krylov space until the leading Ritz pairs have converged or the restarts are used up.
fn iterate<T: Scalar>(
    lanczos: &mut Lanczos<'_, T>,
    config: &SvdConfig,
    rank: usize,
    block: usize,
    dimension: usize,
    watch: &mut dyn FnMut(usize) -> ControlFlow<()>,
) -> Result<(Ritz, usize), SvdError> {
    // Keep some more vectors than needed: they speed up the convergence of those at the edge.
    let keep = (rank + (rank / 4).max(2 * block)).min(dimension - block);
    let mut restarts = 0;
    let mut confirmed: Option<Vec<f64>> = None;
    let mut target = (2 * rank + 4 * block).min(dimension);
    let mut last: Option<(usize, f64)> = None;
    loop {
        while lanczos.dimension() < target && lanczos.dimension() + block <= dimension {
            let before = lanczos.products();
            lanczos.step()?;
            if watch(lanczos.products() - before).is_break() {
                return Err(SvdError::Stopped);
            }
        }
        let ritz = lanczos.ritz()?;
        let excess = ritz.excess(rank, config.tolerance, T::EPSILON);
        let full = lanczos.dimension() + block > dimension;
        if excess <= 1.0 {
            let settled = !ritz.may_hide_copies(rank, block, T::EPSILON)
                || confirmed.as_ref().is_some_and(|values| agree(values, &ritz.values()[..rank], T::EPSILON));
            if settled || restarts == config.max_restarts {
                return Ok((ritz, restarts));
            }
            confirmed = Some(ritz.values()[..rank].to_vec());
            lanczos.restart(&ritz, keep.min(lanczos.dimension()));
            lanczos.divert()?;
            restarts += 1;
            target = dimension;
            last = None;
        } else if full {
            if restarts == config.max_restarts {
                return Ok((ritz, restarts));
            }
            lanczos.restart(&ritz, keep);
            restarts += 1;
            target = dimension;
            last = None;
        } else {
            target = next_check(lanczos.dimension(), excess, last, block).min(dimension);
            last = Some((lanczos.dimension(), excess));
        }
    }
}

/// The dimension at which to check the Ritz pairs again.
///
/// Residuals fall at least geometrically with the dimension, so two checks bound where the third should be. They often
/// fall much faster near the end, so checks are frequent; each costs less than the products of a single step.
fn next_check(now: usize, excess: f64, last: Option<(usize, f64)>, block: usize) -> usize {
    let limit = now + (now / 12).max(2 * block);
    match last {
        Some((before, previous)) if excess < previous => {
            let rate = (previous / excess).ln() / (now - before) as f64;
            let predicted = excess.ln() / rate;
            if predicted < (limit - now) as f64 { now + (predicted as usize).max(block) } else { limit }
        }
        _ => limit,
    }
}

/// Whether a second check found no larger values than the first.
fn agree(first: &[f64], second: &[f64], epsilon: f64) -> bool {
    first.iter().zip(second).all(|(a, b)| (b - a).abs() <= 256.0 * epsilon * first[0])
}

fn truncate<T: Scalar>(triplets: Triplets<T>, count: usize) -> Triplets<T> {
    if triplets.values.len() == count {
        return triplets;
    }
    let first = |panel: &Panel<T>| Panel::from_mat(panel.as_mat().subcols(0, count));
    Triplets {
        short: first(&triplets.short),
        long: first(&triplets.long),
        values: triplets.values[..count].to_vec(),
    }
}

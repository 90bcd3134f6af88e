//! From nodes to latent states: projects the two views of every node to the state space of its symbol.
//!
//! ```text
//! Ω^a = E[φ ψᵀ | a] ≈ U Σ Vᵀ          Y = Uᵀ φ          Z = Σ⁻¹ Vᵀ ψ
//! ```
//!
//! Directions that chance explains are damped in Z ([`Shrinkage`](super::config::Shrinkage)), a departure from the
//! paper.
//!
//! [`States`] holds Y and Z of every node. A hard assignment of nodes to states is the special case `Y = e_h`,
//! `Z = e_h / P(h | a)`: one estimator serves both.

use std::borrow::Borrow;

use linalg::Panel;
use linalg::Scalar;
use rayon::prelude::*;
use spectral::operators::{Correction, OperatorEstimator, SecondMoment};
use spectral::view::{FeatureIndexBuilder, SiteWeights, ViewPair, ViewPairBuilder};
use spectral::{DecomposeConfig, Rank, RankConfig, SpectralError, SpectrumReport, decompose_views};

use super::config::SpectralConfig;
use super::features::{Context, Feature, dropped};
use super::treebank::NumberedTreebank;

/// Interpretation of the coordinates of a state vector.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Basis {
    /// Each coordinate is a state; values are probabilities.
    States,
    /// Each coordinate is a direction of the space, with arbitrary sign.
    Directions,
}

/// Y and Z of every node, symbol by symbol, in the order of the symbol's sites.
#[derive(Clone, Debug)]
pub(super) struct States<T: Scalar> {
    pub(super) inside: Vec<Panel<T>>,
    pub(super) outside: Vec<Panel<T>>,
    /// The result of each decomposition; `None` for symbols with one state.
    pub(super) spectra: Vec<Option<SpectrumReport>>,
    pub(super) basis: Basis,
}

impl<T: Scalar> States<T> {
    /// The projected nodes of all symbols.
    fn of(projected: Vec<Projected<T>>) -> Self {
        let (inside, outside, spectra) = (Vec::new(), Vec::new(), Vec::new());
        let mut states = Self { inside, outside, spectra, basis: Basis::Directions };
        for (inside, outside, spectrum) in projected {
            states.inside.push(inside);
            states.outside.push(outside);
            states.spectra.push(spectrum);
        }
        states
    }

    /// The number of states of a symbol.
    pub(super) fn dim(&self, symbol: usize) -> usize {
        self.inside[symbol].width()
    }

    /// Y of a node.
    #[inline]
    pub(super) fn inside(&self, bank: &NumberedTreebank, node: u32) -> &[T] {
        let node = &bank.nodes[node as usize];
        self.inside[node.symbol as usize].row(node.site as usize)
    }

    /// Z of a node.
    #[inline]
    pub(super) fn outside(&self, bank: &NumberedTreebank, node: u32) -> &[T] {
        let node = &bank.nodes[node as usize];
        self.outside[node.symbol as usize].row(node.site as usize)
    }

    /// A hard assignment: `state[symbol][site]` below `dims[symbol]`.
    pub(super) fn hard(bank: &NumberedTreebank, dims: &[usize], state: &[Vec<u32>]) -> Self {
        let one = T::from_f64(1.0);
        let (inside, outside) = bank
            .sites
            .iter()
            .zip(dims)
            .zip(state)
            .map(|((sites, &dim), state)| {
                let mut weights = vec![0.0; dim];
                for (&node, &h) in sites.iter().zip(state) {
                    weights[h as usize] += bank.weight(node);
                }
                let total: f64 = weights.iter().sum();
                let (mut y, mut z) = (Panel::zeros(sites.len(), dim), Panel::zeros(sites.len(), dim));
                for (site, &h) in state.iter().enumerate() {
                    y.row_mut(site)[h as usize] = one;
                    z.row_mut(site)[h as usize] = T::from_f64(total / weights[h as usize]);
                }
                (y, z)
            })
            .unzip();
        Self { inside, outside, spectra: vec![None; bank.sites.len()], basis: Basis::States }
    }
}

/// Decomposes each symbol separately and projects its nodes. Only the features of the symbols at work are held at once.
pub(super) fn project<T: Scalar>(
    context: &Context<'_>,
    config: &SpectralConfig,
) -> Result<States<T>, SpectralError> {
    let projected = for_each_symbol(context.bank, |symbol| {
        let views = views(context, config, symbol)?;
        project_symbol(context, config, symbol, views)
    })?;
    Ok(States::of(projected))
}

/// The features of all nodes, which [`decompose`](Self::decompose) needs: the two halves of [`project`] one after the
/// other, at the price of memory.
pub(super) struct NodeFeatures<T: Scalar> {
    symbols: Vec<Option<SymbolViews<T>>>,
}

impl<T: Scalar> NodeFeatures<T> {
    /// Extracts the features.
    pub(super) fn new(context: &Context<'_>, config: &SpectralConfig) -> Result<Self, SpectralError> {
        Ok(Self { symbols: for_each_symbol(context.bank, |symbol| views(context, config, symbol))? })
    }

    /// Scales, decomposes and projects them.
    pub(super) fn decompose(
        &self,
        context: &Context<'_>,
        config: &SpectralConfig,
    ) -> Result<States<T>, SpectralError> {
        let projected = for_each_symbol(context.bank, |symbol| {
            project_symbol(context, config, symbol, self.symbols[symbol].as_ref())
        })?;
        Ok(States::of(projected))
    }
}

/// Works on all symbols with all threads; the results are in the order of the symbols.
fn for_each_symbol<R: Send>(
    bank: &NumberedTreebank,
    work: impl Fn(usize) -> Result<R, SpectralError> + Sync,
) -> Result<Vec<R>, SpectralError> {
    // Largest symbols first, so that no thread starts the largest last.
    let mut order: Vec<usize> = (0..bank.sites.len()).collect();
    order.sort_by_key(|&symbol| std::cmp::Reverse(bank.sites[symbol].len()));
    let mut results = order
        .into_par_iter()
        .with_max_len(1)
        .map(|symbol| work(symbol).map(|result| (symbol, result)))
        .collect::<Result<Vec<_>, SpectralError>>()?;
    results.sort_by_key(|&(symbol, _)| symbol);
    Ok(results.into_iter().map(|(_, result)| result).collect())
}

/// The features of the nodes of a symbol, and the most states that it may have.
struct SymbolViews<T: Scalar> {
    views: ViewPair<T>,
    limit: Rank,
}

/// φ and ψ of the nodes of a symbol; `None` if it can have one state only.
fn views<T: Scalar>(
    context: &Context<'_>,
    config: &SpectralConfig,
    symbol: usize,
) -> Result<Option<SymbolViews<T>>, SpectralError> {
    let bank = context.bank;
    let sites = &bank.sites[symbol];
    let most = context.limits.get(symbol).copied().unwrap_or(usize::MAX);
    let limit = config.rank(bank.weight_of(sites)).min(most);
    let Some(limit) = Rank::new(limit).filter(|rank| rank.get() > 1) else { return Ok(None) };
    let (mut inside, mut outside) = (FeatureIndexBuilder::new(), FeatureIndexBuilder::new());
    let mut builder = ViewPairBuilder::<T>::new();
    let (mut keys, mut left, mut right) = (Vec::new(), Vec::new(), Vec::new());
    for &node in sites {
        let intern = |keys: &mut Vec<Feature>, index: &mut FeatureIndexBuilder<u64>, out: &mut Vec<_>| {
            out.clear();
            for (key, value) in keys.drain(..).filter(|&(key, _)| !dropped(key, config.dropout, config.seed))
            {
                out.push((index.intern(key)?, T::from_f64(f64::from(value))));
            }
            Ok::<(), SpectralError>(())
        };
        context.inside(node, &mut keys);
        intern(&mut keys, &mut inside, &mut left)?;
        context.outside(node, &mut keys);
        intern(&mut keys, &mut outside, &mut right)?;
        builder.push(left.iter().copied(), right.iter().copied(), bank.weight(node));
    }
    if inside.is_empty() || outside.is_empty() {
        return Ok(None);
    }
    let views = builder.finish(inside.freeze().dim(), outside.freeze().dim())?;
    Ok(Some(SymbolViews { views, limit }))
}

type Projected<T> = (Panel<T>, Panel<T>, Option<SpectrumReport>);

fn project_symbol<T: Scalar>(
    context: &Context<'_>,
    config: &SpectralConfig,
    symbol: usize,
    features: Option<impl Borrow<SymbolViews<T>>>,
) -> Result<Projected<T>, SpectralError> {
    let bank = context.bank;
    let sites = &bank.sites[symbol];
    let single = || {
        let ones = Panel::from_fn(sites.len(), 1, |_, _| T::from_f64(1.0));
        Ok((ones.clone(), ones, None))
    };
    let Some(features) = features else { return single() };
    let SymbolViews { views, limit } = features.borrow();
    let mut rank = RankConfig::fixed(*limit);
    if config.min_singular_ratio > 0.0 {
        rank.rules.push(spectral::RankRule::Threshold(config.min_singular_ratio));
    }
    let decompose = DecomposeConfig {
        scaling: config.scaling,
        seed: config.seed,
        tolerance: config.tolerance,
        ..DecomposeConfig::new(rank)
    };
    let decomposition = decompose_views(views, &decompose)?;
    if decomposition.rank().get() == 1 {
        return single();
    }
    let (y, z) = decomposition.projections()?.project_sites(views)?;
    let spectrum = decomposition.report().clone();
    // The SVD is approximate, so E[Y Zᵀ] is not quite the identity, but the operators need it to be.
    let weights = SiteWeights::PerSite(sites.iter().map(|&node| bank.weight(node)).collect());
    let cross = SecondMoment::of_rows(&y, &z, &weights)?;
    let estimator = OperatorEstimator::new(&cross, Correction::default())?;
    let shrinkage = config.shrinkage.weights(&spectrum);
    let z = if estimator.corrector().is_none() && shrinkage.is_none() {
        z
    } else {
        let width = z.width();
        let columns: Vec<f64> = (0..width * width)
            .map(|at| {
                let (row, column) = (at % width, at / width);
                let corrected = match estimator.corrector() {
                    Some(corrector) => corrector[(row, column)],
                    None => f64::from(u8::from(row == column)),
                };
                corrected * shrinkage.as_ref().map_or(1.0, |weights| weights[row])
            })
            .collect();
        combined(&z, &columns)
    };
    Ok((y, z, Some(spectrum)))
}

/// Applies a square matrix, stored by columns, to each row.
fn combined<T: Scalar>(rows: &Panel<T>, columns: &[f64]) -> Panel<T> {
    let width = rows.width();
    let mut sums = vec![0.0; width];
    let mut out = Panel::zeros(rows.nrows(), width);
    for site in 0..rows.nrows() {
        sums.fill(0.0);
        for (value, column) in rows.row(site).iter().zip(columns.chunks_exact(width)) {
            let value = value.to_f64();
            sums.iter_mut().zip(column).for_each(|(sum, factor)| *sum += factor * value);
        }
        out.row_mut(site).iter_mut().zip(&sums).for_each(|(out, &sum)| *out = T::from_f64(sum));
    }
    out
}

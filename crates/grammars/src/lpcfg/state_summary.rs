//! Means and spectra of the latent states.
//!
//! ```text
//! F^a = E[Y | a]          H^a = E[Z | a]          σ_1 ≥ σ_2 ≥ …  of  Ω^a
//! ```
//!
//! Parsing does not need them; they are stored because the parameters cannot be interpreted without them. F sums a
//! parent out of a tensor and H a child: if the moments are those of a model with m states, `Y = G e_h` on average and
//! `H = G⁻ᵀ 1`, so `H·Y` averages to 1. For hard or expected states F is `P(h | a)` and H is all ones.

use linalg::Scalar;
use spectral::{SpectrumReport, Support, Verdict};

use super::smoothing::SymbolMeans;
use super::states::{Basis, States};

/// The singular values of a symbol's cross moment.
#[derive(Clone, PartialEq, Debug)]
pub struct Spectrum {
    /// σ_1 ≥ σ_2 ≥ …, as many as were computed; usually one more than were kept.
    pub singular_values: Vec<f32>,
    /// Number of dimensions kept.
    pub rank: u32,
    /// The estimated spectral norm of the sampling error of the cross moment.
    pub noise: f32,
}

impl Spectrum {
    fn new(report: &SpectrumReport) -> Self {
        // The error estimate is only a guide, so it may be clamped to single precision.
        let narrow = |value: f64| (value as f32).clamp(0.0, f32::MAX);
        let singular_values: Vec<f32> = report.singular_values.iter().map(|&value| narrow(value)).collect();
        let rank = report.rank.min(singular_values.len()) as u32;
        Self { singular_values, rank, noise: narrow(report.noise) }
    }

    /// σ_1.
    pub fn first(&self) -> f64 {
        self.singular_values.first().map_or(0.0, |&value| f64::from(value))
    }

    /// σ_m, the last one kept.
    pub fn last(&self) -> f64 {
        let at = (self.rank as usize).checked_sub(1);
        at.and_then(|at| self.singular_values.get(at)).map_or(0.0, |&value| f64::from(value))
    }

    /// `σ_m / σ_1`; 0 if there is nothing.
    pub fn ratio(&self) -> f64 {
        if self.first() > 0.0 { self.last() / self.first() } else { 0.0 }
    }

    /// `(σ_m − σ_{m+1}) / σ_m`, if σ_{m+1} was computed: 1 for a clean cut, 0 for no gap.
    pub fn gap(&self) -> Option<f64> {
        let next = f64::from(*self.singular_values.get(self.rank as usize)?);
        (self.last() > 0.0).then(|| (self.last() - next) / self.last())
    }

    /// The number of computed singular values that exceed the sampling error.
    pub fn supported_rank(&self) -> usize {
        self.singular_values.iter().take_while(|&&value| value > self.noise).count()
    }

    /// Whether `nodes` nodes support the number of dimensions.
    pub fn verdict(&self, nodes: f64) -> Verdict {
        let values: Vec<f64> = self.singular_values.iter().map(|&value| f64::from(value)).collect();
        Verdict::new(&values, self.rank as usize, nodes, f64::from(self.noise))
    }

    /// How σ_m compares with the sampling error.
    pub fn support(&self) -> Support {
        Support::of(self.last(), f64::from(self.noise))
    }
}

/// Means and spectra of all symbols.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct StateSummary {
    /// F of each symbol, one after the other.
    pub(super) inside: Vec<f32>,
    /// H of each symbol, one after the other; empty for states, where all entries are ones.
    pub(super) outside: Vec<f32>,
    /// `None` where nothing was decomposed.
    pub(super) spectra: Vec<Option<Spectrum>>,
}

impl StateSummary {
    /// Summarises projected nodes or hard states, with the means over the nodes of each symbol.
    pub(super) fn new<T: Scalar>(states: &States<T>, means: &[SymbolMeans]) -> Self {
        let narrow = |side: fn(&SymbolMeans) -> &Vec<f64>| {
            means.iter().flat_map(side).map(|&mean| mean as f32).collect::<Vec<f32>>()
        };
        Self {
            inside: narrow(|means| &means.inside),
            outside: match states.basis {
                Basis::States => Vec::new(),
                Basis::Directions => narrow(|means| &means.outside),
            },
            spectra: states.spectra.iter().map(|report| report.as_ref().map(Spectrum::new)).collect(),
        }
    }

    /// States of equal shares; `dims` are the numbers of states.
    pub(super) fn equal(dims: &[u32]) -> Self {
        let inside =
            dims.iter().flat_map(|&dim| std::iter::repeat_n(1.0 / dim as f32, dim as usize)).collect();
        Self { inside, outside: Vec::new(), spectra: vec![None; dims.len()] }
    }

    /// Replaces the shares of the states.
    pub(super) fn set_shares(&mut self, shares: &[Vec<f64>]) {
        self.inside.clear();
        self.inside.extend(shares.iter().flatten().map(|&share| share as f32));
    }

    /// Whether the dimensions are states or directions.
    pub(super) fn basis(&self) -> Basis {
        if self.outside.is_empty() { Basis::States } else { Basis::Directions }
    }
}

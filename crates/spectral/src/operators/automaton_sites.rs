//! Operators of an automaton from the positions in its strings.
//!
//! [`estimate_automaton`](super::estimate_automaton) takes cells of `P` and of every `P_b`. If features are long and
//! overlap, a position has many prefix features and many suffix features, and the cells are their products. This module
//! computes the same estimate from the feature lists themselves. With `y = Σ W_s` over the suffix features of a
//! position and `z = Σ R_p` over its prefix features,
//!
//! ```text
//!     WᵀP = Σ_places y φᵀ,     A_b = Σ_steps with b  y zᵀ,
//! ```
//!
//! where a place is a position between two symbols, and a step is a place, one symbol, and the next place. It also
//! yields the vectors that predict one symbol ahead, `e_bᵀ = Σ_steps with b zᵀ`, which in the population are `1ᵀ A_b`
//! in the basis of the automaton. They have fewer estimated factors than products of operators.

use std::ops::Range;

use linalg::{CsrMatrix, Panel};

use super::automaton::{AutomatonConfig, ObservableAutomaton, right_inverse, weighted_rows};
use crate::decompose::{Decomposition, decompose_views};
use crate::diagnostics::SpectrumReport;
use crate::error::{SpectralError, check_finite};
use crate::rank::Rank;
use crate::view::{FeatureDim, FeatureId, ViewPair};

/// The positions in the counted strings. Left views are suffix features, right views prefix features.
#[derive(Clone, Debug)]
pub struct AutomatonSites {
    /// Every place between two symbols, before the first and after the last.
    pub places: ViewPair<f64>,
    /// Prefix features of a place, and suffix features of the next place. The estimate is fastest if steps with the same symbol and
    /// the same prefix features are adjacent.
    pub steps: ViewPair<f64>,
    /// The symbol of each step.
    pub symbols: Vec<FeatureId>,
    /// Number of symbols.
    pub alphabet: FeatureDim,
    /// Suffix feature counts of whole strings.
    pub initial: Vec<f64>,
    /// Prefix feature counts of whole strings.
    pub terminal: Vec<f64>,
    /// Number of strings.
    pub strings: f64,
}

/// An automaton estimated from positions.
#[derive(Clone, Debug)]
pub struct SiteEstimate {
    /// The operators.
    pub automaton: ObservableAutomaton,
    /// `e_b` symbol by symbol: the value of a state if symbol b follows, whatever comes after it.
    next: Vec<f64>,
    /// The spectrum of P.
    pub report: SpectrumReport,
}

impl SiteEstimate {
    /// `e_b` symbol by symbol: the product with a state is the total value of all strings that continue with b.
    pub fn next(&self) -> &[f64] {
        &self.next
    }

    /// The estimate with fewer states, from the same decomposition.
    pub fn truncated(&self, rank: Rank) -> Self {
        let states = self.automaton.states();
        let kept = rank.get().min(states);
        SiteEstimate {
            automaton: self.automaton.truncated(rank),
            next: self.next.chunks_exact(states).flat_map(|row| &row[..kept]).copied().collect(),
            report: self.report.clone(),
        }
    }
}

/// Estimates an automaton from the positions in strings.
pub fn estimate_automaton_from_sites(
    sites: &AutomatonSites,
    config: &AutomatonConfig,
) -> Result<SiteEstimate, SpectralError> {
    check(sites)?;
    let decomposition: Decomposition<f64> = decompose_views(&sites.places, &config.decompose)?;
    let states = decomposition.rank().get();
    let w = decomposition.projections()?.left.into_weights();
    let mut forward = Panel::zeros(sites.places.right().ncols(), states);
    let mut y = vec![0.0; states];
    for place in 0..sites.places.sites() {
        sum_rows(&w, sites.places.left(), place, &mut y);
        let weight = sites.places.weights().weight(place);
        for (feature, value) in sites.places.right().row(place) {
            add_scaled(forward.row_mut(feature), weight * value, &y);
        }
    }
    let r = right_inverse(forward, decomposition.right_factors(), sites.strings, config.cutoff)?;
    let (mut operators, mut next) =
        (vec![0.0; sites.alphabet.size() * states * states], vec![0.0; sites.alphabet.size() * states]);
    let mut z = vec![0.0; states];
    for run in runs(sites) {
        // Steps with one symbol after the same features share z, and their y are summed first.
        let symbol = sites.symbols[run.start].index();
        sum_rows(&r, sites.steps.right(), run.start, &mut z);
        let mut share = 0.0;
        y.fill(0.0);
        for step in run {
            let own = sites.steps.weights().weight(step) / sites.strings;
            share += own;
            for (feature, value) in sites.steps.left().row(step) {
                add_scaled(&mut y, own * value, w.row(feature));
            }
        }
        let operator = &mut operators[symbol * states * states..][..states * states];
        for (row, y) in operator.chunks_exact_mut(states).zip(&y) {
            add_scaled(row, *y, &z);
        }
        add_scaled(&mut next[symbol * states..][..states], share, &z);
    }
    let initial = weighted_rows(&w, &sites.initial, sites.strings);
    let terminal = weighted_rows(&r, &sites.terminal, sites.strings);
    check_finite("estimate an automaton from positions", "entry", next.iter().copied())?;
    let automaton = ObservableAutomaton::new(initial, terminal, operators, sites.alphabet.size())?;
    Ok(SiteEstimate { automaton, next, report: decomposition.report().clone() })
}

/// Runs of adjacent steps with the same symbol and the same prefix features.
fn runs(sites: &AutomatonSites) -> impl Iterator<Item = Range<usize>> {
    let right = sites.steps.right();
    let features = |step: usize| {
        let row = right.indptr()[step]..right.indptr()[step + 1];
        (&right.indices()[row.clone()], &right.values()[row])
    };
    let alike = move |one: usize, other: usize| {
        sites.symbols[one] == sites.symbols[other] && features(one) == features(other)
    };
    let mut start = 0;
    std::iter::from_fn(move || {
        let first = start;
        if first >= sites.symbols.len() {
            return None;
        }
        start += 1;
        while start < sites.symbols.len() && alike(first, start) {
            start += 1;
        }
        Some(first..start)
    })
}

/// Sum of the rows of a panel selected by the features of a site.
fn sum_rows(panel: &Panel<f64>, view: &CsrMatrix<f64>, site: usize, sum: &mut [f64]) {
    sum.fill(0.0);
    for (feature, value) in view.row(site) {
        add_scaled(sum, value, panel.row(feature));
    }
}

fn add_scaled(sum: &mut [f64], factor: f64, row: &[f64]) {
    for (sum, entry) in sum.iter_mut().zip(row) {
        *sum += factor * entry;
    }
}

fn check(sites: &AutomatonSites) -> Result<(), SpectralError> {
    let attempt = "estimate an automaton from positions";
    let (suffixes, prefixes) = (sites.places.left().ncols(), sites.places.right().ncols());
    for (what, expected, found) in [
        ("the initial vector", suffixes, sites.initial.len()),
        ("the terminal vector", prefixes, sites.terminal.len()),
        ("the left view of steps", suffixes, sites.steps.left().ncols()),
        ("the right view of steps", prefixes, sites.steps.right().ncols()),
        ("the list of symbols", sites.steps.sites(), sites.symbols.len()),
    ] {
        if expected != found {
            return Err(SpectralError::SizeMismatch { attempt, what, expected, found });
        }
    }
    if !(sites.strings > 0.0 && sites.strings.is_finite()) {
        return Err(SpectralError::Empty { attempt, missing: "strings" });
    }
    if let Some(&id) = sites.symbols.iter().find(|&&symbol| !sites.alphabet.contains(symbol)) {
        let (id, dim) = (id.index(), sites.alphabet.size());
        return Err(SpectralError::OutOfRange { attempt, id, dim });
    }
    check_finite(attempt, "the count of initial feature", sites.initial.iter().copied())?;
    check_finite(attempt, "the count of terminal feature", sites.terminal.iter().copied())
}

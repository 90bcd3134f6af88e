//! Operators of an automaton from substring statistics.
//!
//! An automaton with operators gives a string the value `f(x₁…x_T) = α∞ᵀ A_{x_T} … A_{x_1} α₁`. Let `P(s, p)` be the
//! expected number of times that a prefix feature p is followed by a suffix feature s, and `P_b(s, p)` that of p, then
//! the symbol b, then s. If the automaton has n states and P has rank n, then `P = B F`, `P_b = B A_b F` with backward
//! and forward matrices B and F, and for the top n left singular vectors U of P (Luque et al. 2012, equations 11–13)
//!
//! ```text
//!     α₁ = Uᵀ p₁,     α∞ᵀ = p∞ᵀ (UᵀP)⁺,     A_b = Uᵀ P_b (UᵀP)⁺.
//! ```
//!
//! In the paper rows and columns are single symbols, `p₁(a)` is the expected number of strings that start with a, and
//! `p∞(a)` of those that end with it. Longer substrings (Balle et al. 2012), or start and stop markers among the
//! features, fit the same form: with markers counted like symbols, `p₁ = P[:, start]` and `p∞ = P[stop, :]`.
//!
//! We differ from the paper in that P may be scaled, `S P S′`, before the decomposition. The same derivation with
//! `S B` and `F S′` for B and F gives the formulas with `W = S U` for U and `R = S′ (WᵀPS′)⁺` for the pseudo-inverse.

use faer::{Mat, MatRef};
use linalg::{Panel, pseudo_inverse};

use crate::decompose::{DecomposeConfig, Decomposition, decompose_counts};
use crate::diagnostics::SpectrumReport;
use crate::error::{SpectralError, check_finite};
use crate::moments::{CountTable, CountTransform, Scaling};
use crate::rank::{Rank, RankConfig};
use crate::view::{CountMatrix, FeatureDim, FeatureId};

/// Expected (or observed) counts of substrings.
#[derive(Clone, Debug)]
pub struct AutomatonMoments {
    /// P: rows are suffix features, columns prefix features.
    pub block: CountTable<f64>,
    /// The cells of all P_b, in any order; repeated cells are summed.
    pub shifted: Vec<ShiftedCell>,
    /// p₁, one entry per suffix feature.
    pub initial: Vec<f64>,
    /// p∞, one entry per prefix feature.
    pub terminal: Vec<f64>,
    /// Number of symbols.
    pub symbols: FeatureDim,
    /// Number of strings that were counted, by which everything is divided; 1 for expectations.
    pub strings: f64,
}

/// One cell of one P_b.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ShiftedCell {
    /// b
    pub symbol: FeatureId,
    /// The suffix feature.
    pub suffix: FeatureId,
    /// The prefix feature.
    pub prefix: FeatureId,
    /// The count.
    pub count: f64,
}

/// Configuration of the estimate.
#[derive(Clone, PartialEq, Debug)]
pub struct AutomatonConfig {
    /// The decomposition of P.
    pub decompose: DecomposeConfig,
    /// Singular values of `UᵀP` up to this fraction of the largest are dropped from the pseudo-inverse; in [0, 1).
    pub cutoff: f64,
}

impl AutomatonConfig {
    /// The method of the paper: this many states, no scaling.
    pub fn fixed(states: Rank) -> Self {
        let decompose =
            DecomposeConfig { scaling: Scaling::None, ..DecomposeConfig::new(RankConfig::fixed(states)) };
        AutomatonConfig { decompose, cutoff: 1e-12 }
    }
}

/// An automaton as operators: `f(x) = α∞ᵀ A_{x_T} … A_{x_1} α₁`.
#[derive(Clone, PartialEq, Debug)]
pub struct ObservableAutomaton {
    /// α₁
    initial: Vec<f64>,
    /// α∞
    terminal: Vec<f64>,
    /// A_b row by row, symbol by symbol.
    operators: Vec<f64>,
}

impl ObservableAutomaton {
    /// Creates an automaton from its parameters: `operators` has A_b row by row, symbol by symbol.
    pub fn new(
        initial: Vec<f64>,
        terminal: Vec<f64>,
        operators: Vec<f64>,
        symbols: usize,
    ) -> Result<Self, SpectralError> {
        let attempt = "build an automaton";
        let states = initial.len();
        if states == 0 {
            return Err(SpectralError::Empty { attempt, missing: "states" });
        }
        let wanted = states.checked_mul(states).and_then(|size| size.checked_mul(symbols));
        for (what, expected, found) in [
            ("the terminal vector", states, terminal.len()),
            ("the list of operators", wanted.unwrap_or(usize::MAX), operators.len()),
        ] {
            if expected != found {
                return Err(SpectralError::SizeMismatch { attempt, what, expected, found });
            }
        }
        for values in [&initial, &terminal, &operators] {
            check_finite(attempt, "entry", values.iter().copied())?;
        }
        Ok(ObservableAutomaton { initial, terminal, operators })
    }

    /// Number of symbols.
    pub fn symbols(&self) -> usize {
        self.operators.len() / (self.states() * self.states())
    }

    /// All operators: A_b row by row, symbol by symbol.
    pub fn operators(&self) -> &[f64] {
        &self.operators
    }

    /// The automaton with only the first states. If the states are singular directions, as in an estimate, this is the
    /// estimate of that lower rank, so one decomposition serves all ranks.
    pub fn truncated(&self, rank: Rank) -> Self {
        let (states, kept) = (self.states(), rank.get().min(self.states()));
        let rows = self.operators.chunks_exact(states * states);
        ObservableAutomaton {
            initial: self.initial[..kept].to_vec(),
            terminal: self.terminal[..kept].to_vec(),
            operators: rows
                .flat_map(|operator| operator.chunks_exact(states).take(kept))
                .flat_map(|row| &row[..kept])
                .copied()
                .collect(),
        }
    }

    /// Number of states n.
    pub fn states(&self) -> usize {
        self.initial.len()
    }

    /// α₁, the state before the first symbol.
    pub fn initial(&self) -> &[f64] {
        &self.initial
    }

    /// α∞, the value of a state at the end.
    pub fn terminal(&self) -> &[f64] {
        &self.terminal
    }

    /// A_b.
    ///
    /// # Panics
    /// If the automaton does not have the symbol.
    pub fn operator(&self, symbol: FeatureId) -> MatRef<'_, f64> {
        let states = self.states();
        let size = states * states;
        MatRef::from_row_major_slice(&self.operators[symbol.index() * size..][..size], states, states)
    }

    /// The value of a string, which may be negative for estimates. It is zero if the string has unknown symbols.
    pub fn value(&self, string: &[FeatureId]) -> f64 {
        let states = self.states();
        let mut state = self.initial.clone();
        for symbol in string {
            if (symbol.index() + 1) * states * states > self.operators.len() {
                return 0.0;
            }
            let operator = self.operator(*symbol);
            state = (0..states).map(|i| (0..states).map(|j| operator[(i, j)] * state[j]).sum()).collect();
        }
        state.iter().zip(&self.terminal).map(|(state, terminal)| state * terminal).sum()
    }
}

/// An automaton with the diagnostics of its spectrum.
#[derive(Clone, Debug)]
pub struct AutomatonEstimate {
    /// The operators.
    pub automaton: ObservableAutomaton,
    /// The spectrum of P.
    pub report: SpectrumReport,
}

/// Estimates an automaton from substring statistics.
pub fn estimate_automaton(
    moments: &AutomatonMoments,
    config: &AutomatonConfig,
) -> Result<AutomatonEstimate, SpectralError> {
    check(moments)?;
    let matrix = CountMatrix::from_table(moments.block.clone())?;
    let decomposition: Decomposition<f64> =
        decompose_counts(&matrix, CountTransform::Identity, &config.decompose)?;
    let states = decomposition.rank().get();
    let w = decomposition.projections()?.left.into_weights();
    // (WᵀPS′)ᵀ, one row per prefix feature.
    let prefixes = moments.block.to_csr::<f64>()?.transpose();
    let mut forward = Panel::zeros(0, 0);
    prefixes.multiply(&w, &mut forward);
    let r = right_inverse(forward, decomposition.right_factors(), moments.strings, config.cutoff)?;

    let mut operators = vec![0.0; moments.symbols.size() * states * states];
    for cell in &moments.shifted {
        let count = cell.count / moments.strings;
        let operator = &mut operators[cell.symbol.index() * states * states..][..states * states];
        let right = r.row(cell.prefix.index());
        for (row, left) in operator.chunks_exact_mut(states).zip(w.row(cell.suffix.index())) {
            for (entry, right) in row.iter_mut().zip(right) {
                *entry += count * left * right;
            }
        }
    }
    let initial = weighted_rows(&w, &moments.initial, moments.strings);
    let terminal = weighted_rows(&r, &moments.terminal, moments.strings);
    for values in [&initial, &terminal, &operators] {
        check_finite("estimate an automaton", "entry", values.iter().copied())?;
    }
    let automaton = ObservableAutomaton { initial, terminal, operators };
    Ok(AutomatonEstimate { automaton, report: decomposition.report().clone() })
}

/// `R = S′ (WᵀPS′)⁺`, one row per prefix feature, from the transpose of `WᵀP` and the factors of `S′`.
pub(super) fn right_inverse(
    mut forward: Panel<f64>,
    factors: &[f64],
    strings: f64,
    cutoff: f64,
) -> Result<Panel<f64>, SpectralError> {
    let per_string: Vec<f64> = factors.iter().map(|factor| factor / strings).collect();
    forward.scale_rows(&per_string);
    let inverse = pseudo_inverse(forward.as_mat(), cutoff)?;
    // The transpose was inverted.
    let mut r = Panel::from_mat(inverse.matrix.transpose());
    r.scale_rows(factors);
    Ok(r)
}

/// `Σ_i weights[i] row_i / total`.
pub(super) fn weighted_rows(rows: &Panel<f64>, weights: &[f64], total: f64) -> Vec<f64> {
    let mut sum = vec![0.0; rows.width()];
    for (i, weight) in weights.iter().enumerate() {
        for (sum, entry) in sum.iter_mut().zip(rows.row(i)) {
            *sum += weight / total * entry;
        }
    }
    sum
}

fn check(moments: &AutomatonMoments) -> Result<(), SpectralError> {
    let attempt = "estimate an automaton";
    let (suffixes, prefixes) = (moments.block.nrows(), moments.block.ncols());
    for (what, expected, found) in [
        ("the initial vector", suffixes.size(), moments.initial.len()),
        ("the terminal vector", prefixes.size(), moments.terminal.len()),
    ] {
        if expected != found {
            return Err(SpectralError::SizeMismatch { attempt, what, expected, found });
        }
    }
    if !(moments.strings > 0.0 && moments.strings.is_finite()) {
        return Err(SpectralError::Empty { attempt, missing: "strings" });
    }
    for cell in &moments.shifted {
        for (id, dim) in [(cell.symbol, moments.symbols), (cell.suffix, suffixes), (cell.prefix, prefixes)] {
            if !dim.contains(id) {
                return Err(SpectralError::OutOfRange { attempt, id: id.index(), dim: dim.size() });
            }
        }
    }
    check_finite(attempt, "the count of shifted cell", moments.shifted.iter().map(|cell| cell.count))?;
    check_finite(attempt, "the count of initial feature", moments.initial.iter().copied())?;
    check_finite(attempt, "the count of terminal feature", moments.terminal.iter().copied())
}

impl ObservableAutomaton {
    /// The same automaton in another basis: `G α₁`, `G A_b G⁻¹`, `α∞ᵀ G⁻¹`. All values stay the same.
    pub fn change_basis(&self, basis: MatRef<'_, f64>) -> Result<Self, SpectralError> {
        let (attempt, size) = ("change the basis of an automaton", self.states());
        if basis.nrows() != size || basis.ncols() != size {
            let (what, found) = ("the basis", basis.nrows().max(basis.ncols()));
            return Err(SpectralError::SizeMismatch { attempt, what, expected: size, found });
        }
        let inverse = pseudo_inverse(basis, 1e-14)?;
        if inverse.rank < size {
            let condition = inverse.condition;
            return Err(SpectralError::Singular { attempt, size, rank: inverse.rank, condition });
        }
        let times = |matrix: MatRef<'_, f64>, vector: &[f64]| -> Vec<f64> {
            (0..size).map(|i| (0..size).map(|j| matrix[(i, j)] * vector[j]).sum()).collect()
        };
        let mut operators = Vec::with_capacity(self.operators.len());
        for operator in self.operators.chunks_exact(size * size) {
            let operator = MatRef::from_row_major_slice(operator, size, size);
            let changed: Mat<f64> = basis * operator * &inverse.matrix;
            operators.extend((0..size * size).map(|entry| changed[(entry / size, entry % size)]));
        }
        Ok(ObservableAutomaton {
            initial: times(basis, &self.initial),
            terminal: times(inverse.matrix.transpose(), &self.terminal),
            operators,
        })
    }
}

//! The fully reduced form of hidden Markov models (Foster, Rodu & Ungar 2012).
//!
//! Symbols are embedded, `y_t = Uᵀ x_t` in k dimensions. With `G = UᵀO` for the emission matrix O, transitions T and
//! moments over triples of adjacent symbols
//!
//! ```text
//!     µ = Σ_t E[y_t],   Σ = Σ_t E[y_{t+1} y_tᵀ] = G T diag(π) Gᵀ,
//!     K(η) = Σ_t E[y_{t+2} (ηᵀy_{t+1}) y_tᵀ] = G T diag(Gᵀη) T diag(π) Gᵀ
//!
//!     c₁ = E[y_1] = G π₁,     c∞ᵀ = µᵀ Σ⁻¹ = 1ᵀG⁻¹,     C(η) = K(η) Σ⁻¹ = G T diag(Gᵀη) G⁻¹
//! ```
//!
//! a string has the value `c∞ᵀ C(Uᵀx_T) … C(Uᵀx_1) c₁`. K is one k×k×k tensor whatever the number of symbols, which
//! makes the form "fully reduced".
//!
//! The paper's chains are stationary and never end. Ours end: STOP is an additional symbol, emitted by an additional
//! absorbing state, so a chain continues with STOP forever. The moments sum over the triples that begin at each symbol
//! and at the first STOP; then Σ and K have the same π, and the cancellation is exact. `α∞ᵀ = c∞ᵀ C(Uᵀ STOP)`. A model
//! with m states has rank m + 1.

use linalg::{Panel, pseudo_inverse};
use spectral::moments::{CountTableBuilder, CountTransform, Scaling};
use spectral::view::{CountMatrix, FeatureDim, FeatureId};
use spectral::{DecomposeConfig, Decomposition, RankConfig, SpectralError, SpectrumReport, decompose_counts};

use super::Automaton;
use super::counts::SequenceCounts;
use super::tally::Tally;
use models::learn::LearnError;

/// Configuration of the reduced form of a hidden Markov model.
#[derive(Clone, PartialEq, Debug)]
pub struct ReducedHmmConfig {
    /// The number of dimensions: one per state, and one for the end.
    pub rank: RankConfig,
    /// The scaling of symbols before the decomposition of their bigrams.
    pub scaling: Scaling,
    /// Accuracy of the singular vectors of large alphabets.
    pub tolerance: f64,
    /// The seed of the decomposition of large alphabets.
    pub seed: u64,
}

impl ReducedHmmConfig {
    /// Decompositions of this rank, without scaling.
    pub fn of_rank(rank: RankConfig) -> Self {
        Self { rank, scaling: Scaling::None, tolerance: 1e-6, seed: 0 }
    }
}

/// A learnt hidden Markov model.
#[derive(Clone, Debug)]
pub struct ReducedHmm {
    /// The model as an automaton.
    pub automaton: Automaton,
    /// For every symbol b, the value of a state if b comes next: `c∞ᵀ C(b)`.
    pub next: Vec<f64>,
    /// The spectrum of the bigrams.
    pub report: SpectrumReport,
}

/// Moments of adjacent symbols; STOP is the symbol after the last.
#[derive(Clone, Debug, Default)]
pub struct ChainMoments {
    /// The count of each symbol in first position.
    pub first: Vec<f64>,
    /// The triples of adjacent symbols, in order, that begin at a symbol or at the first STOP, with their counts.
    pub triples: Vec<([u32; 3], f64)>,
}

impl ChainMoments {
    /// The moments of counted sequences.
    pub fn new(counts: &SequenceCounts) -> Self {
        let stop = counts.alphabet() as u32;
        let mut first = vec![0.0; counts.alphabet() + 1];
        let mut triples = Tally::default();
        for (sequence, weight) in counts.iter() {
            let at = |place: usize| sequence.get(place).copied().unwrap_or(stop);
            first[at(0) as usize] += weight;
            for place in 0..=sequence.len() {
                triples.add([at(place), at(place + 1), at(place + 2)], weight);
            }
        }
        Self { first, triples: triples.sorted() }
    }
}

/// Learns a hidden Markov model from sequences.
pub fn learn_reduced_hmm(
    counts: &SequenceCounts,
    config: &ReducedHmmConfig,
) -> Result<ReducedHmm, LearnError> {
    if counts.is_empty() {
        return Err(LearnError::bad_data("no sequences to learn from; give at least one"));
    }
    estimate_reduced_hmm(&ChainMoments::new(counts), config)
        .map_err(|error| LearnError::failed("reduced hidden Markov model", error))
}

/// Estimates a hidden Markov model from moments, counted or expected.
pub fn estimate_reduced_hmm(
    moments: &ChainMoments,
    config: &ReducedHmmConfig,
) -> Result<ReducedHmm, SpectralError> {
    let symbols = moments.first.len();
    let dim = FeatureDim::new(symbols).ok_or(SpectralError::TooManyFeatures)?;
    let id = |symbol: u32| FeatureId::new(symbol as usize).ok_or(SpectralError::TooManyFeatures);
    let mut bigrams = CountTableBuilder::new(dim, dim);
    for &([a, b, _], weight) in &moments.triples {
        bigrams.push(id(b)?, id(a)?, weight)?;
    }
    let matrix = CountMatrix::from_table(bigrams.finish()?)?;
    let decompose = DecomposeConfig {
        scaling: config.scaling,
        tolerance: config.tolerance,
        seed: config.seed,
        ..DecomposeConfig::new(config.rank.clone())
    };
    let decomposition: Decomposition<f64> = decompose_counts(&matrix, CountTransform::Identity, &decompose)?;
    let u = decomposition.left();
    let k = decomposition.rank().get();
    let strings: f64 = moments.first.iter().sum();

    let mut mean = vec![0.0; k];
    let mut sigma = Panel::<f64>::zeros(k, k);
    // K as its k slices: the entry (i, j) of slice l is E[y_i(t+2) y_l(t+1) y_j(t)].
    let mut slices = vec![0.0; k * k * k];
    for &([a, b, c], weight) in &moments.triples {
        let share = weight / strings;
        let [a, b, c] = [a, b, c].map(|symbol| u.row(symbol as usize));
        for (i, b) in b.iter().enumerate() {
            mean[i] += share * a[i];
            add_scaled(sigma.row_mut(i), share * b, a);
            for (c, row) in c.iter().zip(slices[i * k * k..][..k * k].chunks_exact_mut(k)) {
                add_scaled(row, share * b * c, a);
            }
        }
    }
    let inverse = pseudo_inverse(sigma.as_mat(), 1e-12)?.matrix;
    let times_inverse = |row: &[f64]| -> Vec<f64> {
        (0..k).map(|j| (0..k).map(|i| row[i] * inverse[(i, j)]).sum()).collect()
    };
    // C(η) is linear in η: compute its slices once, then one combination per symbol.
    let slices: Vec<f64> = slices.chunks_exact(k).flat_map(times_inverse).collect();
    let last = times_inverse(&mean);
    let operator = |symbol: usize| {
        let mut operator = vec![0.0; k * k];
        for (weight, slice) in u.row(symbol).iter().zip(slices.chunks_exact(k * k)) {
            add_scaled(&mut operator, *weight, slice);
        }
        operator
    };
    let worth = |operator: &[f64]| {
        let mut sum = vec![0.0; k];
        for (last, row) in last.iter().zip(operator.chunks_exact(k)) {
            add_scaled(&mut sum, *last, row);
        }
        sum
    };
    let stop = symbols - 1;
    let mut initial = vec![0.0; k];
    for (symbol, count) in moments.first.iter().enumerate() {
        add_scaled(&mut initial, count / strings, u.row(symbol));
    }
    let (mut operators, mut next) = (Vec::with_capacity(stop * k * k), Vec::with_capacity(stop * k));
    for symbol in 0..stop {
        let operator = operator(symbol);
        next.extend(worth(&operator));
        operators.extend(operator);
    }
    let automaton = Automaton::new(initial, worth(&operator(stop)), operators, stop)?;
    Ok(ReducedHmm { automaton, next, report: decomposition.report().clone() })
}

fn add_scaled(sum: &mut [f64], factor: f64, row: &[f64]) {
    for (sum, entry) in sum.iter_mut().zip(row) {
        *sum += factor * entry;
    }
}

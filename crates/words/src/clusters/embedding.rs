//! Words as vectors: rows of singular vectors of Ω̂.
//!
//! In the Brown model `Ω = √O Ãᵀ` for a matrix `√O` with one positive entry in each row, in the column of the word's cluster, so that
//! `U = √O Qᵀ` with an orthogonal `Q`: rows of words of one cluster have the same direction, those of others are at right
//! angles to it (Stratos et al. 2014, Theorem 5.1). Scaled to length 1 they are what clusters are made of.
//!
//! Vectors are computed in single precision, by products with `Ω̂ᵀΩ̂`: those whose singular value is less than about a thousandth of the
//! largest are lost in rounding. Counts of texts have none so small among the first thousand.

use std::ops::ControlFlow;

use corpus::cooccurrence::PairCounts;
use linalg::{LinearOperator, RankPolicy, Scalar, Svd, SvdConfig, SvdError, truncated_svd_watched};

use super::config::{Rows, SpectralConfig};
use super::context::ContextMatrix;
use super::ward::LANES;
use models::learn::{LearnError, Progress};

/// A vector of length 1 for each word; of length 0 for a word that no other stands near.
#[derive(Clone, PartialEq, Debug)]
pub struct Embedding {
    words: usize,
    dimension: usize,
    /// Each vector is padded with zeros to a multiple of [`LANES`].
    values: Vec<f32>,
}

impl Embedding {
    /// One row for each word, each then scaled to length 1.
    pub fn from_rows(words: usize, dimension: usize, entry: impl Fn(usize, usize) -> f64) -> Self {
        let stride = dimension.next_multiple_of(LANES);
        let mut values = vec![0.0; words * stride];
        let mut row = vec![0.0; dimension];
        for (word, out) in values.chunks_exact_mut(stride.max(1)).enumerate() {
            row.iter_mut().enumerate().for_each(|(at, value)| *value = entry(word, at));
            let length = row.iter().map(|value| value * value).sum::<f64>().sqrt();
            if length > 0.0 {
                out.iter_mut().zip(&row).for_each(|(out, value)| *out = (value / length) as f32);
            }
        }
        Self { words, dimension, values }
    }

    /// Vectors that have their length already, word after word. `None` if there are more or fewer numbers.
    pub fn from_unit_rows(words: usize, dimension: usize, rows: &[f32]) -> Option<Self> {
        if dimension == 0 || words.checked_mul(dimension) != Some(rows.len()) {
            return None;
        }
        let stride = dimension.next_multiple_of(LANES);
        let mut values = vec![0.0; words * stride];
        for (out, row) in values.chunks_exact_mut(stride).zip(rows.chunks_exact(dimension)) {
            out[..dimension].copy_from_slice(row);
        }
        Some(Self { words, dimension, values })
    }

    /// How many words there are.
    pub fn words(&self) -> usize {
        self.words
    }

    /// How many numbers a vector has.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// The vector of a word.
    pub fn row(&self, word: usize) -> &[f32] {
        &self.padded(word)[..self.dimension]
    }

    /// The vector with its zeros.
    pub(super) fn padded(&self, word: usize) -> &[f32] {
        let stride = self.stride();
        &self.values[word * stride..][..stride]
    }

    /// The vectors of words in a row, with their zeros.
    pub(super) fn padded_rows(&self, words: std::ops::Range<usize>) -> &[f32] {
        let stride = self.stride();
        &self.values[words.start * stride..words.end * stride]
    }

    /// How many numbers a padded vector has.
    pub(super) fn stride(&self) -> usize {
        self.dimension.next_multiple_of(LANES)
    }
}

/// About how many products with vectors a singular vector takes: between 4.6 and 7 on texts, by rank. It tells how much is left to do.
const PRODUCTS_PER_VECTOR: usize = 5;

/// Vectors of the words of a text from the counts of pairs at distances 1, 2, …: as long as `rank` says, or shorter if the counts have
/// no more singular vectors.
pub fn embed(
    pairs: &[PairCounts],
    rank: usize,
    config: &SpectralConfig,
    progress: &mut Progress<'_>,
) -> Result<Embedding, LearnError> {
    check(pairs, rank, config)?;
    progress.stage("decompose", Some((PRODUCTS_PER_VECTOR * rank.min(pairs[0].words())) as u64))?;
    let matrix = ContextMatrix::<f32>::new(pairs, config).map_err(failed)?;
    let words = matrix.nrows();
    let Some(svd) = decompose(&matrix, rank, config.tolerance, progress)? else {
        return Ok(Embedding::from_rows(words, 1, |_, _| 0.0));
    };
    progress.figure("rank", svd.s.len() as f64);
    progress.figure("smallest singular value", svd.s.last().copied().unwrap_or(0.0).into());
    if !svd.converged {
        progress
            .note(format_args!("the decomposition did not reach its tolerance; the vectors may be rough"));
    }
    let entry = |word: usize, at: usize| {
        let value = f64::from(svd.u[(word, at)]);
        match config.rows {
            Rows::Left => value,
            Rows::Scaled => value * f64::from(svd.s[at]),
        }
    };
    Ok(Embedding::from_rows(words, svd.s.len(), entry))
}

/// The leading singular vectors; none if the matrix is 0.
pub fn decompose<T: Scalar>(
    matrix: &ContextMatrix<T>,
    rank: usize,
    tolerance: f64,
    progress: &mut Progress<'_>,
) -> Result<Option<Svd<T>>, LearnError> {
    let config = SvdConfig { rank_policy: RankPolicy::AtMost, tolerance, ..SvdConfig::with_rank(rank) };
    let mut stopped = None;
    let svd =
        truncated_svd_watched(matrix, &config, &mut |products| match progress.advance(products as u64) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                stopped = Some(error);
                ControlFlow::Break(())
            }
        });
    match (svd, stopped) {
        (_, Some(error)) => Err(error),
        (Ok(svd), None) => Ok(Some(svd)),
        (Err(SvdError::ZeroMatrix { .. }), None) => Ok(None),
        (Err(error), None) => Err(failed(error)),
    }
}

fn failed(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> LearnError {
    LearnError::failed("decompose", error)
}

/// An error if the options make no sense for these counts.
fn check(pairs: &[PairCounts], rank: usize, config: &SpectralConfig) -> Result<(), LearnError> {
    let bad = |what: String| Err(LearnError::bad_config(what));
    let words = pairs.first().map_or(0, PairCounts::words);
    if words == 0 {
        return Err(LearnError::bad_data("there are no words; give a text with at least one"));
    }
    if pairs.iter().any(|pairs| pairs.words() != words) {
        return Err(LearnError::bad_data("the counts at several distances are not of the same words"));
    }
    let distance = config.context.distance();
    if distance == 0 {
        return bad("the context has no words; it must reach to a distance of at least 1".into());
    }
    if distance > pairs.len() {
        return bad(format!(
            "the context {} needs pairs up to {distance} places apart, but they were counted up to {}; count them anew or choose a \
             smaller context",
            config.context,
            pairs.len()
        ));
    }
    if !(config.kappa >= 0.0 && config.kappa.is_finite()) {
        return bad(format!("kappa is {}; it must be 0 or a positive number", config.kappa));
    }
    if let super::Transform::Power(exponent) = config.transform
        && !(exponent > 0.0 && exponent <= 1.0)
    {
        return bad(format!("counts are raised to the power {exponent}; it must be above 0 and at most 1"));
    }
    if rank == 0 {
        return bad("the rank is 0; it must be at least 1".into());
    }
    if !(config.tolerance > 0.0 && config.tolerance < 1.0) {
        return bad(format!("the tolerance is {}; it must be above 0 and below 1", config.tolerance));
    }
    Ok(())
}

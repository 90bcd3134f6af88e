//! Word vectors: rows of the singular vectors of Ω̂.
//!
//! In the Brown model `Ω = √O Ãᵀ` for a matrix `√O` with one positive entry per row, in the column of the word's
//! cluster. So `U = √O Qᵀ` with an orthogonal `Q`: rows of words in the same cluster have the same direction, rows of
//! words in different clusters are orthogonal (Stratos et al. 2014, Theorem 5.1). Scaled to length 1, these rows are
//! clustered.
//!
//! Vectors are computed in single precision, by products with `Ω̂ᵀΩ̂`. Those whose singular value is less than about a
//! thousandth of the largest are lost to rounding, but counts of texts have none so small among the first thousand.

use corpus::cooccurrence::PairCounts;
use linalg::LinearOperator;

use super::config::{Rows, SpectralConfig};
use super::context::context_moment;
use super::ward::LANES;
use models::learn::{LearnError, Progress};
use spectral::moments::CountTransform;

/// A vector of length 1 for each word; of length 0 for a word without neighbours.
#[derive(Clone, PartialEq, Debug)]
pub struct Embedding {
    words: usize,
    dimension: usize,
    /// Each vector is padded with zeros to a multiple of [`LANES`].
    values: Vec<f32>,
}

impl Embedding {
    /// Builds vectors from one row per word, each then scaled to length 1.
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

    /// Builds vectors from rows that are already normalised. `None` if the number of values is wrong.
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

    /// The number of words.
    pub fn words(&self) -> usize {
        self.words
    }

    /// The dimension of the vectors.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// The vector of a word.
    pub fn row(&self, word: usize) -> &[f32] {
        &self.padded(word)[..self.dimension]
    }

    /// The vector of a word, padded with zeros.
    pub(super) fn padded(&self, word: usize) -> &[f32] {
        let stride = self.stride();
        &self.values[word * stride..][..stride]
    }

    /// The vectors of consecutive words, padded with zeros.
    pub(super) fn padded_rows(&self, words: std::ops::Range<usize>) -> &[f32] {
        let stride = self.stride();
        &self.values[words.start * stride..words.end * stride]
    }

    /// The length of a padded vector.
    pub(super) fn stride(&self) -> usize {
        self.dimension.next_multiple_of(LANES)
    }
}

/// Approximate number of matrix–vector products per singular vector: between 4.6 and 7 on texts, depending on the rank.
/// Used for progress.
const PRODUCTS_PER_VECTOR: usize = 5;

/// Computes word vectors from the counts of pairs at distances 1, 2, …. Their dimension is `rank`, or less if the
/// counts have fewer singular vectors.
pub fn embed(
    pairs: &[PairCounts],
    rank: usize,
    config: &SpectralConfig,
    progress: &mut Progress<'_>,
) -> Result<Embedding, LearnError> {
    check(pairs, rank, config)?;
    progress.stage("decompose", Some((PRODUCTS_PER_VECTOR * rank.min(pairs[0].words())) as u64))?;
    let moment = context_moment::<f32>(pairs, config).map_err(failed)?;
    let words = moment.nrows();
    let svd = progress.watched(|watch| moment.decompose(rank, config.tolerance, watch))?;
    let Some(svd) = svd.map_err(failed)? else {
        return Ok(Embedding::from_rows(words, 1, |_, _| 0.0));
    };
    progress.figure("rank", svd.s.len() as f64);
    progress.figure("smallest singular value", svd.s.last().copied().unwrap_or(0.0).into());
    if !svd.converged {
        progress.note(format_args!(
            "the decomposition did not reach its tolerance; the vectors may be inaccurate"
        ));
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

fn failed(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> LearnError {
    LearnError::failed("decompose", error)
}

/// Returns an error if the options are invalid for these counts.
fn check(pairs: &[PairCounts], rank: usize, config: &SpectralConfig) -> Result<(), LearnError> {
    let bad = |what: String| Err(LearnError::bad_config(what));
    let words = pairs.first().map_or(0, PairCounts::words);
    if words == 0 {
        return Err(LearnError::bad_data("the text has no words; give a text with at least one"));
    }
    if pairs.iter().any(|pairs| pairs.words() != words) {
        return Err(LearnError::bad_data("the counts at different distances are over different words"));
    }
    let distance = config.context.distance();
    if distance == 0 {
        return bad("the context is empty; its distance must be at least 1".into());
    }
    if distance > pairs.len() {
        return bad(format!(
            "the context {} needs pairs up to distance {distance}, but they were counted up to {}; \
             count again or choose a smaller context",
            config.context,
            pairs.len()
        ));
    }
    if !(config.kappa >= 0.0 && config.kappa.is_finite()) {
        return bad(format!("kappa is {}; it must be 0 or a positive number", config.kappa));
    }
    if let CountTransform::Power(exponent) = config.transform
        && !(exponent > 0.0 && exponent <= 1.0)
    {
        return bad(format!("the power of the counts is {exponent}; it must be above 0 and at most 1"));
    }
    if rank == 0 {
        return bad("the rank is 0; it must be at least 1".into());
    }
    if !(config.tolerance > 0.0 && config.tolerance < 1.0) {
        return bad(format!("the tolerance is {}; it must be above 0 and below 1", config.tolerance));
    }
    Ok(())
}

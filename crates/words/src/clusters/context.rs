//! The context matrix: the words near each word.
//!
//! ```text
//! Ω̂ = diag(û)^{-1/2} [ B̂_1 … B̂_p ] diag(v̂)^{-1/2}      (Stratos et al. 2014, Figure 4, Section 6.1, Appendix A)
//! ```
//!
//! `B̂_i(x, y)` counts how often `y` occurs at the `i`-th of `p` positions near `x`: 1 to `k` positions after it
//! (context R`k`), or also before it (LR`k`). `û(x)` is the count of `x`, `v̂(i, y)` that of `y` at position `i`, both
//! with κ added. All are counts here rather than relative frequencies: the singular vectors are the same. With a
//! [`Transform`] `f` they are replaced by `f(B̂)`, `f(û)` and `f(v̂)`.
//!
//! The table for distance `d` before a word is the transpose of the table for distance `d` after it. One table per
//! distance, with its transpose, serves both positions and both products.

use std::fmt;
use std::str::FromStr;

use corpus::cooccurrence::PairCounts;
use linalg::{CsrMatrix, LinearOperator, Panel, Scalar, SparseError, SparseOperator};
use rayon::prelude::*;

use super::config::{SpectralConfig, Transform};

/// The neighbouring words that describe a word. `Display` and `FromStr` use forms such as `r1`, `lr2`.
///
/// ```
/// use eigentree_words::clusters::Context;
/// assert_eq!("LR2".parse(), Ok(Context::Both(2)));
/// assert_eq!(Context::Right(1).to_string(), "r1");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Context {
    /// Words up to this distance after it.
    Right(usize),
    /// Words up to this distance before and after it.
    Both(usize),
}

impl Context {
    /// The maximum distance.
    pub fn distance(self) -> usize {
        match self {
            Self::Right(distance) | Self::Both(distance) => distance,
        }
    }

    /// The positions: for each the distance minus 1, and the side.
    fn positions(self) -> Vec<(usize, Side)> {
        match self {
            Self::Right(distance) => (0..distance).map(|index| (index, Side::Right)).collect(),
            Self::Both(distance) => {
                (0..distance).flat_map(|index| [(index, Side::Left), (index, Side::Right)]).collect()
            }
        }
    }
}

impl fmt::Display for Context {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Right(distance) => write!(formatter, "r{distance}"),
            Self::Both(distance) => write!(formatter, "lr{distance}"),
        }
    }
}

/// Error of parsing a context.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("invalid context; write r or lr and a distance of at least 1, such as r1, lr1 or lr2")]
pub struct ContextError;

impl FromStr for Context {
    type Err = ContextError;

    fn from_str(text: &str) -> Result<Self, ContextError> {
        let text = text.to_ascii_lowercase();
        let (kind, distance): (fn(usize) -> Self, _) = match (text.strip_prefix("lr"), text.strip_prefix('r'))
        {
            (Some(distance), _) => (Self::Both, distance),
            (None, Some(distance)) => (Self::Right, distance),
            (None, None) => return Err(ContextError),
        };
        let distance = distance.parse().map_err(|_| ContextError)?;
        if distance == 0 { Err(ContextError) } else { Ok(kind(distance)) }
    }
}

/// The side of a context word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Side {
    Left,
    Right,
}

/// The matrix Ω̂ of a text.
#[derive(Debug)]
pub struct ContextMatrix<T> {
    words: usize,
    /// The transformed counts at each distance, with their transposes.
    tables: Vec<SparseOperator<T>>,
    /// The blocks of columns.
    positions: Vec<(usize, Side)>,
    /// `û^{-1/2}`.
    rows: Vec<T>,
    /// `v̂^{-1/2}`, position by position.
    columns: Vec<T>,
}

impl<T: Scalar> ContextMatrix<T> {
    /// Builds the matrix from the counts at each distance, at least as many as the context needs.
    pub fn new(pairs: &[PairCounts], config: &SpectralConfig) -> Result<Self, SparseError> {
        let words = pairs.first().map_or(0, PairCounts::words);
        let pairs = &pairs[..config.context.distance()];
        let positions = config.context.positions();
        let sums: Vec<[Vec<u64>; 2]> =
            pairs.iter().map(|pairs| [pairs.left_sums(), pairs.right_sums()]).collect();
        let mut totals = vec![0.0; words];
        let mut columns = Vec::with_capacity(words * positions.len());
        for &(index, side) in &positions {
            let [left, right] = &sums[index];
            let (own, other) = match side {
                Side::Right => (left, right),
                Side::Left => (right, left),
            };
            totals.iter_mut().zip(own).for_each(|(total, &count)| *total += count as f64);
            columns.extend(other.iter().map(|&count| factor::<T>(count as f64, config)));
        }
        let share = 1.0 / positions.len().max(1) as f64;
        let rows = totals.into_iter().map(|total| factor(total * share, config)).collect();
        let tables = pairs
            .iter()
            .map(|pairs| {
                let values =
                    pairs.counts().iter().map(|&count| T::from_f64(transformed(count as f64, config)));
                let values = values.collect();
                CsrMatrix::from_raw_parts(
                    words,
                    words,
                    pairs.offsets().to_vec(),
                    pairs.right().to_vec(),
                    values,
                )
                .map(SparseOperator::new)
            })
            .collect::<Result<_, _>>()?;
        Ok(Self { words, tables, positions, rows, columns })
    }
}

fn transformed(count: f64, config: &SpectralConfig) -> f64 {
    match config.transform {
        Transform::Counts => count,
        Transform::Power(exponent) => count.powf(exponent),
    }
}

/// The factor of a row or column with this count. One without any count is 0 anyway.
fn factor<T: Scalar>(count: f64, config: &SpectralConfig) -> T {
    let smoothed = transformed(count + config.kappa, config);
    T::from_f64(if smoothed > 0.0 { smoothed.sqrt().recip() } else { 0.0 })
}

impl<T: Scalar> LinearOperator<T> for ContextMatrix<T> {
    fn nrows(&self) -> usize {
        self.words
    }

    fn ncols(&self) -> usize {
        self.columns.len()
    }

    fn apply(&self, x: &Panel<T>, y: &mut Panel<T>) {
        let size = self.words * x.width();
        let (mut block, mut part) = (Panel::zeros(self.words, x.width()), Panel::zeros(0, 0));
        y.reshape(self.words, x.width());
        y.as_mut_slice().fill(T::default());
        for (at, &(index, side)) in self.positions.iter().enumerate() {
            let factors = &self.columns[at * self.words..][..self.words];
            scale(block.as_mut_slice(), &x.as_slice()[at * size..][..size], factors);
            match side {
                Side::Right => self.tables[index].apply(&block, &mut part),
                Side::Left => self.tables[index].apply_transpose(&block, &mut part),
            }
            add_scaled(y.as_mut_slice(), part.as_slice(), &self.rows);
        }
    }

    fn apply_transpose(&self, x: &Panel<T>, y: &mut Panel<T>) {
        let size = self.words * x.width();
        let (mut block, mut part) = (Panel::zeros(self.words, x.width()), Panel::zeros(0, 0));
        scale(block.as_mut_slice(), x.as_slice(), &self.rows);
        y.reshape(self.ncols(), x.width());
        for (at, &(index, side)) in self.positions.iter().enumerate() {
            match side {
                Side::Right => self.tables[index].apply_transpose(&block, &mut part),
                Side::Left => self.tables[index].apply(&block, &mut part),
            }
            let factors = &self.columns[at * self.words..][..self.words];
            scale(&mut y.as_mut_slice()[at * size..][..size], part.as_slice(), factors);
        }
    }
}

/// Rows of a panel per parallel task.
const CHUNK: usize = 4096;

/// `out = diag(factors) x`.
fn scale<T: Scalar>(out: &mut [T], x: &[T], factors: &[T]) {
    row_chunks(out, x, factors, |out, x, factor| *out = x * factor);
}

/// `out += diag(factors) x`.
fn add_scaled<T: Scalar>(out: &mut [T], x: &[T], factors: &[T]) {
    row_chunks(out, x, factors, |out, x, factor| *out += x * factor);
}

fn row_chunks<T: Scalar>(out: &mut [T], x: &[T], factors: &[T], work: impl Fn(&mut T, T, T) + Sync) {
    let width = out.len() / factors.len().max(1);
    if width == 0 {
        return;
    }
    let chunks = out.par_chunks_mut(CHUNK * width).zip(x.par_chunks(CHUNK * width));
    chunks.zip(factors.par_chunks(CHUNK)).for_each(|((out, x), factors)| {
        for ((out, x), &factor) in out.chunks_exact_mut(width).zip(x.chunks_exact(width)).zip(factors) {
            out.iter_mut().zip(x).for_each(|(out, &x)| work(out, x, factor));
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clusters::truth::random_counts;

    /// Compares the operator with the explicit matrix.
    #[test]
    fn it_is_the_matrix_of_its_definition() {
        let words = 40;
        let pairs = [random_counts(words, 0.2, 1), random_counts(words, 0.3, 2)];
        let sums: Vec<_> = pairs.iter().map(|pairs| [pairs.left_sums(), pairs.right_sums()]).collect();
        for (context, blocks) in [
            (Context::Right(1), vec![(0, true)]),
            (Context::Both(1), vec![(0, false), (0, true)]),
            (Context::Both(2), vec![(0, false), (0, true), (1, false), (1, true)]),
        ] {
            let transform = Transform::Power(0.5);
            let config = SpectralConfig { context, kappa: 3.0, transform, ..SpectralConfig::paper() };
            let matrix = ContextMatrix::<f64>::new(&pairs, &config).unwrap();
            assert_eq!((matrix.nrows(), matrix.ncols()), (words, blocks.len() * words));
            let identity = |size| Panel::from_fn(size, size, |i, j| f64::from(u8::from(i == j)));
            let [mut forth, mut back] = [Panel::zeros(0, 0), Panel::zeros(0, 0)];
            matrix.apply(&identity(matrix.ncols()), &mut forth);
            matrix.apply_transpose(&identity(words), &mut back);
            for x in 0..words {
                let own = |&(d, after): &(usize, bool)| sums[d][usize::from(!after)][x] as f64;
                let count = blocks.iter().map(own).sum::<f64>() / blocks.len() as f64;
                for (at, &(d, after)) in blocks.iter().enumerate() {
                    for (y, &other) in sums[d][usize::from(after)].iter().enumerate() {
                        let joint = if after { pairs[d].get(x, y) } else { pairs[d].get(y, x) };
                        let scale = ((count + 3.0) * (other as f64 + 3.0)).powf(0.25);
                        let expected = (joint as f64).sqrt() / scale;
                        let column = at * words + y;
                        assert!((forth.row(x)[column] - expected).abs() < 1e-12, "{context}");
                        assert!((back.row(column)[x] - expected).abs() < 1e-12, "{context}");
                    }
                }
            }
        }
    }

    #[test]
    fn names_are_read_back() {
        for context in [Context::Right(1), Context::Both(1), Context::Both(12)] {
            assert_eq!(context.to_string().parse(), Ok(context));
        }
        for text in ["", "r", "lr0", "r-1", "l2", "lr2x"] {
            assert_eq!(text.parse::<Context>(), Err(ContextError), "{text}");
        }
    }
}

//! The cross moment of a variable with several others, block by block.
//!
//! ```text
//! Ω = diag(u)^{-1/2} [ B_1 … B_p ] diag(v)^{-1/2}
//! ```
//!
//! `B_i(x, y)` counts how often `y` occurs at the `i`-th of `p` positions relative to `x`: words around a word (Stratos et
//! al. 2014, section 6.1), heads and children of a node in a tree. All positions share one alphabet. `u(x)` is the mean count
//! of `x` over the positions and `v(i, y)` that of `y` at position `i`, both with κ added. Entries are counts rather than
//! frequencies, which leaves the singular vectors unchanged. With a [`CountTransform`] `f`, `f(B)`, `f(u)` and `f(v)`
//! take their places.
//!
//! What precedes `x` at distance `d` is the transpose of what follows it at distance `d`. One table per distance,
//! stored with its transpose, serves both positions and both products.

use std::ops::ControlFlow;

use linalg::{
    CsrMatrix, LinearOperator, Panel, RankPolicy, Scalar, SparseError, SparseOperator, Svd, SvdConfig,
    SvdError, truncated_svd_watched,
};
use rayon::prelude::*;

use crate::moments::CountTransform;

/// A square table of counts in compressed rows.
#[derive(Clone, Copy, Debug)]
pub struct SquareCounts<'a> {
    /// `offsets[x]..offsets[x + 1]` are the entries of row `x`.
    pub offsets: &'a [usize],
    /// The column of each entry.
    pub columns: &'a [u32],
    /// The count of each entry.
    pub counts: &'a [u64],
}

impl SquareCounts<'_> {
    fn size(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    /// Sums of rows and of columns.
    fn sums(&self) -> [Vec<u64>; 2] {
        let mut columns = vec![0; self.size()];
        let mut rows = Vec::with_capacity(self.size());
        for bounds in self.offsets.windows(2) {
            let entries = bounds[0]..bounds[1];
            rows.push(self.counts[entries.clone()].iter().sum());
            for (&column, count) in self.columns[entries.clone()].iter().zip(&self.counts[entries]) {
                columns[column as usize] += count;
            }
        }
        [rows, columns]
    }
}

/// One block of columns: a table, or its transpose.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Block {
    /// `B(x, y)` is the entry `(x, y)` of the table with this index.
    Counted(usize),
    /// `B(x, y)` is the entry `(y, x)` of the table with this index.
    Transposed(usize),
}

/// Ω as an operator.
#[derive(Debug)]
pub struct BlockMoment<T> {
    size: usize,
    /// The transformed counts, with their transposes.
    tables: Vec<SparseOperator<T>>,
    blocks: Vec<Block>,
    /// `u^{-1/2}`.
    rows: Vec<T>,
    /// `v^{-1/2}`, block by block.
    columns: Vec<T>,
}

impl<T: Scalar> BlockMoment<T> {
    /// From tables over one alphabet and the blocks made of them, with `pseudo_count` (κ) added to `u` and `v`.
    pub fn new(
        tables: &[SquareCounts<'_>],
        blocks: Vec<Block>,
        pseudo_count: f64,
        transform: CountTransform,
    ) -> Result<Self, SparseError> {
        let size = tables.first().map_or(0, SquareCounts::size);
        // A row or column without any count is 0 anyway.
        let factor = |count: f64| {
            let smoothed = transform.of(count + pseudo_count);
            T::from_f64(if smoothed > 0.0 { smoothed.sqrt().recip() } else { 0.0 })
        };
        let sums: Vec<[Vec<u64>; 2]> = tables.iter().map(SquareCounts::sums).collect();
        let mut totals = vec![0.0; size];
        let mut columns = Vec::with_capacity(size * blocks.len());
        for &block in &blocks {
            let (own, other) = match block {
                Block::Counted(table) => (&sums[table][0], &sums[table][1]),
                Block::Transposed(table) => (&sums[table][1], &sums[table][0]),
            };
            totals.iter_mut().zip(own).for_each(|(total, &count)| *total += count as f64);
            columns.extend(other.iter().map(|&count| factor(count as f64)));
        }
        let share = 1.0 / blocks.len().max(1) as f64;
        let rows = totals.into_iter().map(|total| factor(total * share)).collect();
        let tables = tables.iter().map(|table| {
            let values = table.counts.iter().map(|&count| T::from_f64(transform.of(count as f64))).collect();
            let (offsets, indices) = (table.offsets.to_vec(), table.columns.to_vec());
            CsrMatrix::from_raw_parts(size, size, offsets, indices, values).map(SparseOperator::new)
        });
        let tables = tables.collect::<Result<_, _>>()?;
        Ok(Self { size, tables, blocks, rows, columns })
    }

    /// The leading singular vectors, at most `rank` of them; `None` if Ω is 0. `watch` hears the number of products with
    /// vectors as they are done, and may stop the work.
    pub fn decompose(
        &self,
        rank: usize,
        tolerance: f64,
        watch: &mut dyn FnMut(usize) -> ControlFlow<()>,
    ) -> Result<Option<Svd<T>>, SvdError> {
        let config = SvdConfig { rank_policy: RankPolicy::AtMost, tolerance, ..SvdConfig::with_rank(rank) };
        match truncated_svd_watched(self, &config, watch) {
            Ok(svd) => Ok(Some(svd)),
            Err(SvdError::ZeroMatrix { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }
}

impl<T: Scalar> LinearOperator<T> for BlockMoment<T> {
    fn nrows(&self) -> usize {
        self.size
    }

    fn ncols(&self) -> usize {
        self.columns.len()
    }

    fn apply(&self, x: &Panel<T>, y: &mut Panel<T>) {
        let size = self.size * x.width();
        let (mut scaled, mut part) = (Panel::zeros(self.size, x.width()), Panel::zeros(0, 0));
        y.reshape(self.size, x.width());
        y.as_mut_slice().fill(T::default());
        for (at, &block) in self.blocks.iter().enumerate() {
            let factors = &self.columns[at * self.size..][..self.size];
            scale(scaled.as_mut_slice(), &x.as_slice()[at * size..][..size], factors);
            match block {
                Block::Counted(table) => self.tables[table].apply(&scaled, &mut part),
                Block::Transposed(table) => self.tables[table].apply_transpose(&scaled, &mut part),
            }
            add_scaled(y.as_mut_slice(), part.as_slice(), &self.rows);
        }
    }

    fn apply_transpose(&self, x: &Panel<T>, y: &mut Panel<T>) {
        let size = self.size * x.width();
        let (mut scaled, mut part) = (Panel::zeros(self.size, x.width()), Panel::zeros(0, 0));
        scale(scaled.as_mut_slice(), x.as_slice(), &self.rows);
        y.reshape(self.ncols(), x.width());
        for (at, &block) in self.blocks.iter().enumerate() {
            match block {
                Block::Counted(table) => self.tables[table].apply_transpose(&scaled, &mut part),
                Block::Transposed(table) => self.tables[table].apply(&scaled, &mut part),
            }
            let factors = &self.columns[at * self.size..][..self.size];
            scale(&mut y.as_mut_slice()[at * size..][..size], part.as_slice(), factors);
        }
    }
}

/// Rows of a panel per task.
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

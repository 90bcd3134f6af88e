//! How often each pair of ids occurred.
//!
//! Pairs are collected as they come, then bucketed by their left id in one counting sort; the pairs of a bucket
//! are summed in a dense array over the right ids. Compared with a hash table of pairs this touches memory in
//! order and never hashes; on ten million bigrams it was four to ten times as fast. The rows are summed apart from
//! each other, so threads share them out without changing the result.

use std::fmt::Debug;

use linalg::{CsrMatrix, Scalar};
use rayon::prelude::*;

use crate::error::{SpectralError, check_weights};
use crate::view::{FeatureDim, FeatureId};

mod sealed {
    pub trait Sealed {}
    impl Sealed for u64 {}
    impl Sealed for f64 {}
}

/// What a cell of a [`CountTable`] holds: `u64` for occurrences, `f64` for weighted ones.
///
/// Sums of `u64` saturate instead of overflowing, and do not depend on the order of their terms. Sums of `f64` share
/// that as long as the terms are whole numbers and the totals stay below 2⁵³.
pub trait CountWeight: Copy + Default + PartialEq + Debug + Send + Sync + sealed::Sealed + 'static {
    /// A single occurrence.
    const ONE: Self;
    /// The sum of two counts.
    fn plus(self, other: Self) -> Self;
    /// The count as a real number.
    fn to_f64(self) -> f64;
}

impl CountWeight for u64 {
    const ONE: Self = 1;

    fn plus(self, other: Self) -> Self {
        self.saturating_add(other)
    }

    fn to_f64(self) -> f64 {
        self as f64
    }
}

impl CountWeight for f64 {
    const ONE: Self = 1.0;

    fn plus(self, other: Self) -> Self {
        self + other
    }

    fn to_f64(self) -> f64 {
        self
    }
}

/// Rows that one task sums: few enough to share out, many enough to reuse the dense array.
const ROWS_PER_TASK: usize = 4096;

/// Pairs kept before they are folded into the table, which bounds the memory of a long stream (200 MB where every
/// pair counts one).
const PENDING_LIMIT: usize = 1 << 24;

/// A sparse table of counts, rows by left id.
#[derive(Clone, PartialEq, Debug)]
pub struct CountTable<W> {
    nrows: FeatureDim,
    ncols: FeatureDim,
    /// Row i holds cells `indptr[i]..indptr[i + 1]`.
    indptr: Vec<usize>,
    /// Strictly ascending within a row, below `ncols`.
    indices: Vec<u32>,
    counts: Vec<W>,
}

impl<W: CountWeight> CountTable<W> {
    /// A table in which nothing has been counted.
    pub fn empty(nrows: FeatureDim, ncols: FeatureDim) -> Self {
        let indptr = vec![0; nrows.size() + 1];
        CountTable { nrows, ncols, indptr, indices: Vec::new(), counts: Vec::new() }
    }

    /// The number of rows.
    pub fn nrows(&self) -> FeatureDim {
        self.nrows
    }

    /// The number of columns.
    pub fn ncols(&self) -> FeatureDim {
        self.ncols
    }

    /// The number of distinct pairs.
    pub fn cells(&self) -> usize {
        self.indices.len()
    }

    /// The count of a pair; zero if it never occurred or lies outside the table.
    pub fn get(&self, row: FeatureId, column: FeatureId) -> W {
        if !self.nrows.contains(row) {
            return W::default();
        }
        let range = self.indptr[row.index()]..self.indptr[row.index() + 1];
        match self.indices[range.clone()].binary_search(&column.raw()) {
            Ok(position) => self.counts[range.start + position],
            Err(_) => W::default(),
        }
    }

    /// The cells as (row, column, count), row by row, columns ascending.
    pub fn iter(&self) -> impl Iterator<Item = (usize, usize, W)> + '_ {
        (0..self.nrows.size()).flat_map(move |row| {
            let range = self.indptr[row]..self.indptr[row + 1];
            self.indices[range.clone()]
                .iter()
                .zip(&self.counts[range])
                .map(move |(&column, &count)| (row, column as usize, count))
        })
    }

    /// The sum of every row.
    pub fn row_sums(&self) -> Vec<f64> {
        self.indptr
            .windows(2)
            .map(|pair| self.counts[pair[0]..pair[1]].iter().map(|count| count.to_f64()).sum())
            .collect()
    }

    /// The sum of every column.
    pub fn column_sums(&self) -> Vec<f64> {
        let mut sums = vec![0.0; self.ncols.size()];
        for (&column, count) in self.indices.iter().zip(&self.counts) {
            sums[column as usize] += count.to_f64();
        }
        sums
    }

    /// The sum of all cells.
    pub fn total(&self) -> f64 {
        self.counts.iter().map(|count| count.to_f64()).sum()
    }

    /// The table of both shards together.
    pub fn merge(&self, other: &Self) -> Result<Self, SpectralError> {
        let attempt = "merge two count tables";
        for (what, expected, found) in [
            ("the number of rows of the second table", self.nrows, other.nrows),
            ("the number of columns of the second table", self.ncols, other.ncols),
        ] {
            if expected != found {
                let (expected, found) = (expected.size(), found.size());
                return Err(SpectralError::SizeMismatch { attempt, what, expected, found });
            }
        }
        let cells = self.cells() + other.cells();
        let mut merged = CountTable {
            nrows: self.nrows,
            ncols: self.ncols,
            indptr: Vec::with_capacity(self.indptr.len()),
            indices: Vec::with_capacity(cells),
            counts: Vec::with_capacity(cells),
        };
        merged.indptr.push(0);
        for row in 0..self.nrows.size() {
            let (mut i, end_i) = (self.indptr[row], self.indptr[row + 1]);
            let (mut j, end_j) = (other.indptr[row], other.indptr[row + 1]);
            while i < end_i || j < end_j {
                let left = if i < end_i { self.indices[i] } else { u32::MAX };
                let right = if j < end_j { other.indices[j] } else { u32::MAX };
                let mut count = W::default();
                if left <= right {
                    count = self.counts[i];
                    i += 1;
                }
                if right <= left {
                    // The default is zero, so this is an assignment where only the second table has the cell.
                    count = count.plus(other.counts[j]);
                    j += 1;
                }
                merged.indices.push(left.min(right));
                merged.counts.push(count);
            }
            merged.indptr.push(merged.indices.len());
        }
        Ok(merged)
    }

    /// Several tables with the same rows side by side, each with its own block of columns.
    ///
    /// This is how contexts at several positions (left and right neighbours, say) make one view.
    pub fn beside(blocks: &[&Self]) -> Result<Self, SpectralError> {
        let attempt = "put count tables side by side";
        let first = blocks.first().ok_or(SpectralError::Empty { attempt, missing: "tables" })?;
        let mut offsets = vec![0_usize];
        for block in blocks {
            if block.nrows != first.nrows {
                let (expected, found) = (first.nrows.size(), block.nrows.size());
                let what = "the number of rows of a table";
                return Err(SpectralError::SizeMismatch { attempt, what, expected, found });
            }
            offsets.push(offsets[offsets.len() - 1] + block.ncols.size());
        }
        let ncols = FeatureDim::new(offsets[blocks.len()]).ok_or(SpectralError::TooManyFeatures)?;
        let mut table = CountTable { ncols, indptr: vec![0], ..Self::empty(first.nrows, ncols) };
        for row in 0..first.nrows.size() {
            for (block, &offset) in blocks.iter().zip(&offsets) {
                let range = block.indptr[row]..block.indptr[row + 1];
                // No overflow: the sum is below `ncols`, which is 32-bit.
                table
                    .indices
                    .extend(block.indices[range.clone()].iter().map(|&column| column + offset as u32));
                table.counts.extend_from_slice(&block.counts[range]);
            }
            table.indptr.push(table.indices.len());
        }
        Ok(table)
    }

    /// The counts as a sparse matrix, each mapped by `value(row, column, count)`.
    pub(crate) fn to_csr_with<T: Scalar>(
        &self,
        value: impl Fn(usize, usize, f64) -> f64,
    ) -> Result<CsrMatrix<T>, SpectralError> {
        let values =
            self.iter().map(|(row, column, count)| T::from_f64(value(row, column, count.to_f64()))).collect();
        Ok(CsrMatrix::from_raw_parts(
            self.nrows.size(),
            self.ncols.size(),
            self.indptr.clone(),
            self.indices.clone(),
            values,
        )?)
    }

    /// The counts as a sparse matrix.
    pub fn to_csr<T: Scalar>(&self) -> Result<CsrMatrix<T>, SpectralError> {
        self.to_csr_with(|_, _, count| count)
    }
}

/// Counts pairs as they come.
///
/// ```
/// # use spectral::moments::CountTableBuilder;
/// # use spectral::view::{FeatureDim, FeatureId};
/// let id = |index| FeatureId::new(index).expect("small");
/// let dim = FeatureDim::new(3).expect("small");
/// let mut counts = CountTableBuilder::new(dim, dim);
/// for pair in [0, 2, 0, 2, 1].windows(2) {
///     counts.push(id(pair[0]), id(pair[1]), 1_u64)?;
/// }
/// let table = counts.finish()?;
/// assert_eq!((table.cells(), table.get(id(0), id(2)), table.total()), (3, 2, 4.0));
/// # Ok::<(), spectral::SpectralError>(())
/// ```
#[derive(Clone, Debug)]
pub struct CountTableBuilder<W> {
    table: CountTable<W>,
    pending: Vec<(u32, u32)>,
    /// One weight per pending pair, or none at all while every pair counts one.
    weights: Vec<W>,
    pending_limit: usize,
}

impl<W: CountWeight> CountTableBuilder<W> {
    /// Counts pairs of a row below `nrows` and a column below `ncols`.
    pub fn new(nrows: FeatureDim, ncols: FeatureDim) -> Self {
        CountTableBuilder {
            table: CountTable::empty(nrows, ncols),
            pending: Vec::new(),
            weights: Vec::new(),
            pending_limit: PENDING_LIMIT,
        }
    }

    /// Counts one pair `weight` times.
    #[inline]
    pub fn push(&mut self, row: FeatureId, column: FeatureId, weight: W) -> Result<(), SpectralError> {
        for (id, dim) in [(row, self.table.nrows), (column, self.table.ncols)] {
            if !dim.contains(id) {
                let attempt = "count a pair";
                return Err(SpectralError::OutOfRange { attempt, id: id.index(), dim: dim.size() });
            }
        }
        if !self.weights.is_empty() || weight != W::ONE {
            self.weights.resize(self.pending.len(), W::ONE);
            self.weights.push(weight);
        }
        self.pending.push((row.raw(), column.raw()));
        if self.pending.len() >= self.pending_limit {
            self.fold()?;
        }
        Ok(())
    }

    /// Closes the table. Weights must be finite and non-negative.
    pub fn finish(mut self) -> Result<CountTable<W>, SpectralError> {
        self.fold()?;
        Ok(self.table)
    }

    fn fold(&mut self) -> Result<(), SpectralError> {
        let weights = self.weights.iter().map(|weight| weight.to_f64());
        check_weights("count pairs", "the weight of pair", weights)?;
        let (nrows, ncols) = (self.table.nrows, self.table.ncols);
        let counted = if self.weights.is_empty() {
            sum_rows(by_row(&self.pending, nrows, |i| self.pending[i].1), nrows, ncols, |column| {
                (column, W::ONE)
            })
        } else {
            let cell = |i: usize| (self.pending[i].1, self.weights[i]);
            sum_rows(by_row(&self.pending, nrows, cell), nrows, ncols, |cell| cell)
        };
        self.pending.clear();
        self.weights.clear();
        self.table = if self.table.indices.is_empty() { counted } else { self.table.merge(&counted)? };
        Ok(())
    }
}

/// Pairs sorted by their row: row i holds entries `starts[i]..starts[i + 1]`, in the order they came.
struct ByRow<E> {
    starts: Vec<usize>,
    entries: Vec<E>,
}

fn by_row<E: Copy + Default>(
    pairs: &[(u32, u32)],
    nrows: FeatureDim,
    entry: impl Fn(usize) -> E,
) -> ByRow<E> {
    let mut starts = vec![0_usize; nrows.size() + 1];
    for pair in pairs {
        starts[pair.0 as usize + 1] += 1;
    }
    for row in 0..nrows.size() {
        starts[row + 1] += starts[row];
    }
    let mut next = starts.clone();
    let mut entries = vec![E::default(); pairs.len()];
    for (i, pair) in pairs.iter().enumerate() {
        let slot = &mut next[pair.0 as usize];
        entries[*slot] = entry(i);
        *slot += 1;
    }
    ByRow { starts, entries }
}

/// Sums the entries of every row by column.
fn sum_rows<E: Copy + Sync, W: CountWeight>(
    sorted: ByRow<E>,
    nrows: FeatureDim,
    ncols: FeatureDim,
    split: impl Fn(E) -> (u32, W) + Sync,
) -> CountTable<W> {
    let tasks = nrows.size().div_ceil(ROWS_PER_TASK);
    let parts: Vec<(Vec<usize>, Vec<u32>, Vec<W>)> = (0..tasks)
        .into_par_iter()
        .map(|task| {
            let rows = task * ROWS_PER_TASK..((task + 1) * ROWS_PER_TASK).min(nrows.size());
            let mut sums = vec![W::default(); ncols.size()];
            let mut seen = vec![false; ncols.size()];
            let mut touched: Vec<u32> = Vec::new();
            let mut part = (Vec::with_capacity(rows.len()), Vec::new(), Vec::new());
            for row in rows {
                for &entry in &sorted.entries[sorted.starts[row]..sorted.starts[row + 1]] {
                    let (column, weight) = split(entry);
                    let sum = &mut sums[column as usize];
                    *sum = sum.plus(weight);
                    if !seen[column as usize] {
                        seen[column as usize] = true;
                        touched.push(column);
                    }
                }
                touched.sort_unstable();
                part.0.push(touched.len());
                for &column in &touched {
                    part.1.push(column);
                    part.2.push(std::mem::take(&mut sums[column as usize]));
                    seen[column as usize] = false;
                }
                touched.clear();
            }
            part
        })
        .collect();
    let mut table = CountTable { indptr: vec![0], ..CountTable::empty(nrows, ncols) };
    for (lengths, indices, counts) in parts {
        for length in lengths {
            table.indptr.push(table.indptr[table.indptr.len() - 1] + length);
        }
        table.indices.extend(indices);
        table.counts.extend(counts);
    }
    table
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    fn id(index: usize) -> FeatureId {
        FeatureId::new(index).unwrap()
    }

    fn dim(size: usize) -> FeatureDim {
        FeatureDim::new(size).unwrap()
    }

    fn count(pairs: &[(usize, usize, u64)], pending_limit: usize) -> CountTable<u64> {
        let mut builder = CountTableBuilder { pending_limit, ..CountTableBuilder::new(dim(7), dim(5)) };
        for &(row, column, weight) in pairs {
            builder.push(id(row), id(column), weight).unwrap();
        }
        builder.finish().unwrap()
    }

    proptest! {
        #[test]
        fn prop_counting_agrees_with_a_map_whatever_the_shards(
            pairs in prop::collection::vec((0..7_usize, 0..5_usize, 0..4_u64), 0..200),
            cut in 0..200_usize,
            limit in 1..60_usize,
        ) {
            let whole = count(&pairs, usize::MAX);
            let mut map = BTreeMap::new();
            for &(row, column, weight) in &pairs {
                *map.entry((row, column)).or_insert(0) += weight;
            }
            let expected: Vec<_> = map.into_iter().map(|((row, column), count)| (row, column, count)).collect();
            prop_assert_eq!(whole.iter().collect::<Vec<_>>(), expected);
            prop_assert_eq!(&count(&pairs, limit), &whole);
            let (first, second) = pairs.split_at(cut.min(pairs.len()));
            let (first, second) = (count(first, limit), count(second, usize::MAX));
            prop_assert_eq!(&first.merge(&second).unwrap(), &whole);
            prop_assert_eq!(&second.merge(&first).unwrap(), &whole);
        }
    }

    #[test]
    fn sums_and_blocks() {
        let table = count(&[(0, 1, 2), (3, 1, 4), (3, 4, 1)], usize::MAX);
        assert_eq!(table.row_sums(), [2.0, 0.0, 0.0, 5.0, 0.0, 0.0, 0.0]);
        assert_eq!(table.column_sums(), [0.0, 6.0, 0.0, 0.0, 1.0]);
        let both = CountTable::beside(&[&table, &table]).unwrap();
        assert_eq!(both.ncols().size(), 10);
        assert_eq!((both.get(id(3), id(4)), both.get(id(3), id(9)), both.get(id(3), id(8))), (1, 1, 0));
        assert_eq!(both.column_sums()[5..], table.column_sums());
    }

    #[test]
    fn misuse_is_refused() {
        let mut builder = CountTableBuilder::new(dim(2), dim(2));
        assert!(matches!(
            builder.push(id(0), id(2), 1_u64),
            Err(SpectralError::OutOfRange { id: 2, dim: 2, .. })
        ));
        let other = CountTable::<u64>::empty(dim(2), dim(3));
        assert!(matches!(
            builder.finish().unwrap().merge(&other),
            Err(SpectralError::SizeMismatch { expected: 2, found: 3, .. })
        ));
        let mut builder = CountTableBuilder::new(dim(2), dim(2));
        builder.push(id(0), id(1), f64::NAN).unwrap();
        assert!(matches!(builder.finish(), Err(SpectralError::NonFinite { index: 0, .. })));
    }
}

//! Counting pairs of ids.
//!
//! Pairs are buffered, then bucketed by their left id in one counting sort. The pairs of a bucket are summed in a dense
//! array over the right ids. Compared with a hash table of pairs, this accesses memory in order and needs no hashing.
//! Rows are summed independently, so threads can share them without changing the result.

use rayon::prelude::*;

use super::count_table::CountTable;
use super::count_weight::CountWeight;
use crate::error::{SpectralError, check_weights};
use crate::view::{FeatureDim, FeatureId};

/// Rows per task: few enough to balance the load, many enough to reuse the dense array.
const ROWS_PER_TASK: usize = 4096;

/// Pairs buffered before they are added to the table. This bounds the memory for a long stream (200 MB if every pair
/// counts one).
const PENDING_LIMIT: usize = 1 << 24;

/// Counts a stream of pairs.
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

    /// Counts one pair `weight` times. A weight of zero adds nothing.
    #[inline]
    pub fn push(&mut self, row: FeatureId, column: FeatureId, weight: W) -> Result<(), SpectralError> {
        for (id, dim) in [(row, self.table.nrows), (column, self.table.ncols)] {
            if !dim.contains(id) {
                let attempt = "count a pair";
                return Err(SpectralError::OutOfRange { attempt, id: id.index(), dim: dim.size() });
            }
        }
        if weight == W::default() {
            return Ok(());
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

    /// Builds the table. Weights must be finite and non-negative.
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

/// Pairs sorted by row: row i has the entries `starts[i]..starts[i + 1]`, in input order.
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

/// The distinct columns of a row.
struct Touched {
    columns: Vec<u32>,
    /// One bit per column, all zero between rows.
    bits: Vec<u64>,
}

impl Touched {
    fn new(ncols: FeatureDim) -> Self {
        Touched { columns: Vec::new(), bits: vec![0; ncols.size().div_ceil(64)] }
    }

    /// Visits the columns in ascending order and clears them. Short rows are sorted; for long rows it is faster to mark
    /// the columns and scan all marks.
    fn drain_ascending(&mut self, mut visit: impl FnMut(u32)) {
        if self.columns.len() * 8 < self.bits.len() {
            self.columns.sort_unstable();
            self.columns.iter().for_each(|&column| visit(column));
        } else {
            for &column in &self.columns {
                self.bits[column as usize / 64] |= 1 << (column % 64);
            }
            for (word, bits) in self.bits.iter_mut().enumerate() {
                let mut left = std::mem::take(bits);
                while left != 0 {
                    visit((word * 64) as u32 + left.trailing_zeros());
                    left &= left - 1;
                }
            }
        }
        self.columns.clear();
    }
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
            let mut touched = Touched::new(ncols);
            let mut part = (Vec::with_capacity(rows.len()), Vec::new(), Vec::new());
            for row in rows {
                for &entry in &sorted.entries[sorted.starts[row]..sorted.starts[row + 1]] {
                    let (column, weight) = split(entry);
                    let sum = &mut sums[column as usize];
                    // Weights are positive, so a column is zero until its first entry.
                    if *sum == W::default() {
                        touched.columns.push(column);
                    }
                    *sum = sum.plus(weight);
                }
                part.0.push(touched.columns.len());
                touched.drain_ascending(|column| {
                    part.1.push(column);
                    part.2.push(std::mem::take(&mut sums[column as usize]));
                });
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

    /// Enough for several words of marks, so that both branches of [`Touched`] are used.
    const COLUMNS: usize = 1500;

    fn count(pairs: &[(usize, usize, u64)], pending_limit: usize) -> CountTable<u64> {
        let mut builder = CountTableBuilder { pending_limit, ..CountTableBuilder::new(dim(7), dim(COLUMNS)) };
        for &(row, column, weight) in pairs {
            builder.push(id(row), id(column), weight).unwrap();
        }
        builder.finish().unwrap()
    }

    proptest! {
        #[test]
        fn prop_counting_agrees_with_a_map_whatever_the_shards(
            pairs in prop::collection::vec((0..7_usize, 0..COLUMNS / 100, 0..4_u64), 0..200),
            cut in 0..200_usize,
            limit in 1..60_usize,
        ) {
            let pairs: Vec<_> =
                pairs.into_iter().map(|(row, column, weight)| (row, column * 99 % COLUMNS, weight)).collect();
            let whole = count(&pairs, usize::MAX);
            let mut map = BTreeMap::new();
            for &(row, column, weight) in pairs.iter().filter(|pair| pair.2 > 0) {
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
        assert_eq!(table.column_sums()[..5], [0.0, 6.0, 0.0, 0.0, 1.0]);
        let both = CountTable::beside(&[&table, &table]).unwrap();
        assert_eq!(both.ncols().size(), 2 * COLUMNS);
        assert_eq!([4, COLUMNS + 4, COLUMNS + 3].map(|column| both.get(id(3), id(column))), [1, 1, 0]);
        assert_eq!(both.column_sums()[COLUMNS..], table.column_sums());
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

//! A sparse table of counts, row by row.

use rayon::prelude::*;

use super::bucket::even_ranges;
use super::row_sum::{RowSum, Rows};

/// Number of tasks for computing rows, for an even load.
const TASKS: usize = 256;

/// Counts of word pairs: for each left word the right words in ascending order, with positive counts.
///
/// ```
/// use eigentree_corpus::cooccurrence::PairCounts;
/// let counts = PairCounts::from_pairs(3, vec![(0, 1), (2, 1), (0, 1)]);
/// assert_eq!(counts.row(0).collect::<Vec<_>>(), [(1, 2)]);
/// assert_eq!(counts.transposed().row(1).collect::<Vec<_>>(), [(0, 2), (2, 1)]);
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PairCounts {
    /// Row `a` is `offsets[a]..offsets[a + 1]`.
    offsets: Vec<usize>,
    right: Vec<u32>,
    count: Vec<u64>,
}

impl PairCounts {
    /// Creates an empty table over `words` words.
    pub fn empty(words: usize) -> Self {
        Self { offsets: vec![0; words + 1], right: Vec::new(), count: Vec::new() }
    }

    /// Counts `pairs` of words below `words`.
    ///
    /// # Panics
    /// If a word is not below `words`.
    pub fn from_pairs(words: usize, pairs: Vec<(u32, u32)>) -> Self {
        Self::from_counts(words, pairs.into_iter().map(|(left, right)| (left, right, 1)).collect())
    }

    /// Sums counts of pairs of words below `words`, given in any order.
    ///
    /// Pairs are bucketed by the left word and each bucket is sorted. Hashing the pairs was measured to be four times
    /// slower.
    ///
    /// # Panics
    /// If a word is not below `words`.
    pub fn from_counts(words: usize, entries: Vec<(u32, u32, u64)>) -> Self {
        let mut ends = vec![0usize; words + 1];
        for &(left, right, _) in &entries {
            assert!((right as usize) < words, "word {right} of {words}");
            ends[left as usize + 1] += 1;
        }
        for word in 0..words {
            ends[word + 1] += ends[word];
        }
        let mut place = ends.clone();
        let mut buckets = vec![(0u32, 0u64); entries.len()];
        for (left, right, count) in entries {
            let at = &mut place[left as usize];
            buckets[*at] = (right, count);
            *at += 1;
        }
        let mut counts =
            Self { offsets: Vec::with_capacity(words + 1), right: Vec::new(), count: Vec::new() };
        counts.offsets.push(0);
        for word in 0..words {
            let bucket = &mut buckets[ends[word]..ends[word + 1]];
            bucket.sort_unstable_by_key(|&(right, _)| right);
            counts.push_row(bucket.iter().copied());
        }
        counts
    }

    /// Adds a row for the next left word. Equal right words, which must be adjacent, are summed; zeros are dropped.
    fn push_row(&mut self, row: impl Iterator<Item = (u32, u64)>) {
        let start = self.right.len();
        for (right, count) in row.filter(|&(_, count)| count > 0) {
            if self.right.len() > start && self.right.last() == Some(&right) {
                let last = self.count.len() - 1;
                self.count[last] += count;
            } else {
                self.right.push(right);
                self.count.push(count);
            }
        }
        self.offsets.push(self.right.len());
    }

    /// Builds a table from its saved parts, if they are consistent.
    pub fn from_parts(offsets: Vec<usize>, right: Vec<u32>, count: Vec<u64>) -> Option<Self> {
        let words = offsets.len().checked_sub(1)?;
        let consistent = offsets[0] == 0
            && offsets.is_sorted()
            && offsets[words] == right.len()
            && right.len() == count.len()
            && offsets.windows(2).all(|row| right[row[0]..row[1]].is_sorted_by(|one, other| one < other))
            && right.iter().all(|&right| (right as usize) < words)
            && count.iter().all(|&count| count > 0);
        consistent.then_some(Self { offsets, right, count })
    }

    /// Start of each row, and the end of the last one.
    pub fn offsets(&self) -> &[usize] {
        &self.offsets
    }

    /// The right words of all rows, concatenated.
    pub fn right(&self) -> &[u32] {
        &self.right
    }

    /// The counts that belong to [`right`](Self::right).
    pub fn counts(&self) -> &[u64] {
        &self.count
    }

    /// Number of words on either side.
    pub fn words(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    /// Number of distinct pairs.
    pub fn len(&self) -> usize {
        self.right.len()
    }

    /// Whether there are no pairs.
    pub fn is_empty(&self) -> bool {
        self.right.is_empty()
    }

    /// The right words of `left` with their counts.
    pub fn row(&self, left: usize) -> impl ExactSizeIterator<Item = (u32, u64)> + '_ {
        let range = self.offsets[left]..self.offsets[left + 1];
        self.right[range.clone()].iter().copied().zip(self.count[range].iter().copied())
    }

    /// All pairs, in order.
    pub fn iter(&self) -> impl Iterator<Item = (u32, u32, u64)> + '_ {
        (0..self.words())
            .flat_map(move |left| self.row(left).map(move |(right, count)| (left as u32, right, count)))
    }

    /// The sum of all counts.
    pub fn total(&self) -> u64 {
        self.count.iter().sum()
    }

    /// For each word, its count as the left word.
    pub fn left_sums(&self) -> Vec<u64> {
        self.offsets.windows(2).map(|row| self.count[row[0]..row[1]].iter().sum()).collect()
    }

    /// For each word, its count as the right word.
    pub fn right_sums(&self) -> Vec<u64> {
        let mut sums = vec![0; self.words()];
        for (&right, &count) in self.right.iter().zip(&self.count) {
            sums[right as usize] += count;
        }
        sums
    }

    /// The same counts with left and right swapped.
    pub fn transposed(&self) -> Self {
        let words = self.words();
        let mut offsets = vec![0usize; words + 1];
        for &right in &self.right {
            offsets[right as usize + 1] += 1;
        }
        for word in 0..words {
            offsets[word + 1] += offsets[word];
        }
        let mut place = offsets.clone();
        let mut right = vec![0u32; self.len()];
        let mut count = vec![0u64; self.len()];
        for (from, to, n) in self.iter() {
            let at = &mut place[to as usize];
            right[*at] = from;
            count[*at] = n;
            *at += 1;
        }
        Self { offsets, right, count }
    }

    /// Count of `right` after `left`.
    pub fn get(&self, left: usize, right: usize) -> u64 {
        let range = self.offsets[left]..self.offsets[left + 1];
        let found = self.right[range.clone()].binary_search_by(|&column| (column as usize).cmp(&right));
        found.map_or(0, |at| self.count[range.start + at])
    }

    /// Renames each word `w` to `names[w]`, below `words`. Words with the same new name are summed.
    ///
    /// # Panics
    /// If `names` does not have exactly one entry per word, or has an entry that is not below `words`.
    pub fn renamed(&self, names: &[u32], words: usize) -> Self {
        Self::sum_of(&[(self, names)], words)
    }

    /// The sum of both tables, over the larger number of words.
    pub fn sum(&self, other: &Self) -> Self {
        let words = self.words().max(other.words());
        let same: Vec<u32> = (0..words as u32).collect();
        Self::sum_of(&[(self, &same[..self.words()]), (other, &same[..other.words()])], words)
    }

    /// The sum of tables over `words` words, each with its words renamed.
    ///
    /// # Panics
    /// If a table has not exactly one name per word, or a name that is not below `words`.
    pub(super) fn sum_of(tables: &[(&Self, &[u32])], words: usize) -> Self {
        // The old rows that form each new one, `sources[starts[new]..starts[new + 1]]`, and their number of entries.
        let mut starts = vec![0usize; words + 1];
        let mut entries = vec![0usize; words + 1];
        for (table, names) in tables {
            assert_eq!(names.len(), table.words(), "one name for each word");
            for (row, &name) in table.offsets.windows(2).zip(*names) {
                starts[name as usize + 1] += 1;
                entries[name as usize + 1] += row[1] - row[0];
            }
        }
        for word in 0..words {
            starts[word + 1] += starts[word];
            entries[word + 1] += entries[word];
        }
        let mut place = starts.clone();
        let mut sources = vec![(0u32, 0u32); starts[words]];
        for (index, (_, names)) in tables.iter().enumerate() {
            for (row, &name) in names.iter().enumerate() {
                let at = &mut place[name as usize];
                sources[*at] = (index as u32, row as u32);
                *at += 1;
            }
        }
        let rows: Vec<Rows> = even_ranges(&entries, TASKS)
            .into_par_iter()
            .map_init(
                || RowSum::<u64>::new(words),
                |sum, range| {
                    let mut rows = Rows::default();
                    for word in range {
                        for &(index, row) in &sources[starts[word]..starts[word + 1]] {
                            let (table, names) = tables[index as usize];
                            for (right, count) in table.row(row as usize) {
                                sum.add(names[right as usize], count);
                            }
                        }
                        sum.finish_row(&mut rows);
                    }
                    rows
                },
            )
            .collect();
        Self::from_rows(words, rows)
    }

    /// Builds a table from all rows, concatenated.
    pub(super) fn from_rows(words: usize, parts: Vec<Rows>) -> Self {
        let entries = parts.iter().map(|rows| rows.right.len()).sum();
        let mut table = Self {
            offsets: Vec::with_capacity(words + 1),
            right: Vec::with_capacity(entries),
            count: Vec::with_capacity(entries),
        };
        table.offsets.push(0);
        let mut end = 0;
        // Each part is freed as soon as it is copied.
        for rows in parts {
            for length in &rows.lengths {
                end += *length as usize;
                table.offsets.push(end);
            }
            table.right.extend_from_slice(&rows.right);
            table.count.extend_from_slice(&rows.count);
        }
        table.offsets.resize(words + 1, end);
        table
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn table() -> PairCounts {
        PairCounts::from_counts(4, vec![(3, 0, 2), (0, 3, 1), (3, 0, 5), (0, 1, 4), (2, 2, 0)])
    }

    #[test]
    fn counts_are_those_of_a_map() {
        let mut map = BTreeMap::new();
        let mut pairs = Vec::new();
        let mut state = 7u32;
        for _ in 0..5000 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let pair = ((state >> 8) % 20, (state >> 20) % 20);
            *map.entry(pair).or_insert(0u64) += 1;
            pairs.push(pair);
        }
        let counts = PairCounts::from_pairs(20, pairs);
        let expected: Vec<_> = map.into_iter().map(|((a, b), n)| (a, b, n)).collect();
        assert_eq!(counts.iter().collect::<Vec<_>>(), expected);
        assert_eq!(counts.total(), 5000);
        assert_eq!(counts.transposed().transposed(), counts);
        assert_eq!(counts.transposed().left_sums(), counts.right_sums());
    }

    #[test]
    fn equal_pairs_are_added_up_and_zeros_left_out() {
        assert_eq!(table().iter().collect::<Vec<_>>(), [(0, 1, 4), (0, 3, 1), (3, 0, 7)]);
        assert_eq!(table().sum(&table()).total(), 24);
        assert_eq!(
            table().renamed(&[0, 0, 1, 1], 2).iter().collect::<Vec<_>>(),
            [(0, 0, 4), (0, 1, 1), (1, 0, 7)]
        );
    }

    #[test]
    fn only_consistent_parts_are_taken() {
        let table = table();
        let parts = || (table.offsets.clone(), table.right.clone(), table.count.clone());
        let (offsets, right, count) = parts();
        assert_eq!(PairCounts::from_parts(offsets, right, count), Some(table.clone()));
        let (offsets, mut right, count) = parts();
        right[0] = 4;
        assert_eq!(PairCounts::from_parts(offsets, right, count), None);
        let (mut offsets, right, count) = parts();
        offsets[1] = 3;
        assert_eq!(PairCounts::from_parts(offsets, right, count), None);
    }
}

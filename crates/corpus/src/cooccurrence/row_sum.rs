//! Sums over one row of a table, in column order.

/// Rows shorter than this are sorted, which is cheaper than using the dense row.
const SHORT: usize = 24;

/// A number type for sums: the smaller, the more of a row stays in the cache.
pub(super) trait Sum: Copy + Default + PartialEq + std::ops::AddAssign + Into<u64> {
    const ONE: Self;
}

impl Sum for u32 {
    const ONE: Self = 1;
}

impl Sum for u64 {
    const ONE: Self = 1;
}

/// Sums counts by column. The dense row is cleared while it is read, so the cost of a row is proportional to its
/// entries.
pub(super) struct RowSum<C> {
    dense: Vec<C>,
    /// One bit per column with a count.
    marks: Vec<u64>,
    touched: Vec<u32>,
    short: Vec<u32>,
}

/// Concatenated rows.
#[derive(Default)]
pub(super) struct Rows {
    pub(super) lengths: Vec<u32>,
    pub(super) right: Vec<u32>,
    pub(super) count: Vec<u64>,
}

impl<C: Sum> RowSum<C> {
    pub(super) fn new(columns: usize) -> Self {
        Self {
            dense: vec![C::default(); columns],
            marks: vec![0; columns.div_ceil(64)],
            touched: Vec::new(),
            short: Vec::new(),
        }
    }

    /// Counts each column in `columns`; columns beyond the row are ignored.
    pub(super) fn count_row(&mut self, length: usize, columns: impl Iterator<Item = u32>, rows: &mut Rows) {
        let width = self.dense.len();
        if length >= SHORT {
            for column in columns {
                if (column as usize) < width {
                    self.add(column, C::ONE);
                }
            }
            self.finish_row(rows);
            return;
        }
        self.short.clear();
        self.short.extend(columns.filter(|&column| (column as usize) < width));
        self.short.sort_unstable();
        let start = rows.right.len();
        for &column in &self.short {
            if rows.right.len() > start && rows.right.last() == Some(&column) {
                let last = rows.count.len() - 1;
                rows.count[last] += 1;
            } else {
                rows.right.push(column);
                rows.count.push(1);
            }
        }
        rows.lengths.push((rows.right.len() - start) as u32);
    }

    /// Adds to the current row.
    #[inline]
    pub(super) fn add(&mut self, column: u32, count: C) {
        let sum = &mut self.dense[column as usize];
        if *sum == C::default() {
            self.touched.push(column);
        }
        *sum += count;
    }

    /// Ends the row.
    pub(super) fn finish_row(&mut self, rows: &mut Rows) {
        let start = rows.right.len();
        // Sorting costs about ten steps per column, scanning the marks one step per 64 columns, touched or not.
        if self.touched.len() * 8 > self.marks.len() {
            for &column in &self.touched {
                self.marks[column as usize / 64] |= 1 << (column % 64);
            }
            for (block, mark) in self.marks.iter_mut().enumerate() {
                let mut bits = std::mem::take(mark);
                while bits != 0 {
                    rows.right.push(block as u32 * 64 + bits.trailing_zeros());
                    bits &= bits - 1;
                }
            }
        } else {
            self.touched.sort_unstable();
            rows.right.extend_from_slice(&self.touched);
        }
        self.touched.clear();
        for &column in &rows.right[start..] {
            rows.count.push(std::mem::take(&mut self.dense[column as usize]).into());
        }
        rows.lengths.push((rows.right.len() - start) as u32);
    }
}

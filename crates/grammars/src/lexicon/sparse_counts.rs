//! Sparse tables of counts.

/// For each row its non-zero columns, ascending, with their counts.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct SparseCounts {
    pub(super) starts: Vec<u32>,
    pub(super) columns: Vec<u32>,
    pub(super) counts: Vec<u32>,
}

impl SparseCounts {
    /// Builds a table from entries sorted by row and column; counts of equal positions are added.
    pub(super) fn from_sorted(rows: usize, entries: impl Iterator<Item = (usize, usize, u64)>) -> Self {
        let mut table = Self { starts: vec![0; rows + 1], ..Self::default() };
        let mut last = None;
        for (row, column, count) in entries {
            let count = u32::try_from(count).unwrap_or(u32::MAX);
            if last == Some((row, column)) {
                if let Some(sum) = table.counts.last_mut() {
                    *sum = sum.saturating_add(count);
                }
            } else {
                table.columns.push(column as u32);
                table.counts.push(count);
                table.starts[row + 1] = table.columns.len() as u32;
                last = Some((row, column));
            }
        }
        for row in 0..rows {
            table.starts[row + 1] = table.starts[row + 1].max(table.starts[row]);
        }
        table
    }

    pub(super) fn row(&self, row: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let range = self.starts[row] as usize..self.starts[row + 1] as usize;
        self.columns[range.clone()].iter().zip(&self.counts[range]).map(|(&c, &n)| (c as usize, f64::from(n)))
    }
}

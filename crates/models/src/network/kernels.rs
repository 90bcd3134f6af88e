//! Products of small dense matrices.
//!
//! On x86-64 with AVX2 the same Rust code is compiled a second time with that feature enabled and selected at run time. Sums
//! are taken in the same order and nothing is fused, so both give the same bits.

/// Number of columns that are computed together.
pub const PANEL: usize = 16;
/// Number of rows that are computed together.
const BLOCK: usize = 4;

/// A matrix as right factor: panels of [`PANEL`] columns one after another, each row by row. Missing columns of the last
/// panel are 0.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Packed {
    rows: usize,
    columns: usize,
    panels: Vec<[f32; PANEL]>,
}

impl Packed {
    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Packs a matrix that is given row by row.
    pub fn of(values: &[f32], columns: usize) -> Self {
        let mut packed = Self::default();
        packed.pack(values, columns);
        packed
    }

    /// The same, reusing the memory.
    pub fn pack(&mut self, values: &[f32], columns: usize) {
        self.rows = values.len() / columns;
        self.columns = columns;
        self.panels.clear();
        for first in (0..columns).step_by(PANEL) {
            let width = PANEL.min(columns - first);
            self.panels.extend(values.chunks_exact(columns).map(|row| {
                let mut panel = [0.0; PANEL];
                panel[..width].copy_from_slice(&row[first..first + width]);
                panel
            }));
        }
    }

    /// Packs the transposed matrix.
    pub fn pack_transposed(&mut self, values: &[f32], columns: usize) {
        let rows = values.len() / columns;
        self.rows = columns;
        self.columns = rows;
        self.panels.clear();
        for first in (0..rows).step_by(PANEL) {
            let width = PANEL.min(rows - first);
            self.panels.extend((0..columns).map(|column| {
                let mut panel = [0.0; PANEL];
                for (at, cell) in panel[..width].iter_mut().enumerate() {
                    *cell = values[(first + at) * columns + column];
                }
                panel
            }));
        }
    }

    /// `sums += left · self`, where both are given row by row.
    pub fn multiply(&self, left: &[f32], sums: &mut [f32]) {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the feature was detected.
            return unsafe { self.multiply_avx2(left, sums) };
        }
        self.multiply_portably(left, sums);
    }

    /// The same with AVX2.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn multiply_avx2(&self, left: &[f32], sums: &mut [f32]) {
        self.multiply_portably(left, sums);
    }

    #[inline(always)]
    fn multiply_portably(&self, left: &[f32], sums: &mut [f32]) {
        let (inner, columns) = (self.rows, self.columns);
        if inner == 0 || columns == 0 {
            return;
        }
        for (panel, first) in self.panels.chunks_exact(inner).zip((0..).step_by(PANEL)) {
            let width = PANEL.min(columns - first);
            let mut rows = left.chunks_exact(BLOCK * inner);
            let mut targets = sums.chunks_exact_mut(BLOCK * columns);
            for (rows, targets) in rows.by_ref().zip(targets.by_ref()) {
                let block = products::<BLOCK>(rows, panel);
                for (sums, target) in block.iter().zip(targets.chunks_exact_mut(columns)) {
                    add(&mut target[first..first + width], sums);
                }
            }
            let rest = rows.remainder().chunks_exact(inner);
            for (row, target) in rest.zip(targets.into_remainder().chunks_exact_mut(columns)) {
                let [sums] = products::<1>(row, panel);
                add(&mut target[first..first + width], &sums);
            }
        }
    }
}

/// Products of some rows with a panel.
#[inline(always)]
fn products<const ROWS: usize>(rows: &[f32], panel: &[[f32; PANEL]]) -> [[f32; PANEL]; ROWS] {
    let inner = panel.len();
    let rows: [&[f32]; ROWS] = std::array::from_fn(|row| &rows[row * inner..][..inner]);
    let mut sums = [[0.0; PANEL]; ROWS];
    for (at, cells) in panel.iter().enumerate() {
        for (sums, row) in sums.iter_mut().zip(rows) {
            let factor = row[at];
            for (sum, cell) in sums.iter_mut().zip(cells) {
                *sum += factor * cell;
            }
        }
    }
    sums
}

/// `sums += values`, as far as both go.
#[inline(always)]
pub fn add(sums: &mut [f32], values: &[f32]) {
    for (sum, value) in sums.iter_mut().zip(values) {
        *sum += value;
    }
}

/// The transposed matrix, row by row.
pub fn transpose(values: &[f32], columns: usize, transposed: &mut Vec<f32>) {
    let rows = values.len() / columns;
    transposed.clear();
    transposed.resize(values.len(), 0.0);
    for (row, cells) in values.chunks_exact(columns).enumerate() {
        for (column, &cell) in cells.iter().enumerate() {
            transposed[column * rows + row] = cell;
        }
    }
}

/// Sets a vector to this many zeros.
pub fn zeros(values: &mut Vec<f32>, length: usize) {
    values.clear();
    values.resize(length, 0.0);
}

/// The sum of products.
#[inline(always)]
pub fn dot(one: &[f32], other: &[f32]) -> f32 {
    let mut sums = [0.0_f32; PANEL];
    let (chunks, rest) = one.as_chunks::<PANEL>();
    let (others, other_rest) = other.as_chunks::<PANEL>();
    for (left, right) in chunks.iter().zip(others) {
        for (sum, (left, right)) in sums.iter_mut().zip(left.iter().zip(right)) {
            *sum += left * right;
        }
    }
    for (sum, (left, right)) in sums.iter_mut().zip(rest.iter().zip(other_rest)) {
        *sum += left * right;
    }
    sums.iter().sum()
}

/// The exponential of a number that is not above 0, within two units in the last place; 0 below −87. Unlike that of the
/// standard library it has the same bits on all platforms, and it can be vectorised: e^x = 2^k e^r with |r| ≤ ln 2 / 2.
#[inline]
pub fn exp(x: f32) -> f32 {
    const LOG2_E: f32 = std::f32::consts::LOG2_E;
    // ln 2 in two parts, of which the first has few bits, so that its products with whole numbers are exact.
    const LN_2: [f32; 2] = [0.693_359_4, -2.121_944_4e-4];
    const TERMS: [f32; 5] = [1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5];
    if x < -87.0 {
        return 0.0;
    }
    let power = (x * LOG2_E).round();
    let rest = x - power * LN_2[0] - power * LN_2[1];
    let tail = TERMS.iter().skip(1).fold(TERMS[0], |sum, term| sum * rest + term);
    let value = tail * rest * rest + rest + 1.0;
    value * f32::from_bits(((power as i32 + 127) as u32) << 23)
}

/// Turns scores into probabilities.
#[inline(always)]
pub fn softmax(scores: &mut [f32]) {
    let best = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    scores.iter_mut().for_each(|score| *score = exp(*score - best));
    let sum: f32 = scores.iter().sum();
    scores.iter_mut().for_each(|score| *score /= sum);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix(rows: usize, columns: usize, factor: usize) -> Vec<f32> {
        (0..rows * columns).map(|at| (at * factor % 17) as f32 - 8.0).collect()
    }

    #[test]
    fn exponentials_are_close_to_those_of_the_standard_library() {
        for step in 0..870_000 {
            let x = -(step as f32) / 10_000.0;
            let (own, expected) = (f64::from(exp(x)), f64::from(x).exp());
            assert!((own - expected).abs() <= 2.5e-7 * expected, "{x}: {own} {expected}");
        }
        assert_eq!(exp(0.0), 1.0);
        assert_eq!(exp(-100.0), 0.0);
        assert_eq!(exp(f32::NEG_INFINITY), 0.0);
    }

    #[test]
    fn probabilities_sum_to_one() {
        let mut scores = [3.0, -2.0, 3.0, -500.0];
        softmax(&mut scores);
        assert!((scores.iter().sum::<f32>() - 1.0).abs() < 1e-6);
        assert!(scores[0] == scores[2] && scores[1] < 0.01 && scores[3] == 0.0);
    }

    #[test]
    fn products_are_those_of_rows_and_columns() {
        for (rows, inner, columns) in [(1, 1, 1), (4, 3, 8), (7, 5, 19), (9, 16, 24)] {
            let (left, right) = (matrix(rows, inner, 5), matrix(inner, columns, 7));
            let mut expected = vec![1.0; rows * columns];
            for row in 0..rows {
                for column in 0..columns {
                    for at in 0..inner {
                        expected[row * columns + column] +=
                            left[row * inner + at] * right[at * columns + column];
                    }
                }
            }
            let mut packed = Packed::default();
            packed.pack(&right, columns);
            let mut sums = vec![1.0; rows * columns];
            packed.multiply(&left, &mut sums);
            assert_eq!(sums, expected);
            let mut sums = vec![1.0; rows * columns];
            packed.multiply_portably(&left, &mut sums);
            assert_eq!(sums, expected);
            let mut transposed = Vec::new();
            transpose(&right, columns, &mut transposed);
            packed.pack_transposed(&transposed, inner);
            let mut sums = vec![1.0; rows * columns];
            packed.multiply(&left, &mut sums);
            assert_eq!(sums, expected);
        }
    }
}

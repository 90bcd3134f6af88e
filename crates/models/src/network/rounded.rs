//! Products of rounded matrices.
//!
//! A learnt matrix is rounded to 16 bits, column by column, and the numbers it multiplies are rounded row by row. Products
//! are added up as whole numbers in 32 bits, which no sum leaves: the bounds of both are chosen so. The sums are therefore
//! the same in any order and on any processor; on x86-64 one instruction takes sixteen products (AVX2), or takes 32 and adds them
//! up (AVX-512 with VNNI).

use super::kernels::PANEL;

/// Numbers of rows are rounded to this many steps on either side of 0.
const MOST: f32 = 4095.0;
/// The weights of a column are at most this many steps on either side of 0, and together, so that `MOST · MOST_TOGETHER`
/// leaves room for rounding in 32 bits.
const MOST_ALONE: f32 = 32_767.0;
const MOST_TOGETHER: f32 = 500_000.0;
/// Numbers that are all smaller than this are 0, and so are columns with smaller steps: the number of steps could not be told.
const LEAST: f32 = 1e-30;
/// Number of rows that are computed together.
const BLOCK: usize = 4;

/// Two weights of each column of a panel.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Cells([[i16; 2]; PANEL]);

/// A matrix as right factor: panels of [`PANEL`] columns one after another, each by pairs of rows. What is missing of the
/// last panel and of the last pair is 0.
#[derive(Clone, Default, Debug)]
pub struct Rounded {
    columns: usize,
    /// Pairs of rows.
    pairs: usize,
    panels: Vec<Cells>,
    /// The value of one step of each column.
    steps: Vec<f32>,
}

/// Rows of rounded numbers, as left factor.
#[derive(Clone, Default, Debug)]
pub struct Rows {
    /// One more than there are, as rows of odd length are read in pairs.
    values: Vec<i16>,
    /// From one row to the next. Rows may overlap.
    stride: usize,
    /// The value of one step of each row.
    steps: Vec<f32>,
}

impl Rows {
    /// Rounds rows of this width, each for itself.
    pub fn round(&mut self, numbers: &[f32], width: usize) {
        self.stride = width;
        self.steps.clear();
        self.values.clear();
        for row in numbers.chunks_exact(width) {
            let step = round(row, &mut self.values);
            self.steps.push(step);
        }
        self.values.push(0);
    }

    /// Rounds rows of this width, of which each is seen with as many before and after it; beyond the ends they are 0.
    pub fn round_windows(&mut self, numbers: &[f32], width: usize, reach: usize) {
        self.stride = width;
        self.values.clear();
        self.values.resize(reach * width, 0);
        let step = round(numbers, &mut self.values);
        self.values.resize(self.values.len() + reach * width + 1, 0);
        self.steps.clear();
        self.steps.resize(numbers.len() / width, step);
    }

    /// The row with this number, in pairs.
    #[inline(always)]
    fn row(&self, number: usize, pairs: usize) -> &[[i16; 2]] {
        self.values[number * self.stride..][..2 * pairs].as_chunks().0
    }
}

/// Adds rounded numbers to `rounded`; returns the value of a step.
fn round(numbers: &[f32], rounded: &mut Vec<i16>) -> f32 {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
        // SAFETY: the feature was detected.
        return unsafe { round_avx2(numbers, rounded) };
    }
    round_portably(numbers, rounded)
}

/// The same with AVX2.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn round_avx2(numbers: &[f32], rounded: &mut Vec<i16>) -> f32 {
    round_portably(numbers, rounded)
}

#[inline(always)]
fn round_portably(numbers: &[f32], rounded: &mut Vec<i16>) -> f32 {
    // Numbers that are not negative are in the order of their bits.
    let most = numbers.iter().fold(0, |most, number| number.abs().to_bits().max(most));
    let most = f32::from_bits(most);
    let (step, steps) = if most > LEAST { (most / MOST, MOST / most) } else { (1.0, 1.0) };
    // A sum this large has no digits after the point, and the whole number in its last bits.
    const LARGE: f32 = 12_582_912.0;
    let whole = |number: &f32| (number * steps + LARGE).to_bits().wrapping_sub(LARGE.to_bits()) as i16;
    rounded.extend(numbers.iter().map(whole));
    step
}

impl Rounded {
    /// Rounds a matrix that is given row by row.
    pub fn of(values: &[f32], columns: usize) -> Self {
        let rows = values.len() / columns;
        let pairs = rows.div_ceil(2);
        let steps: Vec<f32> = (0..columns)
            .map(|column| {
                let weights = values.iter().skip(column).step_by(columns).map(|value| value.abs());
                let (most, sum) =
                    weights.fold((0.0_f32, 0.0_f32), |(most, sum), value| (most.max(value), sum + value));
                let step = (most / MOST_ALONE).max(sum / MOST_TOGETHER);
                if step > LEAST { step } else { 1.0 }
            })
            .collect();
        let mut panels = Vec::with_capacity(pairs * columns.div_ceil(PANEL));
        for first in (0..columns).step_by(PANEL) {
            for pair in 0..pairs {
                let mut cells = Cells([[0; 2]; PANEL]);
                for (column, cell) in (first..columns).zip(&mut cells.0) {
                    for (row, weight) in (2 * pair..rows).zip(cell) {
                        *weight = (values[row * columns + column] / steps[column]).round() as i16;
                    }
                }
                panels.push(cells);
            }
        }
        Self { columns, pairs, panels, steps }
    }

    /// `sums += factor · rows · self`, where the sums are given row by row.
    pub fn multiply(&self, rows: &Rows, factor: f32, sums: &mut [f32]) {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vnni") {
            // SAFETY: the features were detected.
            return unsafe { self.multiply_avx512(rows, factor, sums) };
        } else if is_x86_feature_detected!("avx2") {
            // SAFETY: the feature was detected.
            return unsafe { self.multiply_avx2(rows, factor, sums) };
        }
        self.multiply_by::<Portable>(rows, factor, sums);
    }

    /// The same with AVX2.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn multiply_avx2(&self, rows: &Rows, factor: f32, sums: &mut [f32]) {
        self.multiply_by::<avx2::Avx2>(rows, factor, sums);
    }

    /// The same with AVX-512 and VNNI.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f,avx512vnni")]
    fn multiply_avx512(&self, rows: &Rows, factor: f32, sums: &mut [f32]) {
        self.multiply_by::<avx512::Avx512>(rows, factor, sums);
    }

    #[inline(always)]
    fn multiply_by<P: Products>(&self, rows: &Rows, factor: f32, sums: &mut [f32]) {
        let Self { columns, pairs, .. } = *self;
        if pairs == 0 || columns == 0 {
            return;
        }
        let count = rows.steps.len().min(sums.len() / columns);
        let panels = self.panels.chunks_exact(pairs).zip(self.steps.chunks(PANEL));
        for ((panel, steps), first) in panels.zip((0..).step_by(PANEL)) {
            let mut add = |from: usize, block: &[[i32; PANEL]]| {
                for (products, row) in block.iter().zip(from..) {
                    let by = rows.steps[row] * factor;
                    let target = &mut sums[row * columns + first..][..steps.len()];
                    for ((sum, &product), step) in target.iter_mut().zip(products).zip(steps) {
                        *sum += product as f32 * (step * by);
                    }
                }
            };
            let mut row = 0;
            while row < count {
                let (block, from) = (BLOCK.min(count - row), row);
                let row_at = |at: usize| rows.row(from + at, pairs);
                match block {
                    1 => add(from, &P::of([row_at(0)], panel)),
                    2 => add(from, &P::of([row_at(0), row_at(1)], panel)),
                    3 => add(from, &P::of([row_at(0), row_at(1), row_at(2)], panel)),
                    _ => add(from, &P::of::<BLOCK>(std::array::from_fn(row_at), panel)),
                }
                row += block;
            }
        }
    }
}

/// Products of some rows with a panel. All rows have as many pairs as the panel.
trait Products {
    fn of<const ROWS: usize>(rows: [&[[i16; 2]]; ROWS], panel: &[Cells]) -> [[i32; PANEL]; ROWS];
}

/// On any processor.
struct Portable;

impl Products for Portable {
    #[inline(always)]
    fn of<const ROWS: usize>(rows: [&[[i16; 2]]; ROWS], panel: &[Cells]) -> [[i32; PANEL]; ROWS] {
        let mut sums = [[0; PANEL]; ROWS];
        for (sums, row) in sums.iter_mut().zip(rows) {
            for (pair, cells) in row.iter().zip(panel) {
                let [one, other] = pair.map(i32::from);
                for (sum, cell) in sums.iter_mut().zip(&cells.0) {
                    *sum += one * i32::from(cell[0]) + other * i32::from(cell[1]);
                }
            }
        }
        sums
    }
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::{
        __m256i, _mm256_add_epi32, _mm256_loadu_si256, _mm256_madd_epi16, _mm256_set1_epi32,
        _mm256_setzero_si256, _mm256_storeu_si256,
    };

    use super::super::kernels::PANEL;
    use super::{Cells, Products};

    /// With AVX2; to be used only behind its detection.
    pub(super) struct Avx2;

    impl Products for Avx2 {
        #[inline(always)]
        fn of<const ROWS: usize>(rows: [&[[i16; 2]]; ROWS], panel: &[Cells]) -> [[i32; PANEL]; ROWS] {
            // SAFETY: only `multiply_avx2` uses the type, which is called after the feature was detected.
            unsafe { products(rows, panel) }
        }
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn products<const ROWS: usize>(rows: [&[[i16; 2]]; ROWS], panel: &[Cells]) -> [[i32; PANEL]; ROWS] {
        let rows = rows.map(|row| &row[..panel.len()]);
        let mut sums = [[_mm256_setzero_si256(); 2]; ROWS];
        for (at, cells) in panel.iter().enumerate() {
            let half: *const __m256i = cells.0.as_ptr().cast();
            // SAFETY: the cells are 64 bytes, two halves of 32; the loads need no alignment.
            let (left, right) = unsafe { (_mm256_loadu_si256(half), _mm256_loadu_si256(half.add(1))) };
            for (sums, row) in sums.iter_mut().zip(rows) {
                let [one, other] = row[at].map(|number| u32::from(number as u16));
                let pair = _mm256_set1_epi32((one | other << 16) as i32);
                sums[0] = _mm256_add_epi32(sums[0], _mm256_madd_epi16(pair, left));
                sums[1] = _mm256_add_epi32(sums[1], _mm256_madd_epi16(pair, right));
            }
        }
        let mut numbers = [[0; PANEL]; ROWS];
        for (numbers, [left, right]) in numbers.iter_mut().zip(sums) {
            let half: *mut __m256i = numbers.as_mut_ptr().cast();
            // SAFETY: sixteen numbers are two halves of 32 bytes; the stores need no alignment.
            unsafe {
                _mm256_storeu_si256(half, left);
                _mm256_storeu_si256(half.add(1), right);
            }
        }
        numbers
    }
}

#[cfg(target_arch = "x86_64")]
mod avx512 {
    use std::arch::x86_64::{
        _mm512_dpwssd_epi32, _mm512_loadu_si512, _mm512_set1_epi32, _mm512_setzero_si512, _mm512_storeu_si512,
    };

    use super::super::kernels::PANEL;
    use super::{Cells, Products};

    /// With AVX-512 and VNNI; to be used only behind their detection.
    pub(super) struct Avx512;

    impl Products for Avx512 {
        #[inline(always)]
        fn of<const ROWS: usize>(rows: [&[[i16; 2]]; ROWS], panel: &[Cells]) -> [[i32; PANEL]; ROWS] {
            // SAFETY: only `multiply_avx512` uses the type, which is called after the features were detected.
            unsafe { products(rows, panel) }
        }
    }

    #[target_feature(enable = "avx512f,avx512vnni")]
    #[inline]
    fn products<const ROWS: usize>(rows: [&[[i16; 2]]; ROWS], panel: &[Cells]) -> [[i32; PANEL]; ROWS] {
        let rows = rows.map(|row| &row[..panel.len()]);
        let mut sums = [_mm512_setzero_si512(); ROWS];
        for (at, cells) in panel.iter().enumerate() {
            // SAFETY: the cells are 64 bytes; the load needs no alignment.
            let weights = unsafe { _mm512_loadu_si512(cells.0.as_ptr().cast()) };
            for (sum, row) in sums.iter_mut().zip(rows) {
                let [one, other] = row[at].map(|number| u32::from(number as u16));
                let pair = _mm512_set1_epi32((one | other << 16) as i32);
                *sum = _mm512_dpwssd_epi32(*sum, pair, weights);
            }
        }
        let mut numbers = [[0; PANEL]; ROWS];
        for (numbers, sum) in numbers.iter_mut().zip(sums) {
            // SAFETY: sixteen numbers are 64 bytes; the store needs no alignment.
            unsafe { _mm512_storeu_si512(numbers.as_mut_ptr().cast(), sum) }
        }
        numbers
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix(rows: usize, columns: usize, factor: usize) -> Vec<f32> {
        (0..rows * columns).map(|at| ((at * factor + at / 3) % 170) as f32 / 9.0 - 8.0).collect()
    }

    fn exact(left: &[f32], right: &[f32], inner: usize, columns: usize) -> Vec<f32> {
        let mut sums = vec![1.0; left.len() / inner * columns];
        for (left, sums) in left.chunks_exact(inner).zip(sums.chunks_exact_mut(columns)) {
            for (left, right) in left.iter().zip(right.chunks_exact(columns)) {
                sums.iter_mut().zip(right).for_each(|(sum, right)| *sum += 2.0 * left * right);
            }
        }
        sums
    }

    #[test]
    fn products_are_close_to_exact_ones_and_the_same_on_all_processors() {
        for (rows, inner, columns) in [(1, 1, 1), (4, 3, 8), (7, 5, 19), (9, 16, 24), (6, 33, 40)] {
            let (left, right) = (matrix(rows, inner, 5), matrix(inner, columns, 7));
            let mut rounded = Rows::default();
            rounded.round(&left, inner);
            let matrix = Rounded::of(&right, columns);
            let (mut sums, mut portable) = (vec![1.0; rows * columns], vec![1.0; rows * columns]);
            matrix.multiply(&rounded, 2.0, &mut sums);
            matrix.multiply_by::<Portable>(&rounded, 2.0, &mut portable);
            assert_eq!(sums, portable);
            #[cfg(target_arch = "x86_64")]
            if is_x86_feature_detected!("avx2") {
                // Newer processors take other instructions above.
                let mut older = vec![1.0; rows * columns];
                // SAFETY: the feature was detected.
                unsafe { matrix.multiply_avx2(&rounded, 2.0, &mut older) };
                assert_eq!(older, portable);
            }
            let bound = 0.04 * inner as f32;
            for (sum, exact) in sums.iter().zip(exact(&left, &right, inner, columns)) {
                assert!((sum - exact).abs() < bound, "{sum} {exact}");
            }
            let (mut one, mut other) = (Vec::new(), Vec::new());
            assert_eq!(round(&left, &mut one), round_portably(&left, &mut other));
            assert_eq!(one, other);
        }
    }

    #[test]
    fn windows_see_zeros_beyond_the_ends() {
        const WIDTH: usize = 3;
        let (numbers, right) = (matrix(4, WIDTH, 5), matrix(3 * WIDTH, 5, 7));
        let mut joined = Vec::new();
        for at in 0..4 {
            for place in at..at + 3 {
                let inside = (1..5).contains(&place);
                joined.extend((0..WIDTH).map(
                    |cell| {
                        if inside { numbers[(place - 1) * WIDTH + cell] } else { 0.0 }
                    },
                ));
            }
        }
        let mut rows = Rows::default();
        rows.round_windows(&numbers, WIDTH, 1);
        let mut sums = vec![1.0; 4 * 5];
        Rounded::of(&right, 5).multiply(&rows, 2.0, &mut sums);
        for (sum, exact) in sums.iter().zip(exact(&joined, &right, 3 * WIDTH, 5)) {
            assert!((sum - exact).abs() < 0.3, "{sum} {exact}");
        }
    }

    #[test]
    fn tiny_numbers_are_zeros() {
        let mut rounded = Vec::new();
        assert_eq!((round(&[1e-40, -1e-35, 0.0], &mut rounded), &rounded[..]), (1.0, &[0, 0, 0][..]));
    }

    #[test]
    fn tiny_weights_are_zeros() {
        // A step of their size has so few digits that sums would leave 32 bits.
        let mut rows = Rows::default();
        rows.round(&[1.0; 640], 640);
        let mut sums = [0.0];
        Rounded::of(&[1.6e-42; 640], 1).multiply_by::<Portable>(&rows, 1.0, &mut sums);
        assert_eq!(sums, [0.0]);
    }

    #[test]
    fn processors_agree_whatever_the_numbers() {
        use rand::{Rng, SeedableRng};
        let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
        // From the smallest denormal to the largest number of a file, infinite ones in rows.
        let sizes = [0.0, 1e-45, 1e-40, 1e-30, 1e-3, 1.0, 4096.0, 1e4];
        // An interpreter takes seconds for each.
        let (tries, longest) = if cfg!(miri) { (2, 20) } else { (2_000, 130) };
        for _ in 0..tries {
            let (rows, inner, columns) =
                (rng.random_range(1..6), rng.random_range(1..longest), rng.random_range(1..40));
            let mut numbers = |count: usize, beyond: &[f32]| -> Vec<f32> {
                let most = sizes[rng.random_range(0..sizes.len())];
                let mut all: Vec<f32> = (0..count).map(|_| rng.random_range(-1.0..=1.0) * most).collect();
                for _ in 0..rng.random_range(0..3) {
                    let values = [&sizes[..], beyond].concat();
                    all[rng.random_range(0..count)] = -values[rng.random_range(0..values.len())];
                }
                all
            };
            let right = Rounded::of(&numbers(inner * columns, &[]), columns);
            let left = numbers(rows * inner, &[f32::MAX, f32::INFINITY, f32::NAN]);
            let mut rounded = Rows::default();
            rounded.round(&left, inner);
            let bits = |sums: Vec<f32>| -> Vec<u32> { sums.into_iter().map(f32::to_bits).collect() };
            let mut portable = vec![1.0; rows * columns];
            right.multiply_by::<Portable>(&rounded, 0.5, &mut portable);
            let portable = bits(portable);
            let mut sums = vec![1.0; rows * columns];
            right.multiply(&rounded, 0.5, &mut sums);
            assert_eq!(bits(sums), portable);
            #[cfg(target_arch = "x86_64")]
            if is_x86_feature_detected!("avx2") {
                let mut older = vec![1.0; rows * columns];
                // SAFETY: the feature was detected.
                unsafe { right.multiply_avx2(&rounded, 0.5, &mut older) };
                assert_eq!(bits(older), portable);
            }
            let (mut one, mut other) = (Vec::new(), Vec::new());
            let steps = [round(&left, &mut one), round_portably(&left, &mut other)];
            assert_eq!((steps[0].to_bits(), one), (steps[1].to_bits(), other));
        }
    }

    #[test]
    fn the_largest_sums_stay_in_range() {
        // All weights and numbers are as large as rounding lets them be, or one of them is.
        for weights in [vec![3.0; 640], [vec![-1e4], vec![0.0; 639]].concat(), vec![0.0; 640]] {
            let mut rows = Rows::default();
            rows.round(&vec![-7.0; 640], 640);
            let mut sums = [0.0];
            Rounded::of(&weights, 1).multiply(&rows, 1.0, &mut sums);
            let exact = -7.0 * weights.iter().sum::<f32>();
            assert!((sums[0] - exact).abs() <= exact.abs() * 1e-3, "{} {exact}", sums[0]);
        }
    }
}

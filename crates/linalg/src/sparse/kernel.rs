//! The product of a sparse matrix with a panel, `Y = A X`.
//!
//! `Y[i, :] = Σ_p value[p] · X[index[p], :]` over the nonzeros p of row i. The sum is kept in registers for a tile
//! of columns and never written until the row is done. Threads share out rows, and a row is always summed by one
//! thread in storage order: the result does not depend on the number of threads.
//!
//! On x86-64 with AVX2 and FMA the same Rust code is compiled once more with those features switched on and
//! chosen at run time. A fused multiply–add rounds once where the fallback rounds twice, so the two differ in the
//! last bits; which one runs depends on the machine alone.

use std::ops::Range;

use super::csr::CsrMatrix;
use crate::panel::Panel;
use crate::scalar::Scalar;

/// Nonzeros below which a range of rows is not divided further among threads.
const SERIAL_NONZEROS: usize = 1 << 15;

/// Nonzeros of a row that are summed before the partial sum is added to the total: it keeps the rounding error of
/// very long rows (a frequent word has hundreds of thousands of contexts) near that of short ones.
const SEGMENT: usize = 1024;

/// `y = a x`; `y` takes the shape of the result.
pub(super) fn multiply<T: Scalar>(a: &CsrMatrix<T>, x: &Panel<T>, y: &mut Panel<T>) {
    assert_eq!(x.nrows(), a.ncols(), "the panel needs one row per column of the matrix");
    y.reshape(a.nrows(), x.width());
    if x.width() > 0 {
        divide(a, 0..a.nrows(), x, y.as_mut_slice(), instruction_set());
    }
}

/// Which compilation of the row loop to run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum InstructionSet {
    Baseline,
    #[cfg(target_arch = "x86_64")]
    Avx2Fma,
}

fn instruction_set() -> InstructionSet {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
        return InstructionSet::Avx2Fma;
    }
    InstructionSet::Baseline
}

/// Splits rows where half of their nonzeros lie, until the pieces are small. Each split halves the nonzeros or
/// parts a single heavy row from the rest, so the depth is logarithmic.
fn divide<T: Scalar>(a: &CsrMatrix<T>, rows: Range<usize>, x: &Panel<T>, y: &mut [T], set: InstructionSet) {
    let nonzeros = a.indptr()[rows.end] - a.indptr()[rows.start];
    if rows.len() <= 1 || nonzeros + rows.len() <= SERIAL_NONZEROS {
        match set {
            InstructionSet::Baseline => serial::<T, false>(a, rows, x, y),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: `instruction_set` returns this variant only after it has detected both features.
            InstructionSet::Avx2Fma => unsafe { serial_avx2(a, rows, x, y) },
        }
        return;
    }
    // Rows count as well as nonzeros, so that a long run of empty rows is divided too.
    let work = |row: usize| a.indptr()[row] - a.indptr()[rows.start] + (row - rows.start);
    let half = (nonzeros + rows.len()) / 2;
    let (mut low, mut high) = (rows.start + 1, rows.end - 1);
    while low < high {
        let middle = low + (high - low) / 2;
        if work(middle) < half { low = middle + 1 } else { high = middle }
    }
    let (upper, lower) = y.split_at_mut((low - rows.start) * x.width());
    rayon::join(|| divide(a, rows.start..low, x, upper, set), || divide(a, low..rows.end, x, lower, set));
}

/// The row loop with AVX2 and FMA.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn serial_avx2<T: Scalar>(a: &CsrMatrix<T>, rows: Range<usize>, x: &Panel<T>, y: &mut [T]) {
    serial::<T, true>(a, rows, x, y);
}

/// `y` holds the given rows of the result.
#[inline(always)]
fn serial<T: Scalar, const FUSED: bool>(a: &CsrMatrix<T>, rows: Range<usize>, x: &Panel<T>, y: &mut [T]) {
    let width = x.width();
    for (row, out) in rows.zip(y.chunks_exact_mut(width)) {
        let range = a.row_range(row);
        let indices = &a.indices()[range.clone()];
        let values = &a.values()[range];
        let mut offset = 0;
        while width - offset >= 32 {
            tile::<T, 32, FUSED>(indices, values, x, offset, out);
            offset += 32;
        }
        if width - offset >= 16 {
            tile::<T, 16, FUSED>(indices, values, x, offset, out);
            offset += 16;
        }
        if width - offset >= 8 {
            tile::<T, 8, FUSED>(indices, values, x, offset, out);
            offset += 8;
        }
        while offset < width {
            tile::<T, 1, FUSED>(indices, values, x, offset, out);
            offset += 1;
        }
    }
}

/// `TILE` columns of one row of the result, from column `offset` on.
#[inline(always)]
fn tile<T: Scalar, const TILE: usize, const FUSED: bool>(
    indices: &[u32],
    values: &[T],
    x: &Panel<T>,
    offset: usize,
    out: &mut [T],
) {
    let (operand, width) = (x.as_slice(), x.width());
    let mut total = [T::default(); TILE];
    for (indices, values) in indices.chunks(SEGMENT).zip(values.chunks(SEGMENT)) {
        let mut sum = [T::default(); TILE];
        for (&index, &value) in indices.iter().zip(values) {
            let start = index as usize * width + offset;
            let row = &operand[start..start + TILE];
            for lane in 0..TILE {
                sum[lane] = if FUSED {
                    row[lane].fused_mul_add(value, sum[lane])
                } else {
                    sum[lane] + row[lane] * value
                };
            }
        }
        for lane in 0..TILE {
            total[lane] += sum[lane];
        }
    }
    out[offset..offset + TILE].copy_from_slice(&total);
}

//! The product of a sparse matrix with a panel, `Y = A X`.
//!
//! `Y[i, :] = Σ_p value[p] · X[index[p], :]` over the nonzeros p of row i. The sum is kept in registers for a tile of
//! columns and is written only when the row is done. Threads share the rows, and a row is always summed by one thread
//! in storage order, so the result does not depend on the number of threads.
//!
//! On x86-64 with AVX2 and FMA the same Rust code is compiled a second time with those features enabled and selected at
//! run time. A fused multiply–add rounds once where the fallback rounds twice, so the two differ in the last bits.
//! Which one runs depends only on the machine.

use std::ops::Range;

use super::bands::Bands;
use super::csr::CsrMatrix;
use crate::panel::Panel;
use crate::scalar::Scalar;

/// Nonzeros below which a range of rows is not divided further among threads.
const SERIAL_NONZEROS: usize = 1 << 15;

/// Number of nonzeros of a row that are summed before the partial sum is added to the total. This keeps the rounding
/// error of very long rows (a frequent word has hundreds of thousands of contexts) near that of short ones.
const SEGMENT: usize = 1024;

/// `y = a x`, one band of columns at a time; `y` gets the shape of the result.
pub(super) fn multiply<T: Scalar>(a: &CsrMatrix<T>, bands: &Bands, x: &Panel<T>, y: &mut Panel<T>) {
    assert_eq!(x.nrows(), a.ncols(), "the panel needs one row per column of the matrix");
    y.reshape(a.nrows(), x.width());
    if x.width() == 0 {
        return;
    }
    let set = instruction_set();
    for (band, starts, ends) in bands.iter(a.indptr()) {
        let first = if band == 0 { Existing::Overwrite } else { Existing::Add };
        let product = Product { a, starts, ends, x, existing: first, set };
        product.divide(0..a.nrows(), y.as_mut_slice());
    }
}

/// Whether to overwrite or add to the result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Existing {
    Overwrite,
    Add,
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

/// The product of one band of columns with the panel.
struct Product<'a, T> {
    a: &'a CsrMatrix<T>,
    /// Row i has the nonzeros `starts[i]..ends[i]` in this band.
    starts: &'a [usize],
    ends: &'a [usize],
    x: &'a Panel<T>,
    existing: Existing,
    set: InstructionSet,
}

impl<T: Scalar> Product<'_, T> {
    /// Splits the rows at half of their nonzeros until the pieces are small. Each split halves the nonzeros or
    /// separates a single heavy row from the rest, so the depth is logarithmic.
    fn divide(&self, rows: Range<usize>, y: &mut [T]) {
        let indptr = self.a.indptr();
        let nonzeros = indptr[rows.end] - indptr[rows.start];
        if rows.len() <= 1 || nonzeros + rows.len() <= SERIAL_NONZEROS {
            match self.set {
                InstructionSet::Baseline => self.serial::<false>(rows, y),
                #[cfg(target_arch = "x86_64")]
                // SAFETY: `instruction_set` returns this variant only after it has detected both features.
                InstructionSet::Avx2Fma => unsafe { self.serial_avx2(rows, y) },
            }
            return;
        }
        // Rows count as well as nonzeros, so that a long run of empty rows is divided too.
        let work = |row: usize| indptr[row] - indptr[rows.start] + (row - rows.start);
        let half = (nonzeros + rows.len()) / 2;
        let (mut low, mut high) = (rows.start + 1, rows.end - 1);
        while low < high {
            let middle = low + (high - low) / 2;
            if work(middle) < half { low = middle + 1 } else { high = middle }
        }
        let (upper, lower) = y.split_at_mut((low - rows.start) * self.x.width());
        rayon::join(|| self.divide(rows.start..low, upper), || self.divide(low..rows.end, lower));
    }

    /// The row loop with AVX2 and FMA.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,fma")]
    fn serial_avx2(&self, rows: Range<usize>, y: &mut [T]) {
        self.serial::<true>(rows, y);
    }

    /// `y` holds the given rows of the result.
    #[inline(always)]
    fn serial<const FUSED: bool>(&self, rows: Range<usize>, y: &mut [T]) {
        let width = self.x.width();
        for (row, out) in rows.zip(y.chunks_exact_mut(width)) {
            let range = self.starts[row]..self.ends[row];
            let indices = &self.a.indices()[range.clone()];
            let values = &self.a.values()[range];
            let mut offset = 0;
            while width - offset >= 32 {
                self.tile::<32, FUSED>(indices, values, offset, out);
                offset += 32;
            }
            if width - offset >= 16 {
                self.tile::<16, FUSED>(indices, values, offset, out);
                offset += 16;
            }
            if width - offset >= 8 {
                self.tile::<8, FUSED>(indices, values, offset, out);
                offset += 8;
            }
            while offset < width {
                self.tile::<1, FUSED>(indices, values, offset, out);
                offset += 1;
            }
        }
    }

    /// `TILE` columns of one row of the result, from column `offset` on.
    #[inline(always)]
    fn tile<const TILE: usize, const FUSED: bool>(
        &self,
        indices: &[u32],
        values: &[T],
        offset: usize,
        out: &mut [T],
    ) {
        let (operand, width) = (self.x.as_slice(), self.x.width());
        let mut total = [T::default(); TILE];
        if self.existing == Existing::Add {
            total.copy_from_slice(&out[offset..offset + TILE]);
        }
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
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The two compilations of the row loop differ only by rounding.
    #[test]
    fn instruction_sets_agree() {
        let triplets =
            (0..40_usize).flat_map(|i| (0..3000).step_by(i + 1).map(move |j| (i, j, ((i * j) as f32).sin())));
        let a = CsrMatrix::from_triplets(40, 3000, triplets).unwrap();
        for width in [1, 7, 8, 16, 31, 32, 63] {
            let x = Panel::from_fn(3000, width, |i, j| ((i + 3 * j) as f32).cos());
            let run = |set| {
                let mut y = Panel::zeros(40, width);
                let (starts, ends) = (&a.indptr()[..40], &a.indptr()[1..]);
                let product = Product { a: &a, starts, ends, x: &x, existing: Existing::Overwrite, set };
                product.divide(0..40, y.as_mut_slice());
                y
            };
            let (plain, detected) = (run(InstructionSet::Baseline), run(instruction_set()));
            for (p, d) in plain.as_slice().iter().zip(detected.as_slice()) {
                assert!((p - d).abs() < 2e-4, "{p} against {d}");
            }
        }
    }
}

//! The inner product of all passes: `C(q,t) = ⊕_p A(q,p) · B(p,t)`, with `A` gathered from chart rows.
//!
//! Four rows of `C` stay in registers while `p` runs, so memory is read once and written once. The function is inlined
//! into passes compiled for the vector instructions of the processor; this module has no unsafe code.

/// How products are combined.
pub(super) trait Arithmetic: Copy {
    /// `accumulator ⊕ a · b`.
    fn add(accumulator: f32, a: f32, b: f32) -> f32;
}

/// Sums with fused multiply-add; used only where the processor has the instruction.
#[cfg(any(test, target_arch = "x86_64"))]
#[derive(Clone, Copy)]
pub(super) struct FusedSum;

#[cfg(any(test, target_arch = "x86_64"))]
impl Arithmetic for FusedSum {
    #[inline(always)]
    fn add(accumulator: f32, a: f32, b: f32) -> f32 {
        a.mul_add(b, accumulator)
    }
}

/// Sums without fused multiply-add, for any processor.
#[derive(Clone, Copy)]
pub(super) struct Sum;

impl Arithmetic for Sum {
    #[inline(always)]
    fn add(accumulator: f32, a: f32, b: f32) -> f32 {
        accumulator + a * b
    }
}

/// Maxima of products.
#[derive(Clone, Copy)]
pub(super) struct Max;

impl Arithmetic for Max {
    #[inline(always)]
    fn add(accumulator: f32, a: f32, b: f32) -> f32 {
        let product = a * b;
        if product > accumulator { product } else { accumulator }
    }
}

/// The left factor: `A(q,p) = data[rows[q] + columns[p]]`.
#[derive(Clone, Copy)]
pub(super) struct Gathered<'a> {
    pub(super) data: &'a [f32],
    pub(super) rows: &'a [u32],
    pub(super) columns: &'a [u32],
}

/// Writes `C` row by row, `width` values per row; `right` holds `B` in the same layout. `width` must be a multiple of
/// 8. `packed` is scratch memory.
#[inline(always)]
pub(super) fn multiply<A: Arithmetic>(
    left: Gathered<'_>,
    right: &[f32],
    width: usize,
    packed: &mut Vec<f32>,
    out: &mut [f32],
) {
    debug_assert_eq!(width % 8, 0);
    let mut row = 0;
    while row + 4 <= left.rows.len() {
        rows::<A, 4>(left, row, right, width, packed, out);
        row += 4;
    }
    match left.rows.len() - row {
        3 => rows::<A, 3>(left, row, right, width, packed, out),
        2 => rows::<A, 2>(left, row, right, width, packed, out),
        1 => rows::<A, 1>(left, row, right, width, packed, out),
        _ => {}
    }
}

#[inline(always)]
fn rows<A: Arithmetic, const Q: usize>(
    left: Gathered<'_>,
    row: usize,
    right: &[f32],
    width: usize,
    packed: &mut Vec<f32>,
    out: &mut [f32],
) {
    // Gathered once for all tiles, in reading order.
    packed.clear();
    packed.resize(left.columns.len() * Q, 0.0);
    for q in 0..Q {
        let data = &left.data[left.rows[row + q] as usize..];
        for (values, &offset) in packed.chunks_exact_mut(Q).zip(left.columns) {
            values[q] = data[offset as usize];
        }
    }
    let mut column = 0;
    if Q < 3 {
        // With few rows, wider tiles hide the latency of the additions.
        while column + 32 <= width {
            tile::<A, Q, 32>(packed, row, right, width, column, out);
            column += 32;
        }
    }
    while column + 16 <= width {
        tile::<A, Q, 16>(packed, row, right, width, column, out);
        column += 16;
    }
    if column < width {
        tile::<A, Q, 8>(packed, row, right, width, column, out);
    }
}

#[inline(always)]
fn tile<A: Arithmetic, const Q: usize, const T: usize>(
    packed: &[f32],
    row: usize,
    right: &[f32],
    width: usize,
    column: usize,
    out: &mut [f32],
) {
    let mut sums = [[0.0_f32; T]; Q];
    for (values, right) in packed.chunks_exact(Q).zip(right.chunks_exact(width)) {
        let right: &[f32] = &right[column..][..T];
        for q in 0..Q {
            for t in 0..T {
                sums[q][t] = A::add(sums[q][t], values[q], right[t]);
            }
        }
    }
    for (q, sums) in sums.iter().enumerate() {
        out[(row + q) * width + column..][..T].copy_from_slice(sums);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn naive(left: Gathered<'_>, right: &[f32], width: usize, max: bool) -> Vec<f32> {
        let mut out = Vec::new();
        for &row in left.rows {
            for t in 0..width {
                let products = left
                    .columns
                    .iter()
                    .enumerate()
                    .map(|(p, &c)| left.data[(row + c) as usize] * right[p * width + t]);
                out.push(if max { products.fold(0.0, f32::max) } else { products.sum() });
            }
        }
        out
    }

    #[test]
    fn tiles_cover_everything() {
        let data: Vec<f32> = (0..200).map(|i| ((i * 37) % 11) as f32 * 0.25).collect();
        for width in [8, 16, 24, 40] {
            for count in 0..10 {
                let rows: Vec<u32> = (0..count).map(|q| q * 20).collect();
                let columns = [3, 0, 7, 12, 19];
                let right: Vec<f32> =
                    (0..columns.len() * width).map(|i| ((i * 29) % 13) as f32 * 0.5).collect();
                let left = Gathered { data: &data, rows: &rows, columns: &columns };
                let mut packed = Vec::new();
                let mut out = vec![f32::NAN; rows.len() * width];
                multiply::<Sum>(left, &right, width, &mut packed, &mut out);
                assert_eq!(out, naive(left, &right, width, false));
                multiply::<FusedSum>(left, &right, width, &mut packed, &mut out);
                assert_eq!(out, naive(left, &right, width, false));
                multiply::<Max>(left, &right, width, &mut packed, &mut out);
                assert_eq!(out, naive(left, &right, width, true));
            }
        }
    }
}

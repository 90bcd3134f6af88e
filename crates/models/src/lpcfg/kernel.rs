//! Small matrix products: tiles of sums that stay in registers, rows in lanes of eight.
//!
//! Matrices are lists of rows of equal width; a row is a list of [`Lanes`]. The functions are inlined into callers that are
//! compiled twice, with and without AVX2 and FMA; `FUSED` says which.

/// Eight numbers that are worked on together.
pub(super) type Lanes = [f32; 8];

const ZERO: Lanes = [0.0; 8];

#[inline(always)]
fn multiply_add<const FUSED: bool>(a: f32, b: f32, c: f32) -> f32 {
    if FUSED { a.mul_add(b, c) } else { a * b + c }
}

#[inline(always)]
fn add_product<const FUSED: bool>(sums: &mut Lanes, a: &Lanes, b: &Lanes) {
    for lane in 0..8 {
        sums[lane] = multiply_add::<FUSED>(a[lane], b[lane], sums[lane]);
    }
}

#[inline(always)]
fn add_scaled<const FUSED: bool>(sums: &mut Lanes, a: f32, b: &Lanes) {
    for lane in 0..8 {
        sums[lane] = multiply_add::<FUSED>(a, b[lane], sums[lane]);
    }
}

#[inline(always)]
fn total(lanes: &Lanes) -> f32 {
    let pairs = [lanes[0] + lanes[4], lanes[1] + lanes[5], lanes[2] + lanes[6], lanes[3] + lanes[7]];
    (pairs[0] + pairs[2]) + (pairs[1] + pairs[3])
}

/// Writes `y ⊗ y2`, flattened row after row, into `out`, whose last lanes beyond it must be 0 already.
#[inline(always)]
pub(super) fn outer(y: &[f32], y2: &[f32], out: &mut [Lanes]) {
    let out = out.as_flattened_mut();
    for (row, &y) in out.chunks_exact_mut(y2.len()).zip(y) {
        row.iter_mut().zip(y2).for_each(|(out, y2)| *out = y * y2);
    }
}

/// `out[r][s] = a[r] · b[s]` for all rows of two matrices; `out` has rows of `b`'s height.
#[inline(always)]
pub(super) fn rows_by_rows<const FUSED: bool>(a: &[Lanes], b: &[Lanes], width: usize, out: &mut [f32]) {
    let (height, columns) = (a.len() / width, b.len() / width);
    let mut r = 0;
    while r + 4 <= height {
        let rows: [&[Lanes]; 4] = std::array::from_fn(|at| &a[(r + at) * width..][..width]);
        tile_of_dots::<FUSED, 4>(rows, b, width, columns, &mut out[r * columns..]);
        r += 4;
    }
    while r < height {
        tile_of_dots::<FUSED, 1>([&a[r * width..][..width]], b, width, columns, &mut out[r * columns..]);
        r += 1;
    }
}

#[inline(always)]
fn tile_of_dots<const FUSED: bool, const R: usize>(
    a: [&[Lanes]; R],
    b: &[Lanes],
    width: usize,
    columns: usize,
    out: &mut [f32],
) {
    let mut s = 0;
    while s + 2 <= columns {
        let (b0, b1) = (&b[s * width..][..width], &b[(s + 1) * width..][..width]);
        let mut sums = [[ZERO; 2]; R];
        for at in 0..width {
            for r in 0..R {
                add_product::<FUSED>(&mut sums[r][0], &a[r][at], &b0[at]);
                add_product::<FUSED>(&mut sums[r][1], &a[r][at], &b1[at]);
            }
        }
        for r in 0..R {
            out[r * columns + s] = total(&sums[r][0]);
            out[r * columns + s + 1] = total(&sums[r][1]);
        }
        s += 2;
    }
    if s < columns {
        let b0 = &b[s * width..][..width];
        let mut sums = [ZERO; R];
        for at in 0..width {
            for r in 0..R {
                add_product::<FUSED>(&mut sums[r], &a[r][at], &b0[at]);
            }
        }
        for r in 0..R {
            out[r * columns + s] = total(&sums[r]);
        }
    }
}

/// How the numbers of a matrix lie: entry `(r, p)` is at `r · row + p · column`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Strides {
    pub(super) row: usize,
    pub(super) column: usize,
}

/// `out[r] += Σ_p a[r][p] b[p]` for `height` rows.
#[inline(always)]
pub(super) fn add_combinations<const FUSED: bool>(
    a: &[f32],
    strides: Strides,
    b: &[Lanes],
    width: usize,
    height: usize,
    out: &mut [Lanes],
) {
    let mut r = 0;
    while r + 4 <= height {
        tile_of_combinations::<FUSED, 4>(&a[r * strides.row..], strides, b, width, &mut out[r * width..]);
        r += 4;
    }
    while r < height {
        tile_of_combinations::<FUSED, 1>(&a[r * strides.row..], strides, b, width, &mut out[r * width..]);
        r += 1;
    }
}

#[inline(always)]
fn tile_of_combinations<const FUSED: bool, const R: usize>(
    a: &[f32],
    strides: Strides,
    b: &[Lanes],
    width: usize,
    out: &mut [Lanes],
) {
    let mut at = 0;
    while at + 2 <= width {
        let mut sums = [[ZERO; 2]; R];
        for r in 0..R {
            sums[r] = [out[r * width + at], out[r * width + at + 1]];
        }
        for (p, row) in b.chunks_exact(width).enumerate() {
            let (b0, b1) = (&row[at], &row[at + 1]);
            for r in 0..R {
                let weight = a[r * strides.row + p * strides.column];
                add_scaled::<FUSED>(&mut sums[r][0], weight, b0);
                add_scaled::<FUSED>(&mut sums[r][1], weight, b1);
            }
        }
        for r in 0..R {
            out[r * width + at] = sums[r][0];
            out[r * width + at + 1] = sums[r][1];
        }
        at += 2;
    }
    if at < width {
        let mut sums = [ZERO; R];
        for r in 0..R {
            sums[r] = out[r * width + at];
        }
        for (p, row) in b.chunks_exact(width).enumerate() {
            for r in 0..R {
                add_scaled::<FUSED>(&mut sums[r], a[r * strides.row + p * strides.column], &row[at]);
            }
        }
        for r in 0..R {
            out[r * width + at] = sums[r];
        }
    }
}

/// `left[j] = f · w[j] · y2` and `right = f · Σ_j y[j] w[j]`, where `w` is a flattened matrix.
#[inline(always)]
pub(super) fn carry_down<const FUSED: bool>(
    w: &[Lanes],
    f: f32,
    [y, y2]: [&[f32]; 2],
    left: &mut [f32],
    right: &mut [f32],
) {
    right.fill(0.0);
    let rows = w.as_flattened().chunks_exact(y2.len());
    for ((row, &y), left) in rows.zip(y).zip(left) {
        *left = f * dot::<FUSED>(row, y2);
        let weight = f * y;
        for (out, &value) in right.iter_mut().zip(row) {
            *out = multiply_add::<FUSED>(weight, value, *out);
        }
    }
}

/// The inner product.
#[inline(always)]
fn dot<const FUSED: bool>(a: &[f32], b: &[f32]) -> f32 {
    let (a, a_rest) = a.as_chunks::<8>();
    let (b, b_rest) = b.as_chunks::<8>();
    let mut sums = ZERO;
    a.iter().zip(b).for_each(|(a, b)| add_product::<FUSED>(&mut sums, a, b));
    let rest: f32 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    total(&sums) + rest
}

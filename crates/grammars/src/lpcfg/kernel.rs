//! Small matrix products: tiles of sums that stay in registers, rows in lanes of eight.
//!
//! Matrices are lists of rows of equal width; a row is a list of [`Lanes`]. The functions are inlined into callers that
//! are compiled twice, with and without AVX2 and FMA, as given by `FUSED`.

/// Eight values processed together.
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

/// Writes `y ⊗ y2`, flattened row by row, into `out`, whose remaining lanes must already be 0.
#[inline(always)]
pub(super) fn outer(y: &[f32], y2: &[f32], out: &mut [Lanes]) {
    let out = out.as_flattened_mut();
    for (row, &y) in out.chunks_exact_mut(y2.len()).zip(y) {
        row.iter_mut().zip(y2).for_each(|(out, y2)| *out = y * y2);
    }
}

/// `out[r][s] = a[r] · b[s]` for all rows of two matrices; the rows of `out` have one entry per row of `b`.
#[inline(always)]
pub(super) fn rows_by_rows<const FUSED: bool>(a: &[Lanes], b: &[Lanes], width: usize, out: &mut [f32]) {
    let (height, columns) = (a.len() / width, b.len() / width);
    let mut r = 0;
    while r + 4 <= height {
        let rows = rows_from::<4>(a, r, width);
        let out = &mut out[r * columns..];
        let s = tiles_of_dots::<FUSED, 4, 2>(rows, b, 0, columns, out);
        tiles_of_dots::<FUSED, 4, 1>(rows, b, s, columns, out);
        r += 4;
    }
    if r + 2 <= height {
        let rows = rows_from::<2>(a, r, width);
        let out = &mut out[r * columns..];
        let s = tiles_of_dots::<FUSED, 2, 2>(rows, b, 0, columns, out);
        tiles_of_dots::<FUSED, 2, 1>(rows, b, s, columns, out);
        r += 2;
    }
    if r < height {
        let rows = rows_from::<1>(a, r, width);
        let out = &mut out[r * columns..];
        let s = tiles_of_dots::<FUSED, 1, 8>(rows, b, 0, columns, out);
        let s = tiles_of_dots::<FUSED, 1, 4>(rows, b, s, columns, out);
        tiles_of_dots::<FUSED, 1, 1>(rows, b, s, columns, out);
    }
}

#[inline(always)]
fn rows_from<const R: usize>(matrix: &[Lanes], first: usize, width: usize) -> [&[Lanes]; R] {
    std::array::from_fn(|at| &matrix[(first + at) * width..][..width])
}

/// Inner products of some rows with the rows of `b` from `s` on, `S` at a time; returns the start of the next tile.
#[inline(always)]
fn tiles_of_dots<const FUSED: bool, const R: usize, const S: usize>(
    a: [&[Lanes]; R],
    b: &[Lanes],
    mut s: usize,
    columns: usize,
    out: &mut [f32],
) -> usize {
    let width = a[0].len();
    let a = a.map(|row| &row[..width]);
    while s + S <= columns {
        let b = rows_from::<S>(b, s, width);
        let mut sums = [[ZERO; S]; R];
        for at in 0..width {
            for r in 0..R {
                for c in 0..S {
                    add_product::<FUSED>(&mut sums[r][c], &a[r][at], &b[c][at]);
                }
            }
        }
        // Without this barrier the compiler lays the sums out for the code that follows instead of for the loop above,
        // which then runs ten times slower.
        let sums = std::hint::black_box(sums);
        for r in 0..R {
            for c in 0..S {
                out[r * columns + s + c] = total(&sums[r][c]);
            }
        }
        s += S;
    }
    s
}

/// The memory layout of a matrix: entry `(r, p)` is at `r · row + p · column`.
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
    if r + 2 <= height {
        tile_of_combinations::<FUSED, 2>(&a[r * strides.row..], strides, b, width, &mut out[r * width..]);
        r += 2;
    }
    if r < height {
        let out = &mut out[r * width..][..width];
        one_combination::<FUSED>(&a[r * strides.row..], strides.column, b, out);
    }
}

/// `out += Σ_p a[p] b[p]`: rows are read from end to end, four at a time.
#[inline(always)]
fn one_combination<const FUSED: bool>(a: &[f32], stride: usize, b: &[Lanes], out: &mut [Lanes]) {
    let width = out.len();
    let mut p = 0;
    for rows in b.chunks(4 * width) {
        if rows.len() == 4 * width {
            let rows = rows_from::<4>(rows, 0, width);
            let weights: [f32; 4] = std::array::from_fn(|row| a[(p + row) * stride]);
            for (at, out) in out.iter_mut().enumerate() {
                let mut sums = *out;
                for row in 0..4 {
                    add_scaled::<FUSED>(&mut sums, weights[row], &rows[row][at]);
                }
                *out = sums;
            }
        } else {
            for (row, values) in rows.chunks_exact(width).enumerate() {
                let weight = a[(p + row) * stride];
                out.iter_mut().zip(values).for_each(|(out, value)| add_scaled::<FUSED>(out, weight, value));
            }
        }
        p += 4;
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
    // As in `tiles_of_dots`: the loop above must not be laid out for what follows.
    total(&std::hint::black_box(sums)) + rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    fn check<const FUSED: bool>() {
        let mut rng = ChaCha8Rng::seed_from_u64(4);
        for (height, depth, width) in [(1, 1, 1), (2, 3, 2), (3, 4, 5), (4, 9, 1), (7, 8, 3), (9, 2, 4)] {
            let mut matrix =
                |rows: usize| -> Vec<Lanes> { (0..rows * width).map(|_| rng.random()).collect() };
            let (a, b, mut out) = (matrix(height), matrix(depth), matrix(height));
            let weights: Vec<f32> = (0..height * depth).map(|_| rng.random()).collect();
            let close = |found: f32, expected: f32| {
                assert!((found - expected).abs() < 1e-5 * (1.0 + expected), "{found} {expected}");
            };

            let mut products = vec![0.0; height * depth];
            rows_by_rows::<FUSED>(&a, &b, width, &mut products);
            for (at, &product) in products.iter().enumerate() {
                let (r, s) = (at / depth, at % depth);
                let rows = [&a[r * width..][..width], &b[s * width..][..width]].map(<[Lanes]>::as_flattened);
                close(product, rows[0].iter().zip(rows[1]).map(|(a, b)| a * b).sum());
            }

            // Both memory layouts of a matrix.
            for strides in [Strides { row: depth, column: 1 }, Strides { row: 1, column: height }] {
                let before = out.clone();
                add_combinations::<FUSED>(&weights, strides, &b, width, height, &mut out);
                for (at, &value) in out.as_flattened().iter().enumerate() {
                    let (r, column) = (at / (width * 8), at % (width * 8));
                    let terms = (0..depth).map(|p| {
                        weights[r * strides.row + p * strides.column]
                            * b.as_flattened()[p * width * 8 + column]
                    });
                    close(value, before.as_flattened()[at] + terms.sum::<f32>());
                }
            }
        }
    }

    #[test]
    fn products_of_all_shapes() {
        check::<false>();
        check::<true>();
    }

    #[test]
    fn carrying_down_multiplies_from_both_sides() {
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        let (y, y2): (Vec<f32>, Vec<f32>) =
            ((0..3).map(|_| rng.random()).collect(), (0..11).map(|_| rng.random()).collect());
        let mut w: Vec<Lanes> = (0..5).map(|_| rng.random()).collect();
        let (mut left, mut right) = (vec![9.0; 3], vec![9.0; 11]);
        carry_down::<false>(&w, 0.5, [&y, &y2], &mut left, &mut right);
        let entry = |j: usize, k: usize| w.as_flattened()[j * 11 + k];
        for (j, &found) in left.iter().enumerate() {
            let expected: f32 = (0..11).map(|k| 0.5 * entry(j, k) * y2[k]).sum();
            assert!((found - expected).abs() < 1e-5, "{found} {expected}");
        }
        for (k, &found) in right.iter().enumerate() {
            let expected: f32 = (0..3).map(|j| 0.5 * entry(j, k) * y[j]).sum();
            assert!((found - expected).abs() < 1e-5, "{found} {expected}");
        }
        outer(&y, &y2, &mut w);
        assert!((w.as_flattened()[2 * 11 + 10] - y[2] * y2[10]).abs() < 1e-6);
    }
}

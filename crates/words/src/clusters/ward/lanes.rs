//! Sums in lanes of eight, in single precision.
//!
//! Products and sums are rounded one by one, never fused, and lanes are summed in a fixed order, so that all processors
//! give the same results.

use crate::clusters::kernel::for_each_kernel;

/// Vectors and rows are padded to a multiple of this.
pub(in crate::clusters) const LANES: usize = 8;

/// Number of words and means multiplied at once, limited by the number of registers.
const TILE: [usize; 2] = [4, 2];

/// Number of means multiplied with all words of a task before the next ones, limited by the cache.
const MEANS: usize = 32;

/// Inner products of `WORDS` vectors with `MEANS` others.
#[inline(always)]
fn tile<const WORDS: usize, const MEANS: usize>(
    words: [&[[f32; LANES]]; WORDS],
    means: [&[[f32; LANES]]; MEANS],
) -> [[f32; MEANS]; WORDS] {
    let length = words[0].len();
    let words = words.map(|word| &word[..length]);
    let means = means.map(|mean| &mean[..length]);
    let mut sums = [[[0.0_f32; LANES]; MEANS]; WORDS];
    for at in 0..length {
        for word in 0..WORDS {
            for mean in 0..MEANS {
                for lane in 0..LANES {
                    sums[word][mean][lane] += words[word][at][lane] * means[mean][at][lane];
                }
            }
        }
    }
    // Plain loops: with `map` over the arrays of sums the compiler does not use vectors.
    let mut totals = [[0.0; MEANS]; WORDS];
    for word in 0..WORDS {
        for mean in 0..MEANS {
            totals[word][mean] = total(&sums[word][mean]);
        }
    }
    totals
}

/// The sum of lanes, by halves.
#[inline(always)]
fn total(lanes: &[f32; LANES]) -> f32 {
    let [a, b, c, d, e, f, g, h] = *lanes;
    ((a + e) + (c + g)) + ((b + f) + (d + h))
}

#[inline(always)]
fn row(values: &[f32], stride: usize, index: usize) -> &[[f32; LANES]] {
    values[index * stride..][..stride].as_chunks().0
}

for_each_kernel! {
    /// `out[i][j]`, in rows of `width`, is the inner product of vector `i` of `words` with vector `j` of `means`;
    /// vectors have length `stride`.
    pub(super) fn products(out: &mut [f32], width: usize, words: &[f32], means: &[f32], stride: usize) {
        let counts = [words.len() / stride, means.len() / stride];
        for first in (0..counts[1]).step_by(MEANS) {
            let last = counts[1].min(first + MEANS);
            for word in (0..counts[0]).step_by(TILE[0]) {
                for mean in (first..last).step_by(TILE[1]) {
                    if word + TILE[0] <= counts[0] && mean + TILE[1] <= last {
                        let sums = tile::<{ TILE[0] }, { TILE[1] }>(
                            std::array::from_fn(|i| row(words, stride, word + i)),
                            std::array::from_fn(|j| row(means, stride, mean + j)),
                        );
                        for (i, sums) in sums.iter().enumerate() {
                            out[(word + i) * width + mean..][..TILE[1]].copy_from_slice(sums);
                        }
                        continue;
                    }
                    for i in word..counts[0].min(word + TILE[0]) {
                        for j in mean..last.min(mean + TILE[1]) {
                            out[i * width + j] = tile([row(words, stride, i)], [row(means, stride, j)])[0][0];
                        }
                    }
                }
            }
        }
    }
}

for_each_kernel! {
    /// Distances of a new cluster with given weight and squared norm to all clusters, from the inner products with
    /// their means.
    pub(super) fn distances(out: &mut [f32], weight: f32, square: f32, products: &[f32], weights: &[f32], squares: &[f32]) {
        for (((out, &product), &other), &other_square) in out.iter_mut().zip(products).zip(weights).zip(squares) {
            let between = (square + other_square) - 2.0 * product;
            let between = if between > 0.0 { between } else { 0.0 };
            *out = weight * other / (weight + other) * between;
        }
    }
}

for_each_kernel! {
    /// Distances of the union of two clusters with weights `wa`, `wb` at distance `between`, from those of `a`, in
    /// `row`, and of `b`.
    pub(super) fn unite(row: &mut [f32], b: &[f32], pair: [f32; 2], between: f32, weights: &[f32]) {
        let [wa, wb] = pair;
        for ((out, &b), &weight) in row.iter_mut().zip(b).zip(weights) {
            let sum = ((wa + weight) * *out + (wb + weight) * b) - weight * between;
            let distance = sum / ((wa + wb) + weight);
            *out = if distance < 0.0 { 0.0 } else { distance };
        }
    }
}

for_each_kernel! {
    /// The smallest value of a padded row and the first index that has it.
    pub(super) fn smallest(row: &[f32], found: &mut (f32, usize)) {
        let chunks = row.as_chunks::<LANES>().0;
        let mut least = [f32::INFINITY; LANES];
        for chunk in chunks {
            for lane in 0..LANES {
                least[lane] = if chunk[lane] < least[lane] { chunk[lane] } else { least[lane] };
            }
        }
        let least = least.into_iter().fold(f32::INFINITY, f32::min);
        let here = |chunk: &[f32; LANES]| chunk.iter().fold(false, |any, &value| any | (value == least));
        let chunk = chunks.iter().position(here).unwrap_or(0);
        let lane = chunks.get(chunk).and_then(|chunk| chunk.iter().position(|&value| value == least));
        *found = (least, chunk * LANES + lane.unwrap_or(0));
    }
}

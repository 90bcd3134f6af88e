//! The M-step of one rule, in lanes.
//!
//! The values are those of [`smoothing`](super::super::smoothing) with the indicator of the state for Y and `Y / P(h |
//! a)` for Z. A grammar has thousands of rules with few occurrences, and each has a whole tensor to write. This is a
//! good part of the work of a step, so it has its own implementation, which precomputes what does not depend on the
//! row.

use super::super::kernel::{Lanes, Strides, add_combinations, outer};
use super::super::parameters::{LANES, row_length};
use super::super::smoothing::confidence;
use super::passes::{Vectors, batch, lanes};
use super::subtrees::Subtrees;

/// Input of a rule update.
#[derive(Clone, Copy, Debug)]
pub(super) struct RuleInput<'v> {
    pub(super) subtrees: &'v Subtrees,
    pub(super) vectors: &'v Vectors,
    pub(super) rule: usize,
    /// The count of the rule.
    pub(super) weight: f64,
    /// Its probability given its parent.
    pub(super) probability: f64,
    /// C of the smoothing.
    pub(super) constant: f64,
    /// `1 / P(h | a)` of the parent's states; 0 for dead ones.
    pub(super) inverse: &'v [f32],
    /// `P(h | b)` and `P(h | c)`.
    pub(super) shares: [&'v [f32]; 2],
}

/// Scratch memory per thread.
#[derive(Clone, Debug, Default)]
pub(super) struct RuleUpdate {
    pairs: Vec<Lanes>,
    outside: Vec<f32>,
    /// Expected counts, in the layout of the tensor.
    counts: Vec<Lanes>,
    /// E[Y ⊗ Y′], then everything that is the same in every row except for a factor `E[Z_h]`.
    base: Vec<Lanes>,
    /// F ⊗ F′
    unseen: Vec<Lanes>,
    y: Vec<f32>,
    y2: Vec<f32>,
    zy: Vec<f32>,
    zy2: Vec<f32>,
}

impl RuleUpdate {
    /// Replaces the tensor of a rule.
    pub(super) fn run(&mut self, input: &RuleInput<'_>, tensor: &mut [f32]) {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
            // SAFETY: AVX2 and FMA were detected just above.
            unsafe { self.run_avx2(input, tensor) };
            return;
        }
        self.run_with::<false>(input, tensor);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,fma")]
    fn run_avx2(&mut self, input: &RuleInput<'_>, tensor: &mut [f32]) {
        self.run_with::<true>(input, tensor);
    }

    #[inline(always)]
    fn run_with<const FUSED: bool>(&mut self, input: &RuleInput<'_>, tensor: &mut [f32]) {
        let width = row_length(input.shares[0].len(), input.shares[1].len()) / LANES;
        let seen = input.weight > 0.0;
        if seen {
            self.count::<FUSED>(input, tensor, width);
        }
        self.write(input, tensor, width, if seen { confidence(input.weight, input.constant) } else { 0.0 });
    }

    #[inline(always)]
    fn count<const FUSED: bool>(&mut self, input: &RuleInput<'_>, tensor: &[f32], width: usize) {
        let RuleInput { subtrees, vectors, .. } = *input;
        let height = input.inverse.len();
        clear(&mut self.counts, height * width);
        let branches = subtrees.of_rule(input.rule);
        let count = batch(width);
        clear(&mut self.pairs, count.min(branches.len()) * width);
        let strides = Strides { row: 1, column: height };
        for batch in branches.chunks(count) {
            self.outside.clear();
            for (&at, pairs) in batch.iter().zip(self.pairs.chunks_exact_mut(width)) {
                let branch = subtrees.branches[at as usize];
                let own = subtrees.leaves.len() + at as usize;
                let factor = vectors.factor(own);
                self.outside.extend(vectors.outside(own).iter().map(|value| factor * value));
                outer(vectors.inside(branch.left as usize), vectors.inside(branch.right as usize), pairs);
            }
            let pairs = &self.pairs[..batch.len() * width];
            add_combinations::<FUSED>(&self.outside, strides, pairs, width, height, &mut self.counts);
        }
        for (sum, value) in self.counts.iter_mut().zip(lanes(tensor)) {
            (0..LANES).for_each(|lane| sum[lane] *= value[lane]);
        }
    }

    /// Smooths the counts into the tensor.
    #[inline(always)]
    fn write(&mut self, input: &RuleInput<'_>, tensor: &mut [f32], width: usize, lambda: f64) {
        let [f, f2] = input.shares;
        let (mb, mc) = (f.len(), f2.len());
        let Self { counts, base, unseen, y, y2, zy, zy2, .. } = self;
        let rest = 1.0 - lambda;
        let p = input.probability;
        let weights = [p * lambda, p * rest * lambda / 3.0, p * rest * rest * lambda, p * rest * rest * rest];
        let [w1, w2, w3, w4] = weights.map(|weight| weight as f32);
        clear(unseen, width);
        outer(f, f2, unseen);
        unseen.as_flattened_mut().iter_mut().for_each(|value| *value *= w4);
        if lambda <= 0.0 {
            for (row, &inverse) in
                tensor.as_chunks_mut::<LANES>().0.chunks_exact_mut(width).zip(input.inverse)
            {
                let alive = if inverse > 0.0 { 1.0 } else { 0.0 };
                for (out, unseen) in row.iter_mut().zip(&*unseen) {
                    (0..LANES).for_each(|lane| out[lane] = alive * unseen[lane]);
                }
            }
            return;
        }
        let mean = (1.0 / input.weight) as f32;
        clear(base, width);
        for row in counts.chunks_exact(width) {
            for (sum, count) in base.iter_mut().zip(row) {
                (0..LANES).for_each(|lane| sum[lane] += count[lane]);
            }
        }
        base.as_flattened_mut().iter_mut().for_each(|value| *value *= mean);
        y.clear();
        y2.clear();
        y2.resize(mc, 0.0);
        for row in base.as_flattened().chunks_exact(mc).take(mb) {
            y.push(row.iter().sum());
            y2.iter_mut().zip(row).for_each(|(sum, value)| *sum += value);
        }
        for (row, &y) in base.as_flattened_mut().chunks_exact_mut(mc).zip(&*y) {
            row.iter_mut().zip(&*y2).for_each(|(value, y2)| *value = w2 * *value + w3 * y * y2);
        }
        let rows = tensor.as_chunks_mut::<LANES>().0.chunks_exact_mut(width);
        for ((row, counts), &inverse) in rows.zip(counts.chunks_exact(width)).zip(input.inverse) {
            let scale = mean * inverse;
            zy.clear();
            zy2.clear();
            zy2.resize(mc, 0.0);
            for own in counts.as_flattened().chunks_exact(mc).take(mb) {
                let mut sum = 0.0;
                for (zy2, &count) in zy2.iter_mut().zip(own) {
                    *zy2 += count;
                    sum += count;
                }
                zy.push(sum * scale);
            }
            let z: f32 = zy.iter().sum();
            let (own, alive) = (w1 * scale, if inverse > 0.0 { 1.0 } else { 0.0 });
            let parts = counts.iter().zip(&*base).zip(&*unseen);
            for (out, ((count, base), unseen)) in row.iter_mut().zip(parts) {
                for lane in 0..LANES {
                    out[lane] = own * count[lane] + z * base[lane] + alive * unseen[lane];
                }
            }
            if w2 > 0.0 {
                zy2.iter_mut().for_each(|value| *value *= w2 * scale);
                for ((row, &y), &zy) in row.as_flattened_mut().chunks_exact_mut(mc).zip(&*y).zip(&*zy) {
                    let zy = w2 * zy;
                    for ((out, &zy2), &y2) in row.iter_mut().zip(&*zy2).zip(&*y2) {
                        *out += zy2 * y + zy * y2;
                    }
                }
            }
            // Tiny values become 0, as arithmetic with denormal numbers is slow.
            row.as_flattened_mut().iter_mut().for_each(|out| *out = if *out < 1e-30 { 0.0 } else { *out });
        }
    }
}

/// Zeros.
#[inline(always)]
fn clear(values: &mut Vec<Lanes>, length: usize) {
    values.clear();
    values.resize(length, [0.0; LANES]);
}

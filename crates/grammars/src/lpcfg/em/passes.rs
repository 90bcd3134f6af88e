//! Inside and outside vectors of all distinct subtrees.
//!
//! ```text
//! β_s = x_s · C^{a→bc} : β_l β_rᵀ                 s = (a→bc, l, r); x_s the power of two that brings max β_s into 1..2
//! α_s = Σ_{trees s} w · c¹ / (c¹·β_s) + Σ_{occurrences of s} what the branch there passes down
//! W   = Σ_h α_{s,h} C^{a→bc}_h,      passed down: x_s W β_r to l, x_s Wᵀ β_l to r
//! ```
//!
//! With these scales `α_s · β_s` is the number of occurrences of s, so all values stay in range in trees of any size. A
//! branch writes what it passes down to its own place, and each subtree collects it in a fixed order: threads never add
//! to the same value, so the thread count changes nothing.

use rayon::prelude::*;

use super::super::kernel::{Lanes, Strides, add_combinations, carry_down, outer, rows_by_rows};
use super::super::parameters::{LANES, Parameters};
use super::super::profiles::Profiles;
use super::subtrees::{Branch, Subtrees};
use crate::chart::range::{self, EMPTY, power_of_two};

/// The vectors of all subtrees.
#[derive(Clone, Debug)]
pub(super) struct Vectors {
    /// The start of each subtree's vectors; one more entry than subtrees.
    starts: Vec<usize>,
    inside: Vec<f32>,
    outside: Vec<f32>,
    /// x of each subtree; 0 if its probability is 0.
    factors: Vec<f32>,
    /// The total exponent of the powers of two taken out within a subtree.
    exponents: Vec<i32>,
    /// The start of what is passed down to each place; one more entry than places.
    carried_starts: Vec<usize>,
    carried: Vec<f32>,
}

/// Results of the inside pass.
#[derive(Clone, Debug)]
pub(super) struct Turn {
    /// The log-likelihood of all trees with positive probability.
    pub(super) log_probability: f64,
    /// The weight of trees whose probability is 0.
    pub(super) lost: f64,
    /// Expected counts of the roots' states.
    pub(super) roots: Vec<f64>,
}

/// Number of branches processed by one thread at a time. Results do not depend on it.
const CHUNK: usize = 64;

/// The flattened matrices of one batch of branches have at most this many lanes, to stay in the first-level cache.
const BATCH_LANES: usize = 512;

/// Entries of inside vectors below this share of the largest become 0, so that their outside entries stay in range.
const FLUSH: f32 = 1.0 / (1_u128 << 80) as f32;

/// Scratch memory per thread.
#[derive(Clone, Debug, Default)]
struct Scratch {
    pairs: Vec<Lanes>,
    weights: Vec<Lanes>,
}

impl Vectors {
    /// Allocates vectors of these dimensions.
    pub(super) fn new(subtrees: &Subtrees, dims: &[u32]) -> Self {
        let dim = |subtree: usize| dims[subtrees.symbols[subtree] as usize] as usize;
        let ends = |lengths: &mut dyn Iterator<Item = usize>| {
            let mut starts = vec![0];
            let mut end = 0;
            starts.extend(lengths.map(|length| {
                end += length;
                end
            }));
            starts
        };
        let starts = ends(&mut (0..subtrees.len()).map(dim));
        let carried_starts = ends(
            &mut subtrees
                .branches
                .iter()
                .flat_map(|branch| [dim(branch.left as usize), dim(branch.right as usize)]),
        );
        Self {
            inside: vec![0.0; starts[subtrees.len()]],
            outside: vec![0.0; starts[subtrees.len()]],
            factors: vec![1.0; subtrees.len()],
            exponents: vec![0; subtrees.len()],
            carried: vec![0.0; carried_starts[2 * subtrees.branches.len()]],
            starts,
            carried_starts,
        }
    }

    /// β of a subtree.
    #[inline]
    pub(super) fn inside(&self, subtree: usize) -> &[f32] {
        &self.inside[self.starts[subtree]..self.starts[subtree + 1]]
    }

    /// α of a subtree.
    #[inline]
    pub(super) fn outside(&self, subtree: usize) -> &[f32] {
        &self.outside[self.starts[subtree]..self.starts[subtree + 1]]
    }

    /// x of a subtree.
    #[inline]
    pub(super) fn factor(&self, subtree: usize) -> f32 {
        self.factors[subtree]
    }

    /// Computes all inside vectors.
    pub(super) fn ascend(&mut self, subtrees: &Subtrees, parameters: &Parameters<f32>) {
        let profiles: &Profiles<f32> = &parameters.profiles;
        let Self { starts, inside, factors, exponents, .. } = self;
        for (at, leaf) in subtrees.leaves.iter().enumerate() {
            let own = &mut inside[starts[at]..starts[at + 1]];
            own.copy_from_slice(profiles.of_site(leaf.tag as usize, leaf.pairs));
            exponents[at] = normalise(own);
        }
        let first = subtrees.leaves.len();
        for level in &subtrees.levels {
            let (below, mut own) = inside.split_at_mut(starts[first + level.start]);
            let (below_exponents, mut own_exponents) = exponents.split_at_mut(first + level.start);
            let mut own_factors = &mut factors[first + level.start..];
            let below = Below { starts, inside: below, exponents: below_exponents };
            let mut jobs = Vec::new();
            for start in level.clone().step_by(CHUNK) {
                let end = level.end.min(start + CHUNK);
                let length = starts[first + end] - starts[first + start];
                jobs.push(Ascent {
                    branches: &subtrees.branches[start..end],
                    inside: take(&mut own, length),
                    factors: take(&mut own_factors, end - start),
                    exponents: take(&mut own_exponents, end - start),
                });
            }
            run(jobs, |job, scratch| job.run(&below, parameters, scratch));
        }
    }

    /// Starts the outside vectors at the roots.
    pub(super) fn turn(&mut self, subtrees: &Subtrees, parameters: &Parameters<f32>) -> Turn {
        self.outside.fill(0.0);
        let mut turn = Turn { log_probability: 0.0, lost: 0.0, roots: vec![0.0; parameters.roots.len()] };
        for &(subtree, weight) in &subtrees.roots {
            let at = subtree as usize;
            let range = self.starts[at]..self.starts[at + 1];
            let symbol = subtrees.symbols[at] as usize;
            let root = parameters.root(symbol);
            let joint =
                self.inside[range.clone()].iter().zip(root).map(|(&b, &r)| f64::from(b) * f64::from(r));
            let total: f64 = joint.clone().sum();
            if self.exponents[at] == EMPTY || total <= 0.0 || !total.is_finite() {
                turn.lost += weight;
                continue;
            }
            turn.log_probability +=
                weight * (total.ln() + f64::from(self.exponents[at]) * std::f64::consts::LN_2);
            let counts = &mut turn.roots[parameters.root_offsets[symbol] as usize..];
            counts.iter_mut().zip(joint).for_each(|(sum, joint)| *sum += weight * joint / total);
            for (out, &r) in self.outside[range].iter_mut().zip(root) {
                *out = (weight * f64::from(r) / total) as f32;
            }
        }
        turn
    }

    /// Computes all outside vectors.
    pub(super) fn descend(&mut self, subtrees: &Subtrees, parameters: &Parameters<f32>) {
        let Self { starts, inside, outside, factors, carried_starts, carried, .. } = self;
        let first = subtrees.leaves.len();
        for level in subtrees.levels.iter().rev() {
            let (own, above) = carried.split_at_mut(carried_starts[2 * level.end]);
            let above = Above {
                subtrees,
                starts,
                inside,
                carried_starts,
                carried: above,
                offset: carried_starts[2 * level.end],
            };
            let mut own = &mut own[carried_starts[2 * level.start]..];
            let mut own_outside = &mut outside[starts[first + level.start]..];
            let mut jobs = Vec::new();
            for start in level.clone().step_by(CHUNK) {
                let end = level.end.min(start + CHUNK);
                jobs.push(Descent {
                    first: start,
                    branches: &subtrees.branches[start..end],
                    factors: &factors[first + start..first + end],
                    outside: take(&mut own_outside, starts[first + end] - starts[first + start]),
                    carried: take(&mut own, carried_starts[2 * end] - carried_starts[2 * start]),
                });
            }
            run(jobs, |job, scratch| job.run(&above, parameters, scratch));
        }
        let above = Above { subtrees, starts, inside, carried_starts, carried, offset: 0 };
        let mut rest = &mut outside[..];
        let mut jobs = Vec::new();
        for leaf in 0..first {
            jobs.push((leaf, take(&mut rest, starts[leaf + 1] - starts[leaf])));
        }
        jobs.into_par_iter().with_min_len(CHUNK).for_each(|(leaf, outside)| above.collect(leaf, outside));
    }
}

/// Splits off the first part of a slice.
pub(super) fn take<'v, T>(rest: &mut &'v mut [T], length: usize) -> &'v mut [T] {
    let (first, after) = std::mem::take(rest).split_at_mut(length);
    *rest = after;
    first
}

/// Runs jobs on all threads, or on this one if there are few.
fn run<J: Send>(jobs: Vec<J>, work: impl Fn(J, &mut Scratch) + Sync) {
    if jobs.len() == 1 {
        let mut scratch = Scratch::default();
        jobs.into_iter().for_each(|job| work(job, &mut scratch));
    } else {
        jobs.into_par_iter().for_each_init(Scratch::default, |scratch, job| work(job, scratch));
    }
}

/// The vectors below a level.
struct Below<'v> {
    starts: &'v [usize],
    inside: &'v [f32],
    exponents: &'v [i32],
}

/// Branches of one level whose inside vectors are computed together.
struct Ascent<'v> {
    branches: &'v [Branch],
    inside: &'v mut [f32],
    factors: &'v mut [f32],
    exponents: &'v mut [i32],
}

impl Ascent<'_> {
    fn run(self, below: &Below<'_>, parameters: &Parameters<f32>, scratch: &mut Scratch) {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
            // SAFETY: AVX2 and FMA were detected just above.
            unsafe { self.run_avx2(below, parameters, scratch) };
            return;
        }
        self.run_with::<false>(below, parameters, scratch);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,fma")]
    fn run_avx2(self, below: &Below<'_>, parameters: &Parameters<f32>, scratch: &mut Scratch) {
        self.run_with::<true>(below, parameters, scratch);
    }

    #[inline(always)]
    fn run_with<const FUSED: bool>(
        self,
        below: &Below<'_>,
        parameters: &Parameters<f32>,
        scratch: &mut Scratch,
    ) {
        let Self { branches, inside, factors, exponents } = self;
        let vector = |at: u32| &below.inside[below.starts[at as usize]..below.starts[at as usize + 1]];
        let (mut done, mut rest) = (0, inside);
        for same in branches.chunk_by(|a, b| a.rule == b.rule) {
            let tensor = lanes(parameters.tensor(same[0].rule as usize));
            let (mb, mc) = (vector(same[0].left).len(), vector(same[0].right).len());
            let width = (mb * mc).div_ceil(LANES);
            let height = tensor.len() / width;
            let pairs = &mut scratch.pairs;
            let count = batch(width);
            pairs.clear();
            pairs.resize(count.min(same.len()) * width, [0.0; LANES]);
            for batch in same.chunks(count) {
                for (branch, pairs) in batch.iter().zip(pairs.chunks_exact_mut(width)) {
                    outer(vector(branch.left), vector(branch.right), pairs);
                }
                let out = take(&mut rest, batch.len() * height);
                rows_by_rows::<FUSED>(&pairs[..batch.len() * width], tensor, width, out);
                for (branch, out) in batch.iter().zip(out.chunks_exact_mut(height)) {
                    let exponent = normalise(out);
                    let (left, right) =
                        (below.exponents[branch.left as usize], below.exponents[branch.right as usize]);
                    let empty = exponent == EMPTY || left == EMPTY || right == EMPTY;
                    exponents[done] = if empty { EMPTY } else { exponent + left + right };
                    factors[done] = if empty { 0.0 } else { power_of_two(-exponent) };
                    done += 1;
                }
            }
        }
    }
}

/// The vectors above a level, and all inside vectors.
struct Above<'v> {
    subtrees: &'v Subtrees,
    starts: &'v [usize],
    inside: &'v [f32],
    carried_starts: &'v [usize],
    /// What is passed down, from place `offset` on.
    carried: &'v [f32],
    offset: usize,
}

impl Above<'_> {
    #[inline(always)]
    fn vector(&self, subtree: usize) -> &[f32] {
        &self.inside[self.starts[subtree]..self.starts[subtree + 1]]
    }

    /// Adds up what is passed down to a subtree.
    #[inline(always)]
    fn collect(&self, subtree: usize, out: &mut [f32]) {
        for place in self.subtrees.places(subtree) {
            let start = self.carried_starts[place.index()] - self.offset;
            let carried = &self.carried[start..][..out.len()];
            out.iter_mut().zip(carried).for_each(|(out, value)| *out += value);
        }
        for (out, &inside) in out.iter_mut().zip(self.vector(subtree)) {
            if inside == 0.0 {
                *out = 0.0;
            }
        }
    }
}

/// Branches of one level whose outside vectors are computed together.
struct Descent<'v> {
    first: usize,
    branches: &'v [Branch],
    factors: &'v [f32],
    outside: &'v mut [f32],
    carried: &'v mut [f32],
}

impl Descent<'_> {
    fn run(self, above: &Above<'_>, parameters: &Parameters<f32>, scratch: &mut Scratch) {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
            // SAFETY: AVX2 and FMA were detected just above.
            unsafe { self.run_avx2(above, parameters, scratch) };
            return;
        }
        self.run_with::<false>(above, parameters, scratch);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,fma")]
    fn run_avx2(self, above: &Above<'_>, parameters: &Parameters<f32>, scratch: &mut Scratch) {
        self.run_with::<true>(above, parameters, scratch);
    }

    #[inline(always)]
    fn run_with<const FUSED: bool>(
        self,
        above: &Above<'_>,
        parameters: &Parameters<f32>,
        scratch: &mut Scratch,
    ) {
        let Self { first, branches, factors, outside, carried } = self;
        let (mut done, mut rest, mut carried) = (0, outside, carried);
        for same in branches.chunk_by(|a, b| a.rule == b.rule) {
            let tensor = lanes(parameters.tensor(same[0].rule as usize));
            let (mb, mc) =
                (above.vector(same[0].left as usize).len(), above.vector(same[0].right as usize).len());
            let width = (mb * mc).div_ceil(LANES);
            let height = tensor.len() / width;
            for batch in same.chunks(batch(width)) {
                let own = take(&mut rest, batch.len() * height);
                for (at, own) in own.chunks_exact_mut(height).enumerate() {
                    above.collect(above.subtrees.leaves.len() + first + done + at, own);
                }
                let weights = &mut scratch.weights;
                weights.clear();
                weights.resize(batch.len() * width, [0.0; LANES]);
                let strides = Strides { row: height, column: 1 };
                add_combinations::<FUSED>(own, strides, tensor, width, batch.len(), weights);
                for (branch, weights) in batch.iter().zip(weights.chunks_exact(width)) {
                    let below = [above.vector(branch.left as usize), above.vector(branch.right as usize)];
                    let (left, right) = take(&mut carried, mb + mc).split_at_mut(mb);
                    carry_down::<FUSED>(weights, factors[done], below, left, right);
                    done += 1;
                }
            }
        }
    }
}

/// The number of branches processed together if their matrices have this many lanes.
#[inline]
pub(super) fn batch(width: usize) -> usize {
    (BATCH_LANES / width / 4 * 4).clamp(4, 16)
}

/// The rows of a tensor in lanes.
#[inline(always)]
pub(super) fn lanes(tensor: &[f32]) -> &[Lanes] {
    tensor.as_chunks().0
}

/// Scales the largest value into 1..2 and drops values far below it; returns the exponent taken out.
#[inline(always)]
fn normalise(values: &mut [f32]) -> i32 {
    let exponent = range::normalise(values);
    for value in values {
        if *value < FLUSH {
            *value = 0.0;
        }
    }
    exponent
}

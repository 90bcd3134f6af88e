//! Inside–outside with tensors (Cohen et al. 2012, figure 5) over the rule applications of a forest.
//!
//! ```text
//! β(a,i,j)_h = Σ_{a→bc} Σ_pq C^{a→bc}_{hpq} M_pq          M = Σ_k β(b,i,k) β(c,k,j)ᵀ
//! W_pq       = Σ_h α(a,i,j)_h C^{a→bc}_{hpq}
//! α(b,i,k)  += W β(c,k,j)        α(c,k,j) += Wᵀ β(b,i,k)        µ(a→bc,i,k,j) = β(b,i,k)ᵀ W β(c,k,j) / Z
//! ```
//!
//! The work with m³ terms, `C:M` and `α·C`, is done once per rule and span, whatever the number of split points. Values
//! may be negative, and so may Z: posteriors are divided by the signed Z, and decoders take their absolute values
//! (Cohen et al. 2013, section 3.3). Each item has its own power of two, given by the largest absolute value of its
//! vector; the outside vector takes the exponent that makes `α·β / Z` the posterior.

use super::kernel::{self, Lanes, Strides};
use super::parameters::{LANES, Parameters, row_length};
use crate::chart::Forest;
use crate::chart::range::{self, EMPTY, power_of_two};
use models::signed_log::SignedLog;

/// The vectors of one model over one forest. Reused between sentences to keep its memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct LatentChart {
    /// The start of each item's vectors; one more entry than items.
    starts: Vec<u32>,
    inside: Vec<f32>,
    outside: Vec<f32>,
    exponents: Vec<i32>,
    /// Posteriors of the rule applications, signed, in the order of the forest's split points.
    pub(super) rules: Vec<f32>,
    /// Posteriors of the items, signed.
    pub(super) items: Vec<f32>,
    /// Ẑ, signed, with the exponent of the whole sentence.
    partition: f32,
    partition_exponent: i32,
    /// M or W, the size of a tensor's row.
    matrix: Vec<Lanes>,
    /// What one rule adds to the inside values of its parent.
    gain: Vec<f32>,
    /// What one split point adds to the outside values of the children.
    share: [Vec<f32>; 2],
}

impl LatentChart {
    /// Computes vectors, Z and posteriors. `emit` writes the vector of a preterminal item and returns its exponent.
    /// Returns `false` if Z is 0 or not a number; then there are no posteriors.
    pub(super) fn run(
        &mut self,
        parameters: &Parameters<f32>,
        forest: &Forest,
        emit: impl FnMut(usize, &mut [f32]) -> i32,
    ) -> bool {
        self.reset(parameters, forest);
        self.emit(forest, emit);
        self.fill(parameters, forest, Pass::Inside);
        if !self.close(parameters, forest) {
            return false;
        }
        self.fill(parameters, forest, Pass::Outside);
        true
    }

    /// Whether Z is negative.
    pub(super) fn is_negative(&self) -> bool {
        self.partition < 0.0
    }

    /// Z.
    pub(super) fn signed_partition(&self) -> SignedLog {
        let sign = if self.is_negative() { -1 } else { 1 };
        SignedLog { sign, log: self.log_partition() }
    }

    /// The natural logarithm of |Z|.
    pub(super) fn log_partition(&self) -> f64 {
        range::log(self.partition.abs(), self.partition_exponent)
    }

    fn reset(&mut self, parameters: &Parameters<f32>, forest: &Forest) {
        self.starts.clear();
        let mut end = 0;
        self.starts.push(0);
        for item in forest.items() {
            end += parameters.dim(item.symbol as usize) as u32;
            self.starts.push(end);
        }
        self.inside.clear();
        self.inside.resize(end as usize, 0.0);
        self.outside.clear();
        self.outside.resize(end as usize, 0.0);
        self.exponents.clear();
        self.exponents.resize(forest.items().len(), EMPTY);
        self.rules.clear();
        self.rules.resize(forest.all_splits().len(), 0.0);
        self.items.clear();
        self.items.resize(forest.items().len(), 0.0);
    }

    fn emit(&mut self, forest: &Forest, mut emit: impl FnMut(usize, &mut [f32]) -> i32) {
        for item in 0..forest.preterminals() {
            let vector = &mut self.inside[self.starts[item] as usize..self.starts[item + 1] as usize];
            let taken_out = emit(item, vector);
            let exponent = normalise(vector);
            self.exponents[item] = if exponent == EMPTY { EMPTY } else { exponent + taken_out };
        }
    }

    /// Computes Z from the roots and starts the outside vectors; returns whether Z is a number other than 0.
    fn close(&mut self, parameters: &Parameters<f32>, forest: &Forest) -> bool {
        let scale = forest.roots().iter().map(|&(item, _)| self.exponents[item as usize]).max();
        let Some(scale) = scale.filter(|&scale| scale != EMPTY) else { return false };
        self.partition_exponent = scale;
        self.partition = 0.0;
        for &(item, _) in forest.roots() {
            let exponent = self.exponents[item as usize];
            if exponent == EMPTY {
                continue;
            }
            let root = parameters.root(forest.items()[item as usize].symbol as usize);
            let range = self.starts[item as usize] as usize..self.starts[item as usize + 1] as usize;
            let factor = power_of_two(exponent - scale);
            let dot: f32 = self.inside[range.clone()].iter().zip(root).map(|(b, r)| b * r).sum();
            self.partition += dot * factor;
            self.outside[range].iter_mut().zip(root).for_each(|(out, r)| *out = r * factor);
        }
        self.partition != 0.0 && self.partition.is_finite()
    }

    fn fill(&mut self, parameters: &Parameters<f32>, forest: &Forest, pass: Pass) {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
            // SAFETY: AVX2 and FMA were detected just above.
            unsafe { self.fill_avx2(parameters, forest, pass) };
            return;
        }
        self.fill_portable(parameters, forest, pass);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,fma")]
    fn fill_avx2(&mut self, parameters: &Parameters<f32>, forest: &Forest, pass: Pass) {
        match pass {
            Pass::Inside => self.ascend::<true>(parameters, forest),
            Pass::Outside => self.descend::<true>(parameters, forest),
        }
    }

    /// The passes for processors without AVX2.
    fn fill_portable(&mut self, parameters: &Parameters<f32>, forest: &Forest, pass: Pass) {
        match pass {
            Pass::Inside => self.ascend::<false>(parameters, forest),
            Pass::Outside => self.descend::<false>(parameters, forest),
        }
    }

    #[inline(always)]
    fn ascend<const FUSED: bool>(&mut self, parameters: &Parameters<f32>, forest: &Forest) {
        let Self { starts, inside, exponents, matrix, gain, .. } = self;
        for item in forest.preterminals()..forest.items().len() {
            let bundles = forest.bundles_of(item);
            let scale = bundles
                .iter()
                .flat_map(|bundle| forest.splits(bundle))
                .map(|split| together(exponents, split.left, split.right))
                .max()
                .unwrap_or(EMPTY);
            if scale == EMPTY {
                continue;
            }
            let (below, own) = inside.split_at_mut(starts[item] as usize);
            let own = &mut own[..(starts[item + 1] - starts[item]) as usize];
            for bundle in bundles {
                let splits = forest.splits(bundle);
                let (left, right) = (splits[0].left as usize, splits[0].right as usize);
                let mb = (starts[left + 1] - starts[left]) as usize;
                let mc = (starts[right + 1] - starts[right]) as usize;
                let length = row_length(mb, mc);
                let width = length / LANES;
                matrix.clear();
                matrix.resize(width, [0.0; LANES]);
                for split in splits {
                    let exponent = together(exponents, split.left, split.right);
                    if exponent == EMPTY {
                        continue;
                    }
                    let factor = power_of_two(exponent - scale);
                    let y = &below[starts[split.left as usize] as usize..][..mb];
                    let y2 = &below[starts[split.right as usize] as usize..][..mc];
                    for (row, &y) in matrix.as_flattened_mut().chunks_exact_mut(mc).zip(y) {
                        axpy::<FUSED>(y * factor, y2, row);
                    }
                }
                let (tensor, _) = parameters.tensor(bundle.rule as usize).as_chunks();
                gain.clear();
                gain.resize(own.len(), 0.0);
                kernel::rows_by_rows::<FUSED>(matrix, tensor, width, gain);
                own.iter_mut().zip(&*gain).for_each(|(out, gain)| *out += gain);
            }
            let exponent = normalise(own);
            exponents[item] = if exponent == EMPTY { EMPTY } else { exponent + scale };
        }
    }

    #[inline(always)]
    fn descend<const FUSED: bool>(&mut self, parameters: &Parameters<f32>, forest: &Forest) {
        let Self { starts, inside, outside, exponents, matrix, share, rules, items, partition, .. } = self;
        let inverse = 1.0 / *partition;
        for item in (0..forest.items().len()).rev() {
            if exponents[item] == EMPTY {
                continue;
            }
            let range = starts[item] as usize..starts[item + 1] as usize;
            items[item] = dot_short(&inside[range.clone()], &outside[range.clone()]) * inverse;
            let (below, own) = outside.split_at_mut(range.start);
            let own = &own[..range.len()];
            for bundle in forest.bundles_of(item) {
                let splits = forest.splits(bundle);
                let (left, right) = (splits[0].left as usize, splits[0].right as usize);
                let mb = (starts[left + 1] - starts[left]) as usize;
                let mc = (starts[right + 1] - starts[right]) as usize;
                let width = row_length(mb, mc) / LANES;
                matrix.clear();
                matrix.resize(width, [0.0; LANES]);
                let (tensor, _) = parameters.tensor(bundle.rule as usize).as_chunks();
                let strides = Strides { row: own.len(), column: 1 };
                kernel::add_combinations::<FUSED>(own, strides, tensor, width, 1, matrix);
                for (at, split) in bundle.range().zip(splits) {
                    let exponent = together(exponents, split.left, split.right);
                    if exponent == EMPTY {
                        continue;
                    }
                    let factor = power_of_two(exponent - exponents[item]);
                    let (l, r) =
                        (starts[split.left as usize] as usize, starts[split.right as usize] as usize);
                    let (y, y2) = (&inside[l..l + mb], &inside[r..r + mc]);
                    share[0].resize(mb, 0.0);
                    share[1].resize(mc, 0.0);
                    let [left, right] = &mut *share;
                    kernel::carry_down::<FUSED>(matrix, factor, [y, y2], left, right);
                    let total = dot_short(left, y);
                    below[l..l + mb].iter_mut().zip(left).for_each(|(out, value)| *out += *value);
                    below[r..r + mc].iter_mut().zip(right).for_each(|(out, value)| *out += *value);
                    rules[at] = total * inverse;
                }
            }
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Pass {
    Inside,
    Outside,
}

/// The sum of the exponents of two items; [`EMPTY`] if one is empty.
#[inline(always)]
fn together(exponents: &[i32], left: u32, right: u32) -> i32 {
    let (left, right) = (exponents[left as usize], exponents[right as usize]);
    if left == EMPTY || right == EMPTY { EMPTY } else { left + right }
}

/// Like [`range::normalise`], by absolute values.
#[inline(always)]
fn normalise(values: &mut [f32]) -> i32 {
    let largest = values.iter().fold(0.0_f32, |a, &b| a.max(b.abs()));
    let exponent = range::exponent_of(largest);
    if exponent == EMPTY {
        values.fill(0.0);
    } else if exponent != 0 {
        let half = power_of_two(-exponent / 2);
        let rest = power_of_two(-exponent - (-exponent / 2));
        values.iter_mut().for_each(|value| *value = *value * half * rest);
    }
    exponent
}

#[inline(always)]
fn multiply_add<const FUSED: bool>(a: f32, b: f32, c: f32) -> f32 {
    if FUSED { a.mul_add(b, c) } else { a * b + c }
}

#[inline(always)]
fn axpy<const FUSED: bool>(weight: f32, row: &[f32], out: &mut [f32]) {
    for (out, &value) in out.iter_mut().zip(row) {
        *out = multiply_add::<FUSED>(weight, value, *out);
    }
}

#[inline(always)]
fn dot_short(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexicon::Observation;
    use crate::lpcfg::tests::{Signs, tiny};
    use crate::pcfg::{Pruner, PrunerConfig, Scratch};

    /// Runs both passes without vector instructions.
    fn run_portable(chart: &mut LatentChart, parameters: &Parameters<f32>, forest: &Forest) -> bool {
        chart.reset(parameters, forest);
        chart.emit(forest, emission);
        chart.fill_portable(parameters, forest, Pass::Inside);
        let closed = chart.close(parameters, forest);
        chart.fill_portable(parameters, forest, Pass::Outside);
        closed
    }

    fn emission(item: usize, vector: &mut [f32]) -> i32 {
        for (at, out) in vector.iter_mut().enumerate() {
            *out = 1e-20 * (1.0 + ((item * 7 + at * 3) % 11) as f32);
        }
        -3
    }

    #[test]
    fn vectorised_and_portable_passes_agree() {
        let mut compared = 0;
        for seed in 0..6 {
            let model = tiny(seed, Signs::Positive);
            let refined = &model.grammars[0];
            let pruner = Pruner::new(&refined.grammar, PrunerConfig::default());
            let (mut scratch, mut forest) = (Scratch::default(), Forest::default());
            for length in [2, 3, 7, 20] {
                let words = ["w0", "w1", "w1"].iter().cycle().take(length);
                let sentence: Vec<Observation<'_>> = words.map(|&word| Observation::Word(word)).collect();
                if pruner.prune(&sentence, &mut scratch, &mut forest).is_none() {
                    continue;
                }
                for member in &refined.members {
                    let (mut any, mut best) = (LatentChart::default(), LatentChart::default());
                    assert!(run_portable(&mut any, member, &forest));
                    assert!(best.run(member, &forest, emission));
                    assert!((any.log_partition() - best.log_partition()).abs() < 1e-4);
                    let pairs = any.rules.iter().zip(&best.rules).chain(any.items.iter().zip(&best.items));
                    for (a, b) in pairs {
                        assert!((a - b).abs() < 1e-5, "{a} {b}");
                        compared += 1;
                    }
                }
            }
        }
        assert!(compared > 1000, "{compared}");
    }
}

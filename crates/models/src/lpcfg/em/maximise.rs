//! The M-step: from the vectors of all subtrees to new parameters.
//!
//! ```text
//! n(a→bc; h,p,q) = C_hpq Σ_s x_s α_{s,h} β_{l,p} β_{r,q}          n(s→w; h) = Σ α_h β_h          n(a; h) = Σ α_h β_h
//! ```
//!
//! Divided by how often the rule was seen these are `E[Y_a ⊗ Y_b ⊗ Y_c | a→bc]` with Y the indicator of the state, and with
//! `Z_h = Y_h / P(h | a)` they are the moments that all estimators here share: the back-off of
//! [`smoothing`](super::super::smoothing) applies as it stands, and without it (`C = 0`) the new parameters are
//! `n(a→bc; h,p,q) / n(a; h)`, the maximum of the expected likelihood.

use super::super::estimate::{for_each_tensor, parts};
use super::super::parameters::{LANES, Parameters, row_length};
use super::super::smoothing::{RuleMoments, SymbolMeans, smooth};
use super::kernel::{Strides, add_combinations, outer};
use super::passes::{Scratch, Vectors, batch};
use super::subtrees::Subtrees;
use super::trainer::Setting;

/// A state with a smaller share of its symbol's nodes than this is dead: nothing is in it or ever will be.
const DEAD: f64 = 1e-9;

/// The expected shares of the states of each symbol. Symbols that were never seen have equal ones.
fn shares(subtrees: &Subtrees, vectors: &Vectors, dims: &[u32]) -> Vec<Vec<f64>> {
    let mut sums: Vec<Vec<f64>> = dims.iter().map(|&dim| vec![0.0; dim as usize]).collect();
    for (at, &symbol) in subtrees.symbols.iter().enumerate() {
        let values = vectors.inside(at).iter().zip(vectors.outside(at));
        let values = values.map(|(&b, &a)| f64::from(b) * f64::from(a));
        sums[symbol as usize].iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
    }
    for sum in &mut sums {
        let total: f64 = sum.iter().sum();
        let count = sum.len() as f64;
        sum.iter_mut().for_each(|value| *value = if total > 0.0 { *value / total } else { 1.0 / count });
    }
    sums
}

/// `1 / P(h | a)`, or 0 for dead states.
fn inverse(share: f64) -> f64 {
    if share > DEAD { share.recip() } else { 0.0 }
}

/// Replaces the parameters.
pub(super) fn maximise(
    setting: &Setting<'_>,
    subtrees: &Subtrees,
    vectors: &Vectors,
    root_counts: &[f64],
    parameters: &mut Parameters<f32>,
) {
    let Parameters { dims, offsets, tensors, root_offsets: _, roots, profiles, summary } = parameters;
    let shares = shares(subtrees, vectors, dims);
    let means: Vec<SymbolMeans> = shares
        .iter()
        .map(|share| SymbolMeans {
            outside: share.iter().map(|&share| share * inverse(share)).collect(),
            inside: share.clone(),
        })
        .collect();
    let rules = setting.grammar.rules().rules();
    for_each_tensor(offsets, tensors, |rule, tensor| {
        let [a, b, c] = parts(rules[rule]);
        let weight = setting.rule_weights[rule];
        let moments = (weight > 0.0).then(|| {
            let branches = subtrees.of_rule(rule);
            let shape = [a, b, c].map(|symbol| dims[symbol] as usize);
            let mut scratch = Scratch::default();
            counts(subtrees, vectors, branches, tensor, shape, &mut scratch);
            moments(scratch.weights.as_flattened(), weight, &shares[a], shape)
        });
        let length = row_length(dims[b] as usize, dims[c] as usize);
        let share = setting.probabilities[rule];
        smooth(moments.as_ref(), [&means[a], &means[b], &means[c]], setting.smoothing.rules, |i, row| {
            let out = &mut tensor[i * length..][..row.len()];
            out.iter_mut().zip(row).for_each(|(out, value)| *out = probability(share * value));
        });
    });

    let phrases = setting.grammar.symbols().phrases();
    let mut sums = vec![0.0; profiles.values.len()];
    for (at, leaf) in subtrees.leaves.iter().enumerate() {
        let share = &shares[phrases + leaf.tag as usize];
        let values = vectors.inside(at).iter().zip(vectors.outside(at)).zip(share);
        let values = values.map(|((&b, &a), &share)| f64::from(b) * f64::from(a) * inverse(share));
        profiles.add(leaf.tag as usize, leaf.pairs, values, &mut sums);
    }
    profiles.fill(&setting.index, &sums, &setting.smoothing);

    summary.set_shares(&shares);

    let total: f64 = root_counts.iter().sum();
    if total > 0.0 {
        roots.iter_mut().zip(root_counts).for_each(|(root, &count)| *root = (count / total) as f32);
    }
}

/// Expected counts of a rule with the states of its symbols, in the layout of its tensor.
fn counts(
    subtrees: &Subtrees,
    vectors: &Vectors,
    branches: &[u32],
    tensor: &[f32],
    shape: [usize; 3],
    scratch: &mut Scratch,
) {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
        // SAFETY: the processor has AVX2 and FMA, as was just asked.
        unsafe { counts_avx2(subtrees, vectors, branches, tensor, shape, scratch) };
        return;
    }
    counts_with::<false>(subtrees, vectors, branches, tensor, shape, scratch);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn counts_avx2(
    subtrees: &Subtrees,
    vectors: &Vectors,
    branches: &[u32],
    tensor: &[f32],
    shape: [usize; 3],
    scratch: &mut Scratch,
) {
    counts_with::<true>(subtrees, vectors, branches, tensor, shape, scratch);
}

#[inline(always)]
fn counts_with<const FUSED: bool>(
    subtrees: &Subtrees,
    vectors: &Vectors,
    branches: &[u32],
    tensor: &[f32],
    [height, mb, mc]: [usize; 3],
    scratch: &mut Scratch,
) {
    let Scratch { pairs, weights: sums, outside } = scratch;
    let width = row_length(mb, mc) / LANES;
    sums.clear();
    sums.resize(height * width, [0.0; LANES]);
    let count = batch(width);
    pairs.clear();
    pairs.resize(count.min(branches.len()) * width, [0.0; LANES]);
    let strides = Strides { row: 1, column: height };
    for batch in branches.chunks(count) {
        outside.clear();
        for (&at, pairs) in batch.iter().zip(pairs.chunks_exact_mut(width)) {
            let branch = subtrees.branches[at as usize];
            let own = subtrees.leaves.len() + at as usize;
            let factor = vectors.factor(own);
            outside.extend(vectors.outside(own).iter().map(|value| factor * value));
            outer(vectors.inside(branch.left as usize), vectors.inside(branch.right as usize), pairs);
        }
        let pairs = &pairs[..batch.len() * width];
        add_combinations::<FUSED>(outside, strides, pairs, width, height, sums);
    }
    for (sum, &value) in sums.as_flattened_mut().iter_mut().zip(tensor) {
        *sum *= value;
    }
}

/// The moments of a rule from its expected counts.
fn moments(counts: &[f32], weight: f64, share: &[f64], dims: [usize; 3]) -> RuleMoments {
    let [ma, mb, mc] = dims;
    let mut moments = RuleMoments {
        dims,
        weight,
        z: vec![0.0; ma],
        y: vec![0.0; mb],
        y2: vec![0.0; mc],
        zy: vec![0.0; ma * mb],
        zy2: vec![0.0; ma * mc],
        yy2: vec![0.0; mb * mc],
        third: vec![0.0; ma * mb * mc],
    };
    let length = row_length(mb, mc);
    for (i, &share) in share.iter().enumerate() {
        let (scale, inverse) = (weight.recip(), inverse(share));
        for j in 0..mb {
            let own = &counts[i * length + j * mc..][..mc];
            let third = &mut moments.third[(i * mb + j) * mc..][..mc];
            let zy2 = &mut moments.zy2[i * mc..][..mc];
            let yy2 = &mut moments.yy2[j * mc..][..mc];
            let mut sum = 0.0;
            for k in 0..mc {
                let joint = f64::from(own[k]) * scale;
                third[k] = joint * inverse;
                zy2[k] += joint * inverse;
                yy2[k] += joint;
                sum += joint;
            }
            moments.zy[i * mb + j] = sum * inverse;
            moments.z[i] += sum * inverse;
            moments.y[j] += sum;
        }
    }
    for row in moments.yy2.chunks_exact(mc) {
        moments.y2.iter_mut().zip(row).for_each(|(sum, value)| *sum += value);
    }
    moments
}

/// A probability as a number that takes no part in slow arithmetic: what is next to 0 is 0.
fn probability(value: f64) -> f32 {
    if value < 1e-30 { 0.0 } else { value as f32 }
}

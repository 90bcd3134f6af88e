//! The M-step: from the vectors of all subtrees to new parameters.
//!
//! ```text
//! n(a→bc; h,p,q) = C_hpq Σ_s x_s α_{s,h} β_{l,p} β_{r,q}          n(s→w; h) = Σ α_h β_h          n(a; h) = Σ α_h β_h
//! ```
//!
//! Divided by the count of the rule these are `E[Y_a ⊗ Y_b ⊗ Y_c | a→bc]` with Y the indicator of the state. With `Z_h
//! = Y_h / P(h | a)` they are the moments that all estimators here share. The back-off of
//! [`smoothing`](super::super::smoothing) therefore applies unchanged, and without it (`C = 0`) the new parameters are
//! `n(a→bc; h,p,q) / n(a; h)`, the maximum of the expected likelihood.

use rayon::prelude::*;

use super::super::estimate::parts;
use super::super::parameters::Parameters;
use super::passes::{Vectors, take};
use super::subtrees::Subtrees;
use super::trainer::Setting;
use super::update::{RuleInput, RuleUpdate};

/// A state with a smaller share of its symbol's nodes is dead: it is empty and stays empty.
const DEAD: f64 = 1e-9;

/// The expected shares of the states of each symbol, equal for symbols that were never seen.
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
    let narrow = |value: fn(f64) -> f64| -> Vec<Vec<f32>> {
        shares.iter().map(|share| share.iter().map(|&share| value(share) as f32).collect()).collect()
    };
    let (narrow_shares, inverses) = (narrow(|share| share), narrow(inverse));
    let rules = setting.grammar.rules().rules();
    let mut rest = &mut tensors[..];
    let jobs: Vec<(usize, &mut [f32])> = offsets
        .windows(2)
        .enumerate()
        .map(|(rule, range)| (rule, take(&mut rest, (range[1] - range[0]) as usize)))
        .collect();
    jobs.into_par_iter().for_each_init(RuleUpdate::default, |update, (rule, tensor)| {
        let [a, b, c] = parts(rules[rule]);
        let input = RuleInput {
            subtrees,
            vectors,
            rule,
            weight: setting.rule_weights[rule],
            probability: setting.probabilities[rule],
            constant: setting.smoothing.rules,
            inverse: &inverses[a],
            shares: [&narrow_shares[b], &narrow_shares[c]],
        };
        update.run(&input, tensor);
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

//! Estimates parameters from projected nodes.
//!
//! ```text
//! c(a→bc) = p(a→bc | a) · E[Z ⊗ Y ⊗ Y′ | a→bc]        Z of the node, Y and Y′ of its children
//! c(s→w)  = p(w | s) · E[Z | s→w]
//! c¹(a)   = E[[A = a] Y | root]
//! ```
//!
//! (Cohen et al. 2012, figure 7; with `E[Y Zᵀ | a] = I`, which [`states`](super::states) ensures.)

use linalg::Scalar;
use rayon::prelude::*;
use spectral::operators::JointMoments;

use super::config::SmoothingConfig;
use super::parameters::{Parameters, row_length};
use super::profiles::Profiles;
use super::smoothing::{RuleMoments, SymbolMeans, smooth};
use super::state_summary::StateSummary;
use super::states::States;
use super::treebank::NumberedTreebank;
use crate::grammar::BinaryRule;
use crate::pcfg::Pcfg;
use corpus::ids::Id;

/// Words seen at most this often form the classes of rare words.
pub(super) const RARE: f64 = 10.0;

/// The parameters of rules and roots: all but those of words.
pub(super) struct RuleEstimates<T: Scalar> {
    dims: Vec<u32>,
    offsets: Vec<u64>,
    tensors: Vec<T>,
    root_offsets: Vec<u32>,
    roots: Vec<T>,
    summary: StateSummary,
}

/// Estimates c(a→bc) and c¹(a). `probabilities` are those of the rules given their parents.
pub(super) fn estimate_rules<T: Scalar>(
    bank: &NumberedTreebank,
    grammar: &Pcfg,
    states: &States<T>,
    probabilities: &[f64],
    smoothing: &SmoothingConfig,
) -> RuleEstimates<T> {
    let symbols = grammar.symbols().len();
    let dims: Vec<u32> = (0..symbols).map(|symbol| states.dim(symbol) as u32).collect();
    let means: Vec<SymbolMeans> = (0..symbols)
        .into_par_iter()
        .map(|symbol| {
            let mean = |panel: &linalg::Panel<T>| {
                let mut sum = vec![0.0; panel.width()];
                let mut total = 0.0;
                for (site, &node) in bank.sites[symbol].iter().enumerate() {
                    let weight = bank.weight(node);
                    total += weight;
                    sum.iter_mut().zip(panel.row(site)).for_each(|(s, v)| *s += weight * v.to_f64());
                }
                sum.iter_mut().for_each(|s| *s = if total > 0.0 { *s / total } else { 1.0 });
                sum
            };
            SymbolMeans { inside: mean(&states.inside[symbol]), outside: mean(&states.outside[symbol]) }
        })
        .collect();

    let (offsets, mut tensors) = allocate(grammar.rules().rules(), &dims);
    for_each_tensor(&offsets, &mut tensors, |rule, tensor| {
        let [a, b, c] = parts(grammar.rules().rules()[rule]);
        let moments = moments(bank, states, &bank.applications[rule], [a, b, c]);
        let probability = probabilities[rule];
        let length = row_length(dims[b] as usize, dims[c] as usize);
        smooth(moments.as_ref(), [&means[a], &means[b], &means[c]], smoothing.rules, |i, row| {
            let out = &mut tensor[i * length..][..row.len()];
            out.iter_mut().zip(row).for_each(|(out, value)| *out = T::from_f64(probability * value));
        });
    });

    let (root_offsets, roots) = root_vectors(bank, &dims, |node| states.inside(bank, node));
    let summary = StateSummary::new(states, &means);
    RuleEstimates { dims, offsets, tensors, root_offsets, roots, summary }
}

impl<T: Scalar> RuleEstimates<T> {
    /// Estimates c(s→w) too, which completes the parameters.
    pub(super) fn with_words(
        self,
        bank: &NumberedTreebank,
        grammar: &Pcfg,
        states: &States<T>,
        smoothing: &SmoothingConfig,
    ) -> Parameters<T> {
        let outside = |node| states.outside(bank, node);
        let profiles = Profiles::estimate(bank, grammar, &self.dims, smoothing, RARE, outside);
        let Self { dims, offsets, tensors, root_offsets, roots, summary } = self;
        Parameters { dims, offsets, tensors, root_offsets, roots, profiles, summary }
    }
}

/// The symbols of a rule as indices: parent, left, right.
pub(super) fn parts(rule: BinaryRule) -> [usize; 3] {
    [rule.parent.index(), rule.left.index(), rule.right.index()]
}

/// Allocates the tensors of all rules: the start of each, and zeros.
pub(super) fn allocate<T: Scalar>(rules: &[BinaryRule], dims: &[u32]) -> (Vec<u64>, Vec<T>) {
    let mut offsets = Vec::with_capacity(rules.len() + 1);
    let mut end = 0;
    offsets.push(0);
    for &rule in rules {
        let [a, b, c] = parts(rule).map(|symbol| dims[symbol] as usize);
        end += (a * row_length(b, c)) as u64;
        offsets.push(end);
    }
    (offsets, vec![T::default(); end as usize])
}

/// Calls `fill` with each rule's number and tensor, on all threads.
pub(super) fn for_each_tensor<T: Scalar>(
    offsets: &[u64],
    mut tensors: &mut [T],
    fill: impl Fn(usize, &mut [T]) + Sync,
) {
    let mut parts = Vec::with_capacity(offsets.len());
    for (rule, pair) in offsets.windows(2).enumerate() {
        let (tensor, rest) = std::mem::take(&mut tensors).split_at_mut((pair[1] - pair[0]) as usize);
        parts.push((rule, tensor));
        tensors = rest;
    }
    parts.into_par_iter().for_each(|(rule, tensor)| fill(rule, tensor));
}

fn moments<T: Scalar>(
    bank: &NumberedTreebank,
    states: &States<T>,
    nodes: &[u32],
    [a, b, c]: [usize; 3],
) -> Option<RuleMoments> {
    if nodes.is_empty() {
        return None;
    }
    let dims = [states.dim(a), states.dim(b), states.dim(c)];
    let mut sums = JointMoments::new(dims);
    for &id in nodes {
        let node = &bank.nodes[id as usize];
        sums.add(
            bank.weight(id),
            states.outside(bank, id),
            states.inside(bank, node.left),
            states.inside(bank, node.right),
        );
    }
    RuleMoments::new(sums)
}

/// `E[[A = a] Y | root]` for all symbols.
pub(super) fn root_vectors<'v, T: Scalar>(
    bank: &NumberedTreebank,
    dims: &[u32],
    inside: impl Fn(u32) -> &'v [T],
) -> (Vec<u32>, Vec<T>) {
    let total = bank.total();
    let mut sums: Vec<Vec<f64>> = vec![Vec::new(); dims.len()];
    for tree in 0..bank.trees() {
        let root = bank.starts[tree];
        let symbol = bank.nodes[root as usize].symbol as usize;
        let sum = &mut sums[symbol];
        sum.resize(dims[symbol] as usize, 0.0);
        let weight = bank.weights[tree] / total;
        sum.iter_mut().zip(inside(root)).for_each(|(sum, value)| *sum += weight * value.to_f64());
    }
    let mut offsets = vec![0];
    let mut roots = Vec::new();
    for sum in sums {
        roots.extend(sum.into_iter().map(T::from_f64));
        offsets.push(roots.len() as u32);
    }
    (offsets, roots)
}

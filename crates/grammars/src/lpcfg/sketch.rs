//! A sketch of a spectral model: its first few states.
//!
//! The states of a spectral model are singular directions, the most important first, and moments of the first `k` are the
//! parameters of the model with `k` states. Thus the corner of a tensor is the tensor of a smaller model, which costs
//! almost nothing and judges rule applications better than the grammar without states. It prunes the forest before the
//! whole model runs.

use corpus::vocab::VocabBuilder;

use super::estimate::{allocate, parts};
use super::parameters::{Parameters, row_length};
use super::profiles::Profiles;
use super::state_summary::StateSummary;
use crate::pcfg::Pcfg;

/// Tensors and roots of the first states; word profiles are read from the whole model.
#[derive(Clone, Debug)]
pub(super) struct Sketch {
    /// The maximum number of states.
    pub(super) states: u32,
    pub(super) parameters: Parameters<f32>,
}

impl Sketch {
    /// The first `states` states of a model.
    pub(super) fn new(whole: &Parameters<f32>, grammar: &Pcfg, states: u32) -> Self {
        let dims = whole.dims.iter().map(|&dim| dim.min(states)).collect();
        Self { states, parameters: corner(whole, grammar, dims) }
    }
}

/// The first states of a model, for each symbol this many. It has no word profiles.
pub(super) fn corner(whole: &Parameters<f32>, grammar: &Pcfg, dims: Vec<u32>) -> Parameters<f32> {
    let rules = grammar.rules().rules();
    let (offsets, mut tensors) = allocate::<f32>(rules, &dims);
    for (number, &rule) in rules.iter().enumerate() {
        let [a, b, c] = parts(rule).map(|symbol| dims[symbol] as usize);
        let [_, whole_b, whole_c] = parts(rule).map(|symbol| whole.dims[symbol] as usize);
        let target = &mut tensors[offsets[number] as usize..offsets[number + 1] as usize];
        let source = whole.tensor(number).chunks_exact(row_length(whole_b, whole_c));
        for (target, source) in target.chunks_exact_mut(row_length(b, c)).zip(source).take(a) {
            for (target, source) in target.chunks_exact_mut(c).zip(source.chunks_exact(whole_c)).take(b) {
                target.copy_from_slice(&source[..c]);
            }
        }
    }
    let mut root_offsets = vec![0];
    let mut roots = Vec::new();
    for (symbol, &dim) in dims.iter().enumerate() {
        roots.extend(whole.root(symbol).iter().take(dim as usize));
        root_offsets.push(roots.len() as u32);
    }
    let classes = VocabBuilder::new().freeze();
    let (by_word, by_class, by_tag, values) = Default::default();
    let profiles = Profiles { classes, by_word, by_class, by_tag, values };
    let summary = StateSummary { inside: Vec::new(), outside: Vec::new(), spectra: Vec::new() };
    Parameters { dims, offsets, tensors, root_offsets, roots, profiles, summary }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lpcfg::tests::{Signs, tiny};

    #[test]
    fn a_sketch_is_the_corner_of_every_tensor() {
        for seed in 0..5 {
            let model = tiny(seed, Signs::Mixed);
            let refined = &model.grammars[0];
            let whole = &refined.members[0];
            let all = Sketch::new(whole, &refined.grammar, 9).parameters;
            assert_eq!((&all.dims, &all.tensors, &all.roots), (&whole.dims, &whole.tensors, &whole.roots));
            let corner = Sketch::new(whole, &refined.grammar, 2).parameters;
            for (number, &rule) in refined.grammar.rules().rules().iter().enumerate() {
                let [_, b, c] = parts(rule).map(|symbol| whole.dim(symbol));
                let [small_a, small_b, small_c] = parts(rule).map(|symbol| corner.dim(symbol));
                for place in 0..small_a * small_b * small_c {
                    let (i, j, k) = (place / small_c / small_b, place / small_c % small_b, place % small_c);
                    assert_eq!(
                        corner.tensor(number)[i * row_length(small_b, small_c) + j * small_c + k],
                        whole.tensor(number)[i * row_length(b, c) + j * c + k]
                    );
                }
            }
            for symbol in 0..whole.dims.len() {
                let expected = whole.root(symbol);
                assert_eq!(corner.root(symbol), &expected[..expected.len().min(2)]);
            }
        }
    }
}

//! Random start for EM.

use linalg::Scalar;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::super::estimate::{RARE, allocate, for_each_tensor, parts};
use super::super::parameters::{Parameters, row_length};
use super::super::profiles::{ProfileIndex, Profiles};
use super::super::state_summary::StateSummary;
use super::super::treebank::NumberedTreebank;
use crate::pcfg::Pcfg;

/// Probabilities are multiplied by a random factor between a third and three (Matsuzaki et al. 2005, section 4).
const SPREAD: f32 = 3.0;

/// Minimum number of nodes per state: with fewer there is nothing to distinguish states by.
const NODES_PER_STATE: f64 = 30.0;

/// The number of states of each symbol, at most `states`.
pub(in super::super) fn em_dims(bank: &NumberedTreebank, states: usize) -> Vec<u32> {
    let dim = |nodes: &Vec<u32>| states.min((bank.weight_of(nodes) / NODES_PER_STATE) as usize).max(1);
    bank.sites.iter().map(|nodes| dim(nodes) as u32).collect()
}

/// The grammar's own probabilities, divided among the states in almost equal parts. `dims` are the numbers of states,
/// `probabilities` those of the rules given their parents.
pub(in super::super) fn random_start(
    bank: &NumberedTreebank,
    grammar: &Pcfg,
    dims: Vec<u32>,
    probabilities: &[f64],
    seed: u64,
) -> Parameters<f32> {
    let noise = |rng: &mut ChaCha8Rng| SPREAD.powf(rng.random_range(-1.0..1.0));
    let stream = |number: u64| {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(number);
        rng
    };
    let rules = grammar.rules().rules();
    let (offsets, mut tensors) = allocate::<f32>(rules, &dims);
    for_each_tensor(&offsets, &mut tensors, |rule, tensor| {
        let mut rng = stream(rule as u64 + 1);
        let [_, b, c] = parts(rules[rule]).map(|symbol| dims[symbol] as usize);
        let value = (probabilities[rule] / (b * c) as f64) as f32;
        for row in tensor.chunks_exact_mut(row_length(b, c)) {
            row[..b * c].iter_mut().for_each(|out| *out = value * noise(&mut rng));
        }
    });
    let phrases = grammar.symbols().phrases();
    let mut profiles = Profiles::<f32>::new(&ProfileIndex::new(bank, grammar, RARE), &dims[phrases..]);
    let mut rng = stream(0);
    profiles.values.iter_mut().for_each(|value| *value = noise(&mut rng));
    let total = bank.total();
    let mut roots: Vec<Vec<f32>> = vec![Vec::new(); dims.len()];
    for tree in 0..bank.trees() {
        let symbol = bank.nodes[bank.starts[tree] as usize].symbol as usize;
        let share = bank.weights[tree] / total / f64::from(dims[symbol]);
        roots[symbol].resize(dims[symbol] as usize, 0.0);
        roots[symbol].iter_mut().for_each(|root| *root += f32::from_f64(share));
    }
    let mut root_offsets = vec![0];
    let mut end = 0;
    root_offsets.extend(roots.iter().map(|root| {
        end += root.len() as u32;
        end
    }));
    let summary = StateSummary::equal(&dims);
    Parameters { dims, offsets, tensors, root_offsets, roots: roots.concat(), profiles, summary }
}

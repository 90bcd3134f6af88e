//! A hidden Markov model as right-branching trees: `X → T X`, the state of each `X` that of the chain. The probabilities of
//! all sequences are recovered from the population.

use corpus::tree::Tree;
use spectral::moments::Scaling;

use super::learnt::{Learnt, exact_config};
use crate::lpcfg::features::FeatureSet;

const LENGTH: usize = 4;
const START: [f64; 2] = [0.6, 0.4];
/// By state: the next state.
const NEXT: [[f64; 2]; 2] = [[0.8, 0.2], [0.3, 0.7]];
/// By state: tag, and word of the tag.
const TAGS: [[f64; 2]; 2] = [[0.7, 0.3], [0.2, 0.8]];
const WORDS: [[[f64; 2]; 2]; 2] = [[[0.9, 0.1], [0.4, 0.6]], [[0.25, 0.75], [0.85, 0.15]]];

/// The probability of a sequence of tags and words, by the forward algorithm.
fn probability(symbols: &[(usize, usize)]) -> f64 {
    let emit = |h: usize, (tag, word): (usize, usize)| TAGS[h][tag] * WORDS[h][tag][word];
    let mut forward: Vec<f64> = (0..2).map(|h| START[h] * emit(h, symbols[0])).collect();
    for &symbol in &symbols[1..] {
        let step =
            |to: usize| (0..2).map(|from| forward[from] * NEXT[from][to]).sum::<f64>() * emit(to, symbol);
        forward = (0..2).map(step).collect();
    }
    forward.iter().sum()
}

fn tree(symbols: &[(usize, usize)]) -> String {
    let tag = |(tag, word): (usize, usize)| format!("({} {}{word})", ["T", "U"][tag], ["t", "u"][tag]);
    match symbols {
        [one, other] => format!("(X {} {})", tag(*one), tag(*other)),
        [first, rest @ ..] => format!("(X {} {})", tag(*first), tree(rest)),
        [] => String::new(),
    }
}

#[test]
fn sequences_of_a_hidden_markov_model_have_their_true_probability() {
    let (mut trees, mut probabilities) = (Vec::new(), Vec::new());
    for code in 0..4_usize.pow(LENGTH as u32) {
        let symbols: Vec<(usize, usize)> =
            (0..LENGTH).map(|at| code >> (2 * at) & 3).map(|symbol| (symbol & 1, symbol >> 1)).collect();
        trees.push(tree(&symbols).parse::<Tree>().unwrap());
        probabilities.push(probability(&symbols));
    }
    assert!((probabilities.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    let config = exact_config(12, FeatureSet::Paper, Scaling::DiagonalCca { pseudo_count: 0.0 });
    let learnt = Learnt::new(&trees, &probabilities, &config);
    let mut worst = 0.0_f64;
    for (tree, truth) in trees.iter().zip(&probabilities) {
        worst = worst.max((learnt.probability(&learnt.parameters, tree) / truth - 1.0).abs());
    }
    assert!(worst < 1e-8, "{worst:e}");
    assert_eq!((learnt.states("T"), learnt.states("U")), (2, 2));
}

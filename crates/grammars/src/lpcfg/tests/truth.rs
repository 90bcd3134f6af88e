//! Small latent grammars with known parameters whose trees can all be listed.

use corpus::tree::Tree;
use rand::Rng;
use rand_chacha::ChaCha8Rng;

/// The number of states of each symbol, in the order of [`LABELS`].
pub(super) type States = [usize; 6];

/// Phrases, then tags.
pub(super) const LABELS: [&str; 6] = ["S", "R", "A", "B", "T", "U"];
const PHRASES: usize = 4;
const WORDS: usize = 3;

/// The grammar is not recursive, so there are finitely many trees. `A`, `B` and the tags occur in several contexts.
const RULES: [[usize; 3]; 10] = [
    [0, 2, 3],
    [0, 2, 2],
    [0, 4, 2],
    [1, 3, 2],
    [1, 2, 5],
    [2, 4, 5],
    [2, 5, 4],
    [2, 4, 3],
    [3, 4, 4],
    [3, 5, 4],
];

/// A grammar with latent states.
pub(super) struct Truth {
    states: States,
    /// `π(a, h)` of the two roots.
    roots: [Vec<f64>; 2],
    /// For each rule `t(a→bc, h₂, h₃ | a, h₁)`, the last index running fastest.
    tensors: Vec<Vec<f64>>,
    /// `q(s→w | s, h)`, by tag, state, word.
    words: [Vec<Vec<f64>>; 2],
}

/// All trees of a grammar with their probabilities.
pub(super) struct Population {
    pub(super) trees: Vec<Tree>,
    pub(super) probabilities: Vec<f64>,
}

/// A random distribution, uneven enough for states to differ.
fn distribution(rng: &mut ChaCha8Rng, size: usize) -> Vec<f64> {
    let draws: Vec<f64> = (0..size).map(|_| 0.02 + rng.random::<f64>().powi(3)).collect();
    let sum: f64 = draws.iter().sum();
    draws.into_iter().map(|draw| draw / sum).collect()
}

impl Truth {
    pub(super) fn random(rng: &mut ChaCha8Rng, states: States) -> Self {
        let mut tensors: Vec<Vec<f64>> =
            RULES.iter().map(|rule| vec![0.0; rule.iter().map(|&symbol| states[symbol]).product()]).collect();
        for (parent, &count) in states.iter().enumerate().take(PHRASES) {
            let own: Vec<usize> = (0..RULES.len()).filter(|&rule| RULES[rule][0] == parent).collect();
            for h in 0..count {
                let sizes = own.iter().map(|&rule| tensors[rule].len() / count);
                let mut drawn = distribution(rng, sizes.sum()).into_iter();
                for &rule in &own {
                    let size = tensors[rule].len() / count;
                    tensors[rule][h * size..(h + 1) * size].fill_with(|| drawn.next().unwrap());
                }
            }
        }
        let mut root = distribution(rng, states[0] + states[1]);
        let second = root.split_off(states[0]);
        let words =
            [4, 5].map(|tag: usize| (0..states[tag]).map(|_| distribution(rng, WORDS)).collect::<Vec<_>>());
        Self { states, roots: [root, second], tensors, words }
    }

    /// All trees below a symbol with their inside vectors.
    fn below(&self, symbol: usize) -> Vec<(String, Vec<f64>)> {
        if let Some(tag) = symbol.checked_sub(PHRASES) {
            let word = |word: usize| {
                let inside = self.words[tag].iter().map(|state| state[word]).collect();
                (format!("({} w{word})", LABELS[symbol]), inside)
            };
            return (0..WORDS).map(word).collect();
        }
        let mut all = Vec::new();
        for (rule, tensor) in RULES.iter().zip(&self.tensors).filter(|(rule, _)| rule[0] == symbol) {
            let (lefts, rights) = (self.below(rule[1]), self.below(rule[2]));
            let (mb, mc) = (self.states[rule[1]], self.states[rule[2]]);
            for (left_text, left) in &lefts {
                for (right_text, right) in &rights {
                    let inside = |matrix: &[f64]| -> f64 {
                        (0..mb * mc).map(|at| matrix[at] * left[at / mc] * right[at % mc]).sum()
                    };
                    let vector = tensor.chunks_exact(mb * mc).map(inside).collect();
                    all.push((format!("({} {left_text} {right_text})", LABELS[symbol]), vector));
                }
            }
        }
        all
    }

    pub(super) fn population(&self) -> Population {
        let mut population = Population { trees: Vec::new(), probabilities: Vec::new() };
        for (root, prior) in self.roots.iter().enumerate() {
            for (text, inside) in self.below(root) {
                population.trees.push(text.parse().unwrap());
                population.probabilities.push(prior.iter().zip(&inside).map(|(p, b)| p * b).sum());
            }
        }
        let total: f64 = population.probabilities.iter().sum();
        assert!((total - 1.0).abs() < 1e-12, "all trees are listed");
        population
    }
}

//! Random L-PCFGs in the normal form of the theory.
//!
//! Symbols are interminals, which rewrite to two symbols, and preterminals, which yield a word (Cohen et al. 2012,
//! section 4): `t(a → b c, h₂, h₃ | h₁, a)`, `q(a → x | h, a)`, `π(a, h)`. The parameters are accessible, so that a
//! test can compute the population moments that a learner only estimates.
//!
//! A random interminal has 0.55 interminal children on average, so the expected tree is finite.

use rand::Rng;

use super::builder::GrammarBuilder;
use super::choice::random_simplex;
use super::lpcfg::{Capitalization, LatentGrammar, StateId};

/// Sizes of a random grammar, at least one each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NormalFormConfig {
    /// Symbols that rewrite to two symbols.
    pub interminals: usize,
    /// Symbols that yield words.
    pub preterminals: usize,
    /// Words, which every preterminal can yield.
    pub words: usize,
    /// Hidden states of every symbol.
    pub states: usize,
}

impl Default for NormalFormConfig {
    /// Two interminals, two preterminals, four words, two states: small enough to enumerate.
    fn default() -> Self {
        Self { interminals: 2, preterminals: 2, words: 4, states: 2 }
    }
}

/// Probabilities that none, one or both children of an interminal are interminals.
const INTERMINAL_CHILDREN: [f64; 3] = [0.6, 0.25, 0.15];

/// An L-PCFG of binary and lexical rules with accessible parameters. Symbols are numbered, interminals first.
#[derive(Clone, Debug)]
pub struct NormalFormLpcfg {
    config: NormalFormConfig,
    /// `root[a * m + h]`, over interminals.
    root: Vec<f64>,
    /// `binary[((((a * m + h₁) * N + b) * N + c) * m + h₂) * m + h₃]`.
    binary: Vec<f64>,
    /// `lexical[(p * m + h) * words + x]`, `p` counted from the first preterminal.
    lexical: Vec<f64>,
}

impl NormalFormLpcfg {
    /// A random grammar.
    pub fn random<R: Rng + ?Sized>(config: NormalFormConfig, rng: &mut R) -> Self {
        let config = NormalFormConfig {
            interminals: config.interminals.max(1),
            preterminals: config.preterminals.max(1),
            words: config.words.max(1),
            states: config.states.max(1),
        };
        let (m, symbols) = (config.states, config.interminals + config.preterminals);
        let mut binary = Vec::new();
        for _ in 0..config.interminals * m {
            let mut row = random_simplex(symbols * symbols * m * m, rng);
            let kind = |index: usize| {
                let pair = index / (m * m);
                usize::from(pair / symbols < config.interminals)
                    + usize::from(pair % symbols < config.interminals)
            };
            let mut mass = [0.0; 3];
            row.iter().enumerate().for_each(|(index, p)| mass[kind(index)] += p);
            for (index, p) in row.iter_mut().enumerate() {
                *p *= INTERMINAL_CHILDREN[kind(index)] / mass[kind(index)];
            }
            binary.extend(row);
        }
        let lexical = (0..config.preterminals * m).flat_map(|_| random_simplex(config.words, rng)).collect();
        Self { config, root: random_simplex(config.interminals * m, rng), binary, lexical }
    }

    /// Sizes of the grammar.
    pub fn config(&self) -> NormalFormConfig {
        self.config
    }

    /// Number of symbols.
    pub fn symbol_count(&self) -> usize {
        self.config.interminals + self.config.preterminals
    }

    /// `π(a, ·)`; empty for a preterminal.
    pub fn root(&self, a: usize) -> &[f64] {
        let m = self.config.states;
        self.root.get(a * m..(a + 1) * m).unwrap_or_default()
    }

    /// `t(a → b c, h₂, h₃ | h₁, a)` as a row-major matrix over `h₂`, `h₃`.
    ///
    /// # Panics
    /// If `a` is not an interminal, or a symbol or state does not exist.
    pub fn binary(&self, a: usize, h1: usize, b: usize, c: usize) -> &[f64] {
        let (m, n) = (self.config.states, self.symbol_count());
        let start = (((a * m + h1) * n + b) * n + c) * m * m;
        &self.binary[start..start + m * m]
    }

    /// `q(a → · | h, a)` over words, for a preterminal `a`.
    ///
    /// # Panics
    /// If `a` is not a preterminal, or the state does not exist.
    pub fn lexical(&self, a: usize, h: usize) -> &[f64] {
        let start = ((a - self.config.interminals) * self.config.states + h) * self.config.words;
        &self.lexical[start..start + self.config.words]
    }

    /// Surface label of a symbol: `N0`, `N1`, … for interminals, `T0`, … for preterminals.
    pub fn label(&self, symbol: usize) -> String {
        match symbol.checked_sub(self.config.interminals) {
            None => format!("N{symbol}"),
            Some(preterminal) => format!("T{preterminal}"),
        }
    }

    /// Form of a word: `w0`, `w1`, …
    pub fn word(&self, word: usize) -> String {
        format!("w{word}")
    }

    /// The same model as a [`LatentGrammar`], to sample from.
    pub fn to_grammar(&self) -> LatentGrammar {
        let (m, symbols) = (self.config.states, self.symbol_count());
        let mut builder = GrammarBuilder::new();
        let ids: Vec<StateId> = (0..symbols * m)
            .map(|index| builder.state(&self.label(index / m), &(index % m).to_string(), None))
            .collect();
        let positive = "a random simplex point has positive entries";
        for (index, &p) in self.root.iter().enumerate() {
            builder.root(ids[index], p, None).expect(positive);
        }
        for (index, &p) in self.binary.iter().enumerate() {
            let (parent, rest) = (index / (symbols * symbols * m * m), index % (symbols * symbols * m * m));
            let (b, c) = (rest / (symbols * m * m), rest / (m * m) % symbols);
            let children = [ids[b * m + rest / m % m], ids[c * m + rest % m]];
            builder.rule(ids[parent], &children, p, None).expect(positive);
        }
        for (index, &p) in self.lexical.iter().enumerate() {
            let tag = self.config.interminals * m + index / self.config.words;
            let word = self.word(index % self.config.words);
            builder.word(ids[tag], &word, p, None).expect(positive);
        }
        builder
            .build(Capitalization::AsWritten)
            .expect("every symbol is defined and reached, and recursion ends")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::synthetic::SampleConfig;
    use crate::tree::{NodeRef, Tree};
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    /// Inside vector of a node, computed directly from the arrays.
    fn inside(model: &NormalFormLpcfg, node: NodeRef<'_>) -> (usize, Vec<f64>) {
        let m = model.config().states;
        let symbol = (0..model.symbol_count()).find(|&s| model.label(s) == node.label()).unwrap();
        if let Some(word) = node.word() {
            let word = (0..model.config().words).find(|&x| model.word(x) == word).unwrap();
            return (symbol, (0..m).map(|h| model.lexical(symbol, h)[word]).collect());
        }
        let children: Vec<(usize, Vec<f64>)> = node.children().map(|child| inside(model, child)).collect();
        let [(b, left), (c, right)] = &children[..] else { panic!("binary trees only") };
        let weight = |h1: usize| -> f64 {
            let matrix = model.binary(symbol, h1, *b, *c);
            (0..m * m).map(|index| matrix[index] * left[index / m] * right[index % m]).sum()
        };
        (symbol, (0..m).map(weight).collect())
    }

    fn probability(model: &NormalFormLpcfg, tree: &Tree) -> f64 {
        let (symbol, weights) = inside(model, tree.root());
        model.root(symbol).iter().zip(&weights).map(|(p, w)| p * w).sum()
    }

    #[test]
    fn parameters_are_distributions() {
        let config = NormalFormConfig { interminals: 3, preterminals: 2, words: 5, states: 3 };
        let model = NormalFormLpcfg::random(config, &mut ChaCha8Rng::seed_from_u64(1));
        for h in 0..3 {
            for a in 0..3 {
                let all = (0..5).flat_map(|b| (0..5).map(move |c| (b, c)));
                let total: f64 = all.map(|(b, c)| model.binary(a, h, b, c).iter().sum::<f64>()).sum();
                assert!((total - 1.0).abs() < 1e-12);
            }
            for a in 3..5 {
                assert!((model.lexical(a, h).iter().sum::<f64>() - 1.0).abs() < 1e-12);
            }
        }
        assert!(model.root(3).is_empty());
    }

    #[test]
    fn the_grammar_has_the_probabilities_of_the_arrays() {
        let mut rng = ChaCha8Rng::seed_from_u64(2);
        let model = NormalFormLpcfg::random(NormalFormConfig::default(), &mut rng);
        let grammar = model.to_grammar();
        // An interminal has 0.55 interminals on average, so 1 / 0.45 in total, each of which adds one leaf.
        assert!((grammar.expected_length() - (1.0 / 0.45 + 1.0)).abs() < 1e-9);
        for _ in 0..100 {
            let tree = grammar.sample(&SampleConfig::default(), &mut rng).unwrap();
            let (a, b) = (probability(&model, &tree), grammar.log_probability(&tree).exp());
            assert!((a - b).abs() <= 1e-10 * a, "{a} {b}");
        }
    }

    #[test]
    fn frequencies_approach_probabilities() {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let config = NormalFormConfig { interminals: 1, preterminals: 1, words: 2, states: 2 };
        let model = NormalFormLpcfg::random(config, &mut rng);
        let grammar = model.to_grammar();
        let draw = SampleConfig { max_words: 500, ..SampleConfig::default() };
        let trees: Vec<Tree> = (0..30_000).map(|_| grammar.sample(&draw, &mut rng).unwrap()).collect();
        for text in ["(N0 (T0 w0) (T0 w1))", "(N0 (T0 w1) (N0 (T0 w0) (T0 w0)))"] {
            let tree: Tree = text.parse().unwrap();
            let p = probability(&model, &tree);
            let found = trees.iter().filter(|drawn| **drawn == tree).count() as f64 / trees.len() as f64;
            assert!(
                (found - p).abs() < 5.0 * (p * (1.0 - p) / trees.len() as f64).sqrt(),
                "{text}: {found} {p}"
            );
        }
        let tiny = SampleConfig { max_words: 1, ..SampleConfig::default() };
        assert!(grammar.sample(&tiny, &mut rng).is_err(), "no tree has a single word");
    }
}

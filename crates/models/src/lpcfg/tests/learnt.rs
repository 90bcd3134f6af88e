//! Learning in double precision from trees that count with given weights, and changing the bases of what was learnt.

use corpus::ids::Id;
use corpus::tree::Tree;
use corpus::tree::heads::HeadRules;
use linalg::Scalar;
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use spectral::moments::Scaling;

use crate::grammar::{BinaryRule, SymbolId};
use crate::learn::{Learner, Silent};
use crate::lexicon::{ContextConfig, LexiconConfig};
use crate::lpcfg::config::{SmoothingConfig, SpectralConfig};
use crate::lpcfg::estimate::{estimate, parts};
use crate::lpcfg::features::{Context, FeatureSet, tag_number, tags_of};
use crate::lpcfg::parameters::{Parameters, row_length};
use crate::lpcfg::profiles::Profiles;
use crate::lpcfg::states::project;
use crate::lpcfg::treebank::Treebank;
use crate::pcfg::{Pcfg, PcfgConfig, PcfgLearner};

/// A lexicon of word counts alone, in which words keep the tags they were seen with.
pub(super) fn plain_grammar(trees: &[Tree]) -> Pcfg {
    let context = ContextConfig { passes: 0, ..ContextConfig::default() };
    let lexicon = LexiconConfig { closed_count: 0, context, ..LexiconConfig::default() };
    let config = PcfgConfig { lexicon, ..PcfgConfig::default() };
    PcfgLearner { config }.learn(trees, &mut Silent).unwrap().model
}

/// Moments as they are, every direction that has a singular value.
pub(super) fn exact_config(states: usize, features: FeatureSet, scaling: Scaling) -> SpectralConfig {
    SpectralConfig {
        states,
        nodes_per_state: 1e-12,
        min_singular_ratio: 1e-9,
        features,
        scaling,
        tolerance: 1e-13,
        ..SpectralConfig::default()
    }
}

/// A model in double precision, with exact relative frequencies of words.
pub(super) struct Learnt {
    pub(super) grammar: Pcfg,
    pub(super) parameters: Parameters<f64>,
    /// `p(w | s)` by preterminal and word.
    words: Vec<Vec<f64>>,
}

impl Learnt {
    /// From binary trees that count with weights.
    pub(super) fn new(trees: &[Tree], weights: &[f64], config: &SpectralConfig) -> Self {
        let grammar = plain_grammar(trees);
        let bank = match Treebank::new(trees, weights.to_vec(), &grammar, &HeadRules::english()) {
            Ok(bank) => bank,
            Err(_) => panic!("the grammar has all rules of its trees"),
        };
        let phrases = grammar.symbols().phrases();
        let (tags, tag_starts) = tags_of(&bank, |symbol| tag_number(grammar.lexicon(), phrases, symbol));
        let context = Context {
            bank: &bank,
            set: config.features,
            signatures: &vec![0; grammar.lexicon().words().len()],
            tags: &tags,
            tag_starts: &tag_starts,
        };
        let states = project::<f64>(&context, config, |_| {}).unwrap();
        let rules = grammar.rules().rules().iter().enumerate();
        let frequency = |(rule, binary): (usize, &BinaryRule)| {
            bank.weight_of(&bank.applications[rule]) / bank.weight_of(&bank.sites[binary.parent.index()])
        };
        let frequencies: Vec<f64> = rules.map(frequency).collect();
        let parameters = estimate(&bank, &grammar, &states, &frequencies, &SmoothingConfig::none());
        let words = bank.sites[phrases..].iter().map(|sites| {
            let mut sums = vec![0.0; grammar.lexicon().words().len()];
            for &node in sites {
                sums[bank.nodes[node as usize].word as usize] += bank.weight(node);
            }
            let total: f64 = sums.iter().sum();
            sums.into_iter().map(|sum| sum / total).collect()
        });
        let words = words.collect();
        Self { grammar, parameters, words }
    }

    /// The vector of a word under a preterminal.
    pub(super) fn emission(&self, parameters: &Parameters<f64>, tag: usize, word: &str) -> Vec<f64> {
        let word = self.grammar.lexicon().words().get(word).unwrap().index();
        let profile = parameters.profiles.get(Some(word), None, tag);
        profile.iter().map(|value| value * self.words[tag][word]).collect()
    }

    /// `p(tree)` under parameters of this grammar.
    pub(super) fn probability(&self, parameters: &Parameters<f64>, tree: &Tree) -> f64 {
        let words: Vec<&str> = tree.words().collect();
        let emit = |tag: usize, position: usize| Some(self.emission(parameters, tag, words[position]));
        parameters.tree_probability(self.grammar.symbols(), self.grammar.rules(), tree, emit).value()
    }

    /// How many states a symbol has.
    pub(super) fn states(&self, label: &str) -> usize {
        let mut symbols = self.grammar.symbols().iter();
        let symbol = symbols.find(|&symbol| self.grammar.symbols().label(symbol) == label).unwrap();
        self.parameters.dim(symbol.index())
    }
}

/// The same numbers in single precision.
pub(super) fn narrow(parameters: &Parameters<f64>) -> Parameters<f32> {
    let narrow = |values: &[f64]| values.iter().map(|&value| value as f32).collect::<Vec<f32>>();
    let profiles = &parameters.profiles;
    Parameters {
        dims: parameters.dims.clone(),
        offsets: parameters.offsets.clone(),
        tensors: narrow(&parameters.tensors),
        root_offsets: parameters.root_offsets.clone(),
        roots: narrow(&parameters.roots),
        profiles: Profiles {
            classes: profiles.classes.clone(),
            by_word: profiles.by_word.clone(),
            by_class: profiles.by_class.clone(),
            by_tag: profiles.by_tag.clone(),
            values: narrow(&profiles.values),
        },
        summary: parameters.summary.clone(),
    }
}

type Matrix = Vec<Vec<f64>>;

/// A random matrix far from the identity, and its inverse by elimination.
fn invertible(size: usize, rng: &mut ChaCha8Rng) -> (Matrix, Matrix) {
    let spread = 1.0 / size as f64;
    let diagonal = |i: usize, j: usize| if i == (j + 1) % size { 1.5 } else { 0.0 };
    let matrix: Matrix = (0..size)
        .map(|i| (0..size).map(|j| rng.random_range(-spread..spread) + diagonal(i, j)).collect())
        .collect();
    let identity = |i: usize| (0..size).map(move |j| f64::from(u8::from(i == j)));
    let mut rows: Matrix =
        matrix.iter().enumerate().map(|(i, row)| row.iter().copied().chain(identity(i)).collect()).collect();
    for column in 0..size {
        let size_at = |row: &Vec<f64>| row[column].abs();
        let best = (column..size).max_by(|&a, &b| size_at(&rows[a]).total_cmp(&size_at(&rows[b])));
        rows.swap(column, best.unwrap());
        let pivot = rows[column][column];
        rows[column].iter_mut().for_each(|value| *value /= pivot);
        let pivot_row = rows[column].clone();
        for (_, row) in rows.iter_mut().enumerate().filter(|&(at, _)| at != column) {
            let factor = row[column];
            row.iter_mut().zip(&pivot_row).for_each(|(value, p)| *value -= factor * p);
        }
    }
    (matrix, rows.into_iter().map(|row| row[size..].to_vec()).collect())
}

/// The same model with another basis at each symbol: `b ↦ G b` for inside vectors, the inverse for what they meet.
pub(super) fn change_basis<T: Scalar>(
    grammar: &Pcfg,
    parameters: &Parameters<T>,
    rng: &mut ChaCha8Rng,
) -> Parameters<T> {
    let bases: Vec<(Matrix, Matrix)> =
        parameters.dims.iter().map(|&dim| invertible(dim as usize, rng)).collect();
    let mut changed = parameters.clone();
    let number = |value: T| value.to_f64();
    for (rule, &binary) in grammar.rules().rules().iter().enumerate() {
        let [a, b, c] = parts(binary);
        let [ma, mb, mc] = [a, b, c].map(|symbol| parameters.dim(symbol));
        let length = row_length(mb, mc);
        let old = parameters.tensor(rule);
        let start = parameters.offsets[rule] as usize;
        let (up, left, right) = (&bases[a].0, &bases[b].1, &bases[c].1);
        for i in 0..ma {
            for j in 0..mb {
                for k in 0..mc {
                    let mut sum = 0.0;
                    for x in 0..ma {
                        for y in 0..mb {
                            for z in 0..mc {
                                let factor = up[i][x] * left[y][j] * right[z][k];
                                sum += factor * number(old[x * length + y * mc + z]);
                            }
                        }
                    }
                    changed.tensors[start + i * length + j * mc + k] = T::from_f64(sum);
                }
            }
        }
    }
    for symbol in 0..parameters.dims.len() {
        let root = parameters.root(symbol);
        let start = parameters.root_offsets[symbol] as usize;
        for i in 0..root.len() {
            let sum = (0..root.len()).map(|x| bases[symbol].1[x][i] * number(root[x])).sum();
            changed.roots[start + i] = T::from_f64(sum);
        }
    }
    let phrases = grammar.symbols().phrases();
    let profiles = &parameters.profiles;
    let of_tags = profiles.by_tag.iter().enumerate().take(profiles.by_tag.len() - 1);
    let of_tags = of_tags.map(|(tag, &start)| (tag, start));
    let of_pairs = [&profiles.by_class, &profiles.by_word];
    let of_pairs = of_pairs.into_iter().flat_map(|table| table.tags.iter().zip(&table.offsets));
    for (tag, start) in of_tags.chain(of_pairs.map(|(&tag, &start)| (tag as usize, start))) {
        let (dim, start) = (parameters.dim(phrases + tag), start as usize);
        let old = &profiles.values[start..start + dim];
        for i in 0..dim {
            let sum = (0..dim).map(|x| bases[phrases + tag].0[i][x] * number(old[x])).sum();
            changed.profiles.values[start + i] = T::from_f64(sum);
        }
    }
    changed
}

/// The symbol of a label.
pub(super) fn label(grammar: &Pcfg, symbol: u32) -> &str {
    grammar.symbols().label(SymbolId::new(symbol as usize).unwrap())
}

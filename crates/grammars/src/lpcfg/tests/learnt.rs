//! Learns in double precision from weighted trees, and changes the bases of the learnt parameters.

use corpus::ids::Id;
use corpus::tree::Tree;
use corpus::tree::heads::HeadRules;
use linalg::Scalar;
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use spectral::moments::Scaling;

use crate::grammar::{BinaryRule, SymbolId};
use crate::lexicon::{ContextConfig, LexiconConfig};
use crate::lpcfg::config::{Shrinkage, SmoothingConfig, SpectralConfig};
use crate::lpcfg::estimate::{estimate_rules, parts};
use crate::lpcfg::features::{Context, FeatureSet, tag_number, tags_of};
use crate::lpcfg::parameters::{Parameters, row_length};
use crate::lpcfg::profiles::Profiles;
use crate::lpcfg::states::project;
use crate::lpcfg::treebank::NumberedTreebank;
use crate::pcfg::{Pcfg, PcfgConfig, PcfgLearner};
use models::learn::{Learner, Silent};

/// A lexicon of word counts alone, in which words keep the tags they were seen with.
pub(super) fn plain_grammar(trees: &[Tree]) -> Pcfg {
    let context = ContextConfig { passes: 0, ..ContextConfig::default() };
    let lexicon = LexiconConfig { closed_count: 0, context, ..LexiconConfig::default() };
    let config = PcfgConfig { lexicon, ..PcfgConfig::default() };
    PcfgLearner { config }.learn(trees, &mut Silent).unwrap().model
}

/// Unsmoothed moments, with every direction that has a singular value.
pub(super) fn exact_config(states: usize, features: FeatureSet, scaling: Scaling) -> SpectralConfig {
    SpectralConfig {
        states,
        nodes_per_state: 1e-12,
        min_singular_ratio: 1e-9,
        features,
        scaling,
        shrinkage: Shrinkage::None,
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
    /// Learns from binary trees with weights.
    pub(super) fn new(trees: &[Tree], weights: &[f64], config: &SpectralConfig) -> Self {
        let grammar = plain_grammar(trees);
        let bank = match NumberedTreebank::new(trees, weights.to_vec(), &grammar, &HeadRules::english()) {
            Ok(bank) => bank,
            Err(_) => panic!("the grammar has all rules of its trees"),
        };
        let phrases = grammar.symbols().phrases();
        let (tags, tag_starts) = tags_of(&bank, |symbol| tag_number(grammar.lexicon(), phrases, symbol));
        let context = Context {
            bank: &bank,
            set: config.features,
            widths: config.widths,
            signatures: &vec![0; grammar.lexicon().words().len()],
            tags: &tags,
            tag_starts: &tag_starts,
            limits: &[],
        };
        let states = project::<f64>(&context, config).unwrap();
        let rules = grammar.rules().rules().iter().enumerate();
        let frequency = |(rule, binary): (usize, &BinaryRule)| {
            bank.weight_of(&bank.applications[rule]) / bank.weight_of(&bank.sites[binary.parent.index()])
        };
        let frequencies: Vec<f64> = rules.map(frequency).collect();
        let smoothing = SmoothingConfig::none();
        let parameters = estimate_rules(&bank, &grammar, &states, &frequencies, &smoothing)
            .with_words(&bank, &grammar, &states, &smoothing);
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
        let profile = parameters.profiles.get(Some(word), || None, tag);
        profile.iter().map(|value| value * self.words[tag][word]).collect()
    }

    /// `p(tree)` under parameters of this grammar.
    pub(super) fn probability(&self, parameters: &Parameters<f64>, tree: &Tree) -> f64 {
        let words: Vec<&str> = tree.words().collect();
        let emit = |tag: usize, position: usize| Some(self.emission(parameters, tag, words[position]));
        parameters.tree_probability(self.grammar.symbols(), self.grammar.rules(), tree, emit).value()
    }

    /// The number of states of a symbol.
    pub(super) fn states(&self, label: &str) -> usize {
        let mut symbols = self.grammar.symbols().iter();
        let symbol = symbols.find(|&symbol| self.grammar.symbols().label(symbol) == label).unwrap();
        self.parameters.dim(symbol.index())
    }
}

/// The same parameters in single precision.
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

/// `matrix · vector`.
fn times(matrix: &Matrix, vector: &[f64]) -> Vec<f64> {
    matrix.iter().map(|row| row.iter().zip(vector).map(|(a, b)| a * b).sum()).collect()
}

fn transposed(matrix: &Matrix) -> Matrix {
    (0..matrix.len()).map(|column| matrix.iter().map(|row| row[column]).collect()).collect()
}

/// `matrix · rows`.
fn combine(matrix: &Matrix, rows: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let combination = |weights: &Vec<f64>| {
        let mut sum = vec![0.0; rows[0].len()];
        for (weight, row) in weights.iter().zip(rows) {
            sum.iter_mut().zip(row).for_each(|(sum, value)| *sum += weight * value);
        }
        sum
    };
    matrix.iter().map(combination).collect()
}

/// The same model with a different basis for each symbol: `b ↦ G b` for inside vectors, the inverse for what they meet.
pub(super) fn change_basis<T: Scalar>(
    grammar: &Pcfg,
    parameters: &Parameters<T>,
    rng: &mut ChaCha8Rng,
) -> Parameters<T> {
    let bases = parameters.dims.iter().map(|&dim| invertible(dim as usize, rng));
    let bases: Vec<(Matrix, Matrix)> = bases.map(|(basis, inverse)| (basis, transposed(&inverse))).collect();
    let numbers = |values: &[T]| values.iter().map(|value| value.to_f64()).collect::<Vec<f64>>();
    let write = |values: &[f64], out: &mut [T]| {
        out.iter_mut().zip(values).for_each(|(out, &value)| *out = T::from_f64(value));
    };
    let mut changed = parameters.clone();
    for (rule, &binary) in grammar.rules().rules().iter().enumerate() {
        let [a, b, c] = parts(binary);
        let (mb, mc) = (parameters.dim(b), parameters.dim(c));
        let length = row_length(mb, mc);
        let children = |row: &[T]| {
            let rows: Vec<Vec<f64>> = row.chunks_exact(mc).take(mb).map(numbers).collect();
            let rows = combine(&bases[b].1, &rows);
            rows.iter().flat_map(|row| times(&bases[c].1, row)).collect::<Vec<f64>>()
        };
        let rows: Vec<Vec<f64>> = parameters.tensor(rule).chunks_exact(length).map(children).collect();
        let start = parameters.offsets[rule] as usize;
        for (row, out) in
            combine(&bases[a].0, &rows).iter().zip(changed.tensors[start..].chunks_exact_mut(length))
        {
            write(row, out);
        }
    }
    for (symbol, (_, inverse)) in bases.iter().enumerate() {
        let root = numbers(parameters.root(symbol));
        if !root.is_empty() {
            let start = parameters.root_offsets[symbol] as usize;
            write(&times(inverse, &root), &mut changed.roots[start..][..root.len()]);
        }
    }
    let phrases = grammar.symbols().phrases();
    let profiles = &parameters.profiles;
    let of_tags = profiles.by_tag.iter().enumerate().take(profiles.by_tag.len() - 1);
    let of_tags = of_tags.map(|(tag, &start)| (tag, start));
    let of_pairs = [&profiles.by_class, &profiles.by_word];
    let of_pairs = of_pairs.into_iter().flat_map(|table| table.tags.iter().zip(&table.offsets));
    for (tag, start) in of_tags.chain(of_pairs.map(|(&tag, &start)| (tag as usize, start))) {
        let place = start as usize..start as usize + parameters.dim(phrases + tag);
        let old = numbers(&profiles.values[place.clone()]);
        write(&times(&bases[phrases + tag].0, &old), &mut changed.profiles.values[place]);
    }
    changed
}

/// The symbol of a label.
pub(super) fn label(grammar: &Pcfg, symbol: u32) -> &str {
    grammar.symbols().label(SymbolId::new(symbol as usize).unwrap())
}

//! What a word says about the latent state above it.
//!
//! The lexical parameter `c(s → w) = p(w | s) · E[Z | s, w]` has two factors. The first is the [lexicon](crate::lexicon)'s. The
//! second, the profile of the word, is estimated here and backed off from the word to its class of rare words (by
//! ending and shape) to all words of the preterminal:
//!
//! ```text
//! E_w = ν E[Z | s, w] + (1−ν) E_σ,    E_σ = ν′ E[Z | s, σ] + (1−ν′) E[Z | s],    ν = n(s,w) / (n(s,w) + C_w)
//! ```

use corpus::ids::Id;
use corpus::rare_words::{Detail, SentencePosition, signature};
use corpus::vocab::{Vocab, VocabBuilder};
use linalg::Scalar;

use super::config::SmoothingConfig;
use super::treebank::{NONE, Treebank};
use crate::pcfg::Pcfg;

corpus::define_ids! {
    /// A class of rare words.
    ClassId;
}

/// Vectors for pairs of a key (word or class) and a preterminal.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct PairTable {
    /// The pairs of key `k` are `starts[k]..starts[k + 1]`.
    pub(super) starts: Vec<u32>,
    /// Preterminals, from 0, ascending within a key.
    pub(super) tags: Vec<u32>,
    /// Where the vector of each pair starts.
    pub(super) offsets: Vec<u32>,
}

impl PairTable {
    /// The position of a pair.
    fn find(&self, key: usize, tag: u32) -> Option<usize> {
        let range = *self.starts.get(key)? as usize..*self.starts.get(key + 1)? as usize;
        self.tags[range.clone()].binary_search(&tag).ok().map(|at| range.start + at)
    }

    /// A table of ascending pairs; returns it with where the vectors end.
    fn new(keys: usize, pairs: &[(u32, u32)], mut offset: u32, dim: impl Fn(u32) -> usize) -> (Self, u32) {
        let mut table = Self { starts: vec![0; keys + 1], tags: Vec::new(), offsets: Vec::new() };
        for &(key, tag) in pairs {
            table.starts[key as usize + 1] += 1;
            table.tags.push(tag);
            table.offsets.push(offset);
            offset += dim(tag) as u32;
        }
        for key in 0..keys {
            table.starts[key + 1] += table.starts[key];
        }
        (table, offset)
    }
}

/// The profiles of all words, classes and preterminals.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Profiles<T> {
    pub(super) classes: Vocab<ClassId>,
    pub(super) by_word: PairTable,
    pub(super) by_class: PairTable,
    /// For each preterminal where its mean vector starts; one more than there are.
    pub(super) by_tag: Vec<u32>,
    pub(super) values: Vec<T>,
}

/// The class of a word: coarser than the lexicon's, as there are m numbers to estimate instead of one.
fn class_of(word: &str, position: SentencePosition) -> String {
    signature(word, position, Detail::Ending)
}

/// What is summed for one key: a weight and a vector.
#[derive(Clone, Debug, Default)]
struct Sum {
    weight: f64,
    vector: Vec<f64>,
}

impl<T: Scalar> Profiles<T> {
    /// Estimates profiles; `outside` gives `Σ Z` contributions: the vector of each preterminal node.
    pub(super) fn estimate<'v>(
        bank: &Treebank,
        grammar: &Pcfg,
        dims: &[u32],
        smoothing: &SmoothingConfig,
        rare: f64,
        outside: impl Fn(u32) -> &'v [T],
    ) -> Self {
        let phrases = grammar.symbols().phrases();
        let words = grammar.lexicon().words();
        let tags = dims.len() - phrases;
        let dim = |tag: u32| dims[phrases + tag as usize] as usize;

        let mut totals = vec![0.0; words.len()];
        for nodes in &bank.sites[phrases..] {
            for &node in nodes {
                if let Some(total) = totals.get_mut(bank.nodes[node as usize].word as usize) {
                    *total += bank.weight(node);
                }
            }
        }
        let mut classes = VocabBuilder::<ClassId>::new();
        // Per preterminal: sums by word and by class, in ascending order.
        let mut word_sums: Vec<(u32, u32, Sum)> = Vec::new();
        let mut class_sums: Vec<(u32, u32, Sum)> = Vec::new();
        let mut tag_means: Vec<Vec<f64>> = Vec::with_capacity(tags);
        for tag in 0..tags as u32 {
            let m = dim(tag);
            let mut all = Sum { weight: 0.0, vector: vec![0.0; m] };
            let mut own: Vec<(u32, u32)> = Vec::new();
            let mut rare_nodes: Vec<(u32, u32)> = Vec::new();
            for &node in &bank.sites[phrases + tag as usize] {
                add(&mut all, bank.weight(node), outside(node));
                let word = bank.nodes[node as usize].word;
                if word == NONE {
                    continue;
                }
                own.push((word, node));
                if totals[word as usize] <= rare {
                    let text = corpus::ids::WordId::new(word as usize).map_or("", |id| words.text(id));
                    let class = classes.intern(&class_of(text, bank.position(node)));
                    rare_nodes.push((class.index() as u32, node));
                }
            }
            for (keyed, sums) in [(&mut own, &mut word_sums), (&mut rare_nodes, &mut class_sums)] {
                keyed.sort_unstable();
                for group in keyed.chunk_by(|a, b| a.0 == b.0) {
                    let mut sum = Sum { weight: 0.0, vector: vec![0.0; m] };
                    group.iter().for_each(|&(_, node)| add(&mut sum, bank.weight(node), outside(node)));
                    sums.push((group[0].0, tag, sum));
                }
            }
            tag_means.push(
                all.vector.iter().map(|v| if all.weight > 0.0 { v / all.weight } else { 1.0 }).collect(),
            );
        }
        let classes = classes.freeze();

        let mut values: Vec<T> = Vec::new();
        let mut by_tag = vec![0];
        for mean in &tag_means {
            values.extend(mean.iter().map(|&v| T::from_f64(v)));
            by_tag.push(values.len() as u32);
        }
        class_sums.sort_by_key(|&(class, tag, _)| (class, tag));
        word_sums.sort_by_key(|&(word, tag, _)| (word, tag));
        let keys =
            |sums: &[(u32, u32, Sum)]| sums.iter().map(|&(key, tag, _)| (key, tag)).collect::<Vec<_>>();
        let (by_class, end) = PairTable::new(classes.len(), &keys(&class_sums), values.len() as u32, dim);
        let (by_word, _) = PairTable::new(words.len(), &keys(&word_sums), end, dim);
        for (_, tag, sum) in &class_sums {
            values.extend(backed_off::<T>(sum, &tag_means[*tag as usize], smoothing.classes));
        }
        for (word, tag, sum) in &word_sums {
            let text = corpus::ids::WordId::new(*word as usize).map_or("", |id| words.text(id));
            // The class of a word may depend on its place; the one it has inside a sentence is the plainer.
            let class = classes.get(&class_of(text, SentencePosition::Later));
            let class = class.and_then(|class| by_class.find(class.index(), *tag));
            let back_off: Vec<f64> = match class {
                Some(at) => {
                    let start = by_class.offsets[at] as usize;
                    values[start..start + sum.vector.len()].iter().map(|v| v.to_f64()).collect()
                }
                None => tag_means[*tag as usize].clone(),
            };
            values.extend(backed_off::<T>(sum, &back_off, smoothing.words));
        }
        Self { classes, by_word, by_class, by_tag, values }
    }

    /// The profile of a word (by its number, if it is known) under a preterminal, given its class.
    #[inline]
    pub(super) fn get(&self, word: Option<usize>, class: Option<ClassId>, tag: usize) -> &[T] {
        let dim = (self.by_tag[tag + 1] - self.by_tag[tag]) as usize;
        let seen =
            word.and_then(|word| self.by_word.find(word, tag as u32).map(|at| self.by_word.offsets[at]));
        let of_class = || {
            class.and_then(|class| {
                self.by_class.find(class.index(), tag as u32).map(|at| self.by_class.offsets[at])
            })
        };
        let start = seen.or_else(of_class).unwrap_or(self.by_tag[tag]) as usize;
        &self.values[start..start + dim]
    }

    /// The class of a word that may never have been seen.
    pub(super) fn class(&self, word: &str, position: SentencePosition) -> Option<ClassId> {
        self.classes.get(&class_of(word, position))
    }
}

fn add<T: Scalar>(sum: &mut Sum, weight: f64, vector: &[T]) {
    sum.weight += weight;
    sum.vector.iter_mut().zip(vector).for_each(|(sum, value)| *sum += weight * value.to_f64());
}

fn backed_off<T: Scalar>(sum: &Sum, back_off: &[f64], constant: f64) -> Vec<T> {
    let own = sum.weight / (sum.weight + constant);
    sum.vector
        .iter()
        .zip(back_off)
        .map(|(value, other)| T::from_f64(own * value / sum.weight + (1.0 - own) * other))
        .collect()
}

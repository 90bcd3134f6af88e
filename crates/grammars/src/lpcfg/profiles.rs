//! Word profiles: what a word says about the latent state above it.
//!
//! The lexical parameter `c(s → w) = p(w | s) · E[Z | s, w]` has two factors. The first comes from the
//! [lexicon](crate::lexicon). The second, the profile of the word, is estimated here and backed off from the word to
//! its class of rare words (by suffix and shape) to all words of the preterminal:
//!
//! ```text
//! E_w = ν E[Z | s, w] + (1−ν) E_σ,    E_σ = ν′ E[Z | s, σ] + (1−ν′) E[Z | s],    ν = n(s,w) / (n(s,w) + C_w)
//! ```
//!
//! Cohen et al. (2013) have one ν for all words below a count limit and no classes
//! ([`LexicalSmoothing`](super::config::LexicalSmoothing)).

use corpus::ids::Id;
use corpus::rare_words::{Detail, SentencePosition, signature};
use corpus::vocab::{Vocab, VocabBuilder};
use linalg::Scalar;

use super::config::SmoothingConfig;
use super::treebank::{NONE, NumberedTreebank};
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
    /// The start of each pair's vector.
    pub(super) offsets: Vec<u32>,
}

impl PairTable {
    /// The position of a pair.
    fn find(&self, key: usize, tag: u32) -> Option<usize> {
        let range = *self.starts.get(key)? as usize..*self.starts.get(key + 1)? as usize;
        self.tags[range.clone()].binary_search(&tag).ok().map(|at| range.start + at)
    }

    /// Builds a table of ascending pairs; returns it with the end of its vectors.
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
    /// For each preterminal the start of its mean vector; one more entry than preterminals.
    pub(super) by_tag: Vec<u32>,
    pub(super) values: Vec<T>,
}

/// The class of a word: coarser than the lexicon's, as it has m values to estimate instead of one.
fn class_of(word: &str, position: SentencePosition) -> String {
    signature(word, position, Detail::Ending)
}

/// The pairs that a preterminal node counts for; [`NONE`] if there is none.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct SitePairs {
    /// Index among the pairs of words.
    pub(super) word: u32,
    /// Index among the pairs of classes; only rare words have one.
    pub(super) class: u32,
}

/// Keys (words or classes) paired with preterminals, ascending, with their counts.
#[derive(Clone, Debug, Default)]
struct Pairs {
    pairs: Vec<(u32, u32)>,
    weights: Vec<f64>,
}

impl Pairs {
    /// Sorts pairs that were found preterminal by preterminal; returns the new position of each.
    fn sort(&mut self) -> Vec<u32> {
        let mut order: Vec<u32> = (0..self.pairs.len() as u32).collect();
        order.sort_unstable_by_key(|&at| self.pairs[at as usize]);
        let mut place = vec![0; order.len()];
        for (new, &old) in order.iter().enumerate() {
            place[old as usize] = new as u32;
        }
        self.pairs = order.iter().map(|&at| self.pairs[at as usize]).collect();
        self.weights = order.iter().map(|&at| self.weights[at as usize]).collect();
        place
    }
}

/// Maps the nodes of a treebank to the profiles they count for. It depends on the trees alone, so learners that
/// estimate profiles repeatedly build it once.
#[derive(Clone, Debug)]
pub(super) struct ProfileIndex {
    classes: Vocab<ClassId>,
    words: usize,
    by_word: Pairs,
    by_class: Pairs,
    tag_weights: Vec<f64>,
    /// For each preterminal, the pairs of each of its sites.
    sites: Vec<Vec<SitePairs>>,
    /// For each pair of a word, the pair of its class, or [`NONE`].
    back_off: Vec<u32>,
}

impl ProfileIndex {
    /// Finds the pairs. Words seen at most `rare` times form the classes.
    pub(super) fn new(bank: &NumberedTreebank, grammar: &Pcfg, rare: f64) -> Self {
        let phrases = grammar.symbols().phrases();
        let words = grammar.lexicon().words();
        let text = |word: u32| corpus::ids::WordId::new(word as usize).map_or("", |id| words.text(id));
        let mut totals = vec![0.0; words.len()];
        for &node in bank.sites[phrases..].iter().flatten() {
            if let Some(total) = totals.get_mut(bank.nodes[node as usize].word as usize) {
                *total += bank.weight(node);
            }
        }
        let mut classes = VocabBuilder::<ClassId>::new();
        let (mut by_word, mut by_class) = (Pairs::default(), Pairs::default());
        let mut tag_weights = Vec::new();
        let mut sites: Vec<Vec<SitePairs>> = Vec::new();
        // Keys with the sites they were seen at.
        let mut own: Vec<(u32, u32)> = Vec::new();
        let mut of_rare = own.clone();
        for (tag, nodes) in bank.sites[phrases..].iter().enumerate() {
            own.clear();
            of_rare.clear();
            for (site, &node) in nodes.iter().enumerate() {
                let word = bank.nodes[node as usize].word;
                if word == NONE {
                    continue;
                }
                own.push((word, site as u32));
                if totals[word as usize] <= rare {
                    let class = classes.intern(&class_of(text(word), bank.position(node)));
                    of_rare.push((class.index() as u32, site as u32));
                }
            }
            let mut of_tag = vec![SitePairs { word: NONE, class: NONE }; nodes.len()];
            for (keyed, pairs, kind) in
                [(&mut own, &mut by_word, Kind::Word), (&mut of_rare, &mut by_class, Kind::Class)]
            {
                keyed.sort_unstable();
                for group in keyed.chunk_by(|a, b| a.0 == b.0) {
                    let pair = pairs.pairs.len() as u32;
                    let mut weight = 0.0;
                    for &(_, site) in group {
                        weight += bank.weight(nodes[site as usize]);
                        let of_site = &mut of_tag[site as usize];
                        *(if kind == Kind::Word { &mut of_site.word } else { &mut of_site.class }) = pair;
                    }
                    pairs.pairs.push((group[0].0, tag as u32));
                    pairs.weights.push(weight);
                }
            }
            tag_weights.push(bank.weight_of(nodes));
            sites.push(of_tag);
        }
        let (new_word, new_class) = (by_word.sort(), by_class.sort());
        for of_site in sites.iter_mut().flatten() {
            of_site.word = new_word.get(of_site.word as usize).copied().unwrap_or(NONE);
            of_site.class = new_class.get(of_site.class as usize).copied().unwrap_or(NONE);
        }
        let classes = classes.freeze();
        let back_off = by_word.pairs.iter().map(|&(word, tag)| {
            // The class of a word may depend on its position; the one it has inside a sentence is more general.
            let class = classes.get(&class_of(text(word), SentencePosition::Later));
            let found =
                class.and_then(|class| by_class.pairs.binary_search(&(class.index() as u32, tag)).ok());
            found.map_or(NONE, |at| at as u32)
        });
        let back_off = back_off.collect();
        Self { classes, words: words.len(), by_word, by_class, tag_weights, sites, back_off }
    }

    /// The pairs that a site of a preterminal counts for.
    #[inline]
    pub(super) fn site(&self, tag: usize, site: u32) -> SitePairs {
        self.sites[tag][site as usize]
    }

    /// The count of a word under a preterminal, and of the preterminal.
    pub(super) fn weights(&self, tag: usize, site: SitePairs) -> (f64, f64) {
        let total = self.tag_weights[tag];
        (self.by_word.weights.get(site.word as usize).copied().unwrap_or(total), total)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Word,
    Class,
}

impl<T: Scalar> Profiles<T> {
    /// Estimates profiles; `outside` gives Z of each preterminal node.
    pub(super) fn estimate<'v>(
        bank: &NumberedTreebank,
        grammar: &Pcfg,
        dims: &[u32],
        smoothing: &SmoothingConfig,
        rare: f64,
        outside: impl Fn(u32) -> &'v [T],
    ) -> Self {
        let phrases = grammar.symbols().phrases();
        let index = ProfileIndex::new(bank, grammar, rare);
        let mut profiles = Self::new(&index, &dims[phrases..]);
        let mut sums = vec![0.0; profiles.values.len()];
        for (tag, nodes) in bank.sites[phrases..].iter().enumerate() {
            for (site, &node) in nodes.iter().enumerate() {
                let weight = bank.weight(node);
                let pairs = index.site(tag, site as u32);
                let vector = outside(node).iter().map(|value| weight * value.to_f64());
                profiles.add(tag, pairs, vector, &mut sums);
            }
        }
        profiles.fill(&index, &sums, smoothing);
        profiles
    }

    /// Profiles without information; `dims` are the numbers of states of the preterminals.
    pub(super) fn new(index: &ProfileIndex, dims: &[u32]) -> Self {
        let dim = |tag: u32| dims[tag as usize] as usize;
        let mut by_tag = vec![0];
        let mut end = 0;
        for dim in dims {
            end += dim;
            by_tag.push(end);
        }
        let (by_class, end) = PairTable::new(index.classes.len(), &index.by_class.pairs, end, dim);
        let (by_word, end) = PairTable::new(index.words, &index.by_word.pairs, end, dim);
        let values = vec![T::from_f64(1.0); end as usize];
        Self { classes: index.classes.clone(), by_word, by_class, by_tag, values }
    }

    /// Adds a site's (weighted) vector to the sums of its word, its class and its preterminal.
    #[inline]
    pub(super) fn add(
        &self,
        tag: usize,
        site: SitePairs,
        vector: impl Iterator<Item = f64> + Clone,
        sums: &mut [f64],
    ) {
        let starts = [
            self.by_word.offsets.get(site.word as usize),
            self.by_class.offsets.get(site.class as usize),
            Some(&self.by_tag[tag]),
        ];
        for &start in starts.into_iter().flatten() {
            sums[start as usize..].iter_mut().zip(vector.clone()).for_each(|(sum, value)| *sum += value);
        }
    }

    /// Turns sums into backed-off means.
    pub(super) fn fill(&mut self, index: &ProfileIndex, sums: &[f64], smoothing: &SmoothingConfig) {
        let Self { by_word, by_class, by_tag, values, .. } = self;
        for (tag, &weight) in index.tag_weights.iter().enumerate() {
            let range = by_tag[tag] as usize..by_tag[tag + 1] as usize;
            let sums = &sums[range.clone()];
            let mean = |sum: f64| if weight > 0.0 { sum / weight } else { 1.0 };
            values[range].iter_mut().zip(sums).for_each(|(out, &sum)| *out = T::from_f64(mean(sum)));
        }
        let mut back_off_to = |at: u32, from: u32, dim: u32, weight: f64, own: f64| {
            // Trees of weight 0 have words of weight 0; these back off completely.
            let own = if weight > 0.0 { own } else { 0.0 };
            let share = if weight > 0.0 { own / weight } else { 0.0 };
            let (lower, upper) = values.split_at_mut(at as usize);
            let other = &lower[from as usize..][..dim as usize];
            let sums = &sums[at as usize..][..dim as usize];
            for ((out, &sum), other) in upper.iter_mut().zip(sums).zip(other) {
                *out = T::from_f64(share * sum + (1.0 - own) * other.to_f64());
            }
        };
        let mean = |tag: u32| (by_tag[tag as usize], by_tag[tag as usize + 1] - by_tag[tag as usize]);
        for (pair, &(_, tag)) in index.by_class.pairs.iter().enumerate() {
            let (from, dim) = mean(tag);
            let weight = index.by_class.weights[pair];
            back_off_to(by_class.offsets[pair], from, dim, weight, smoothing.own_of_class(weight));
        }
        for (pair, &(_, tag)) in index.by_word.pairs.iter().enumerate() {
            let (mean, dim) = mean(tag);
            let from = by_class.offsets.get(index.back_off[pair] as usize).copied().unwrap_or(mean);
            let weight = index.by_word.weights[pair];
            back_off_to(by_word.offsets[pair], from, dim, weight, smoothing.own_of_word(weight));
        }
    }

    /// The profile of a site: that of its word.
    #[inline]
    pub(super) fn of_site(&self, tag: usize, site: SitePairs) -> &[T] {
        let dim = self.by_tag[tag + 1] - self.by_tag[tag];
        let start = self.by_word.offsets.get(site.word as usize).copied().unwrap_or(self.by_tag[tag]);
        &self.values[start as usize..(start + dim) as usize]
    }

    /// The profile of a word (by its id, if it is known) under a preterminal. Its class is only asked for where the word was
    /// not seen with the preterminal.
    #[inline]
    pub(super) fn get(
        &self,
        word: Option<usize>,
        class: impl FnOnce() -> Option<ClassId>,
        tag: usize,
    ) -> &[T] {
        let dim = (self.by_tag[tag + 1] - self.by_tag[tag]) as usize;
        let seen =
            word.and_then(|word| self.by_word.find(word, tag as u32).map(|at| self.by_word.offsets[at]));
        let of_class = || {
            class().and_then(|class| {
                self.by_class.find(class.index(), tag as u32).map(|at| self.by_class.offsets[at])
            })
        };
        let start = seen.or_else(of_class).unwrap_or(self.by_tag[tag]) as usize;
        &self.values[start..start + dim]
    }

    /// The class of a word, whether known or not.
    pub(super) fn class(&self, word: &str, position: SentencePosition) -> Option<ClassId> {
        self.classes.get(&class_of(word, position))
    }
}

//! The lexicon, built from counts.

use std::sync::Arc;

use corpus::ids::{Id, TagId, WordId};
use corpus::rare_words::{Detail, signature};
use corpus::tree::marks;
use corpus::vocab::{Vocab, VocabBuilder};

use super::clusters::{ClusterClasses, Facts};
use super::context::{CandidateSet, ContextLearner, Sentence, Template};
use super::sparse_counts::SparseCounts;
use super::{LexiconConfig, LexiconCounts};
use crate::grammar::SymbolId;
use models::log_linear::{CLASSES, SparseWeights, WordFacts};
use models::representations::ClusterPaths;

corpus::define_ids! {
    /// A signature, at any level of detail.
    SignatureId;
}

/// The levels of detail from fine to coarse. The level is part of the key, so signatures of different levels never
/// collide.
pub(super) const LEVELS: [(Detail, &str); 3] =
    [(Detail::Ending, "3"), (Detail::ShortEnding, "1"), (Detail::Shape, "0")];

/// `p(w | s)` for all words and preterminals; see the [module](super).
#[derive(Clone, Debug)]
pub struct Lexicon {
    pub(super) config: LexiconConfig,
    pub(super) words: Vocab<WordId>,
    /// Word by preterminal.
    pub(super) seen: SparseCounts,
    pub(super) signatures: Vocab<SignatureId>,
    /// Signature by tag, from rare words.
    pub(super) rare: SparseCounts,
    /// Tags in context.
    pub(super) tag_context: SparseWeights,
    /// Chains in context, given the tag.
    pub(super) chain_context: SparseWeights,
    /// Beginnings and endings of phrases in context.
    pub(super) boundary_context: SparseWeights,
    /// Clusters of words from plain text, if there are any.
    pub(super) clusters: Option<Arc<ClusterPaths>>,
    // The remaining fields are derived from those above and the labels of the preterminals.
    pub(super) tags: Vocab<TagId>,
    pub(super) tag_of: Vec<TagId>,
    /// For each tag, the preterminals that end in it, ascending.
    pub(super) chains: Vec<Vec<usize>>,
    pub(super) preterminal_counts: Vec<f64>,
    pub(super) tag_counts: Vec<f64>,
    pub(super) rare_tags: Vec<f64>,
    pub(super) tokens: f64,
    /// Good–Turing estimate of the probability that a word is new.
    pub(super) new_word_mass: f64,
    /// For each word its ambiguity class, if it is frequent enough.
    classes: Vec<Option<u64>>,
}

/// The stored parts of a lexicon, from which the rest is derived.
pub(super) struct Parts {
    pub(super) config: LexiconConfig,
    pub(super) words: Vocab<WordId>,
    pub(super) seen: SparseCounts,
    pub(super) signatures: Vocab<SignatureId>,
    pub(super) rare: SparseCounts,
    pub(super) tag_context: SparseWeights,
    pub(super) chain_context: SparseWeights,
    pub(super) boundary_context: SparseWeights,
    pub(super) clusters: Option<Arc<ClusterPaths>>,
}

impl Lexicon {
    /// Builds the lexicon of a treebank; `labels` are the labels of the preterminals in order.
    pub fn new(
        counts: &LexiconCounts,
        labels: &[&str],
        config: LexiconConfig,
        clusters: Option<Arc<ClusterPaths>>,
    ) -> Self {
        let entries = counts.sorted();
        let words = counts.words.clone().freeze();
        let seen = SparseCounts::from_sorted(
            words.len(),
            entries.iter().map(|&(word, symbol, _, count)| (word.index(), symbol.index(), count)),
        );
        let (_, tag_of) = tags_of(labels);

        let mut signatures = VocabBuilder::<SignatureId>::new();
        let mut rare: Vec<(usize, usize, u64)> = Vec::new();
        for &(word, symbol, first, count) in &entries {
            let total: f64 = seen.row(word.index()).map(|(_, n)| n).sum();
            if total > config.rare_count as f64 {
                continue;
            }
            for (detail, level) in LEVELS {
                let key = level.to_owned() + &signature(words.text(word), first.position(), detail);
                rare.push((signatures.intern(&key).index(), tag_of[symbol.index()].index(), count));
            }
        }
        rare.sort_unstable_by_key(|&(signature, tag, _)| (signature, tag));
        let rare = SparseCounts::from_sorted(signatures.len(), rare.into_iter());
        // Weights of no feature, which a lexicon without context keeps.
        let nothing = || SparseWeights { starts: vec![0], ..SparseWeights::default() };
        let (tag_context, chain_context, boundary_context) = (nothing(), nothing(), nothing());
        let signatures = signatures.freeze();
        let parts = Parts {
            config,
            words,
            seen,
            signatures,
            rare,
            tag_context,
            chain_context,
            boundary_context,
            clusters,
        };
        let mut lexicon = Self::from_parts(parts, labels);
        if lexicon.has_context() {
            ((lexicon.tag_context, lexicon.chain_context), lexicon.boundary_context) =
                rayon::join(|| lexicon.learn_context(counts), || lexicon.learn_boundaries(counts));
        }
        lexicon
    }

    /// How often the treebank has a word.
    pub(crate) fn word_count(&self, word: &str) -> f64 {
        self.words.get(word).map_or(0.0, |word| self.seen.row(word.index()).map(|(_, count)| count).sum())
    }

    /// Whether these counts would give this lexicon: the same words under the same preterminals.
    pub(crate) fn is_of(
        &self,
        counts: &LexiconCounts,
        labels: &[&str],
        config: &LexiconConfig,
        clusters: Option<&Arc<ClusterPaths>>,
    ) -> bool {
        let entries = counts.sorted();
        let entries = entries.iter().map(|&(word, symbol, _, count)| (word.index(), symbol.index(), count));
        *config == self.config
            && clusters == self.clusters.as_ref()
            && tags_of(labels).1 == self.tag_of
            && counts.types() == self.words.len()
            && self.words.iter().all(|(word, text)| counts.words.text(word) == text)
            && SparseCounts::from_sorted(counts.types(), entries) == self.seen
    }

    /// Computes the derived fields.
    pub(super) fn from_parts(parts: Parts, labels: &[&str]) -> Self {
        let Parts {
            config,
            words,
            seen,
            signatures,
            rare,
            tag_context,
            chain_context,
            boundary_context,
            clusters,
        } = parts;
        let (tags, tag_of) = tags_of(labels);
        let mut chains = vec![Vec::new(); tags.len()];
        for (preterminal, tag) in tag_of.iter().enumerate() {
            chains[tag.index()].push(preterminal);
        }
        let mut preterminal_counts = vec![0.0; labels.len()];
        let (mut tokens, mut once) = (0.0, 0.0);
        let mut classes = Vec::with_capacity(words.len());
        let mut own = vec![0.0; tags.len()];
        for word in 0..words.len() {
            let mut total = 0.0;
            for (preterminal, count) in seen.row(word) {
                preterminal_counts[preterminal] += count;
                own[tag_of[preterminal].index()] += count;
                total += count;
            }
            tokens += total;
            once += f64::from(total == 1.0);
            let least = config.context.class_share * total;
            classes.push(
                (total >= config.context.class_count as f64)
                    .then(|| CLASSES.of((0..own.len()).filter(|&tag| own[tag] > 0.0 && own[tag] >= least))),
            );
            seen.row(word).for_each(|(preterminal, _)| own[tag_of[preterminal].index()] = 0.0);
        }
        let mut tag_counts = vec![0.0; tags.len()];
        for (preterminal, count) in preterminal_counts.iter().enumerate() {
            tag_counts[tag_of[preterminal].index()] += count;
        }
        // The bare shapes hold each rare token once, so their sum is what the coarsest level backs off to.
        let mut rare_tags = vec![0.0; tags.len()];
        for (signature, key) in signatures.iter() {
            if key.starts_with(LEVELS[2].1) {
                rare.row(signature.index()).for_each(|(tag, count)| rare_tags[tag] += count);
            }
        }
        if rare_tags.iter().sum::<f64>() == 0.0 {
            rare_tags.clone_from(&tag_counts);
        }
        let new_word_mass = (once + 0.5) / (tokens + 1.0);
        Self {
            config,
            words,
            seen,
            signatures,
            rare,
            tag_context,
            chain_context,
            boundary_context,
            clusters,
            tags,
            tag_of,
            chains,
            preterminal_counts,
            tag_counts,
            rare_tags,
            tokens,
            new_word_mass,
            classes,
        }
    }

    /// Learns tags and chains in context from the counted sentences.
    fn learn_context(&self, counts: &LexiconCounts) -> (SparseWeights, SparseWeights) {
        let config = &self.config.context;
        let facts: Vec<Facts> = self.words.iter().map(|(_, word)| self.facts(word)).collect();
        let (sets, set_of) = self.candidate_tags();
        let mut tags = ContextLearner::new(config);
        let mut chains = ContextLearner::new(config);
        let mut words: Vec<Facts> = Vec::new();
        for tokens in counts.sentences() {
            words.clear();
            words.extend(tokens.iter().map(|&(word, _)| facts[word.index()]));
            let sentence = Sentence::new(&words);
            for (at, &(word, preterminal)) in tokens.iter().enumerate() {
                let tag = self.tag_of[preterminal.index()].index();
                let set = set_of[word.index()];
                if sets[set.0 as usize].len() > 1 {
                    tags.add(sentence, at, Template::Tag, tag as u16, set);
                }
                if self.chains[tag].len() > 1 {
                    let set = CandidateSet(tag as u32);
                    chains.add(sentence, at, Template::Chain(tag), preterminal.index() as u16, set);
                }
            }
        }
        let chain_sets: Vec<Vec<u16>> =
            self.chains.iter().map(|chains| chains.iter().map(|&chain| chain as u16).collect()).collect();
        rayon::join(|| tags.learn(&sets, self.tags.len()), || chains.learn(&chain_sets, self.tag_of.len()))
    }

    /// Whether there is anything to learn in context. Labels have sixteen bits; a treebank with more labels has too few
    /// examples of each.
    fn has_context(&self) -> bool {
        self.config.context.passes > 0 && self.tag_of.len() <= usize::from(u16::MAX)
    }

    /// The same words and tags, with beginnings and endings of phrases as counted here: those of another normal form.
    pub(crate) fn with_boundaries(mut self, counts: &LexiconCounts) -> Self {
        if self.has_context() {
            self.boundary_context = self.learn_boundaries(counts);
        }
        self
    }

    /// The sets of tags that words may take, and the set of each word: the seen tags for frequent words, all tags
    /// otherwise.
    fn candidate_tags(&self) -> (Vec<Vec<u16>>, Vec<CandidateSet>) {
        let mut sets = vec![(0..self.tags.len()).map(|tag| tag as u16).collect::<Vec<u16>>()];
        let set_of = (0..self.words.len())
            .map(|word| {
                let total: f64 = self.seen.row(word).map(|(_, count)| count).sum();
                if total < self.config.closed_count as f64 {
                    return CandidateSet(0);
                }
                let mut own: Vec<u16> =
                    self.seen.row(word).map(|(chain, _)| self.tag_of[chain].index() as u16).collect();
                own.sort_unstable();
                own.dedup();
                sets.push(own);
                CandidateSet(sets.len() as u32 - 1)
            })
            .collect();
        (sets, set_of)
    }

    /// The facts about a word that features use.
    pub(super) fn facts(&self, word: &str) -> Facts {
        let class = |word: &str| self.words.get(word).and_then(|id| self.classes[id.index()]);
        Facts { word: WordFacts::of(word, class), clusters: self.cluster_classes(word) }
    }

    /// The classes of a word by its cluster; none without clusters.
    pub(crate) fn cluster_classes(&self, word: &str) -> ClusterClasses {
        self.clusters.as_ref().map_or_else(ClusterClasses::default, |paths| ClusterClasses::of(paths, word))
    }

    /// Whether the lexicon has clusters.
    pub(crate) fn has_clusters(&self) -> bool {
        self.clusters.is_some()
    }

    /// The words of the treebank.
    pub fn words(&self) -> &Vocab<WordId> {
        &self.words
    }

    /// The tags that chains end in.
    pub fn tags(&self) -> &Vocab<TagId> {
        &self.tags
    }

    /// The tag at the bottom of a preterminal (numbered from 0).
    pub fn tag_of(&self, preterminal: SymbolId) -> TagId {
        self.tag_of[preterminal.index()]
    }

    /// The counts of a word by preterminal.
    pub fn seen(&self, word: WordId) -> impl Iterator<Item = (SymbolId, f64)> + '_ {
        self.seen
            .row(word.index())
            .filter_map(|(preterminal, count)| Some((SymbolId::new(preterminal)?, count)))
    }

    /// The count of this preterminal (numbered from 0) in the treebank.
    pub fn preterminal_count(&self, preterminal: SymbolId) -> f64 {
        self.preterminal_counts[preterminal.index()]
    }
}

pub(super) fn tags_of(labels: &[&str]) -> (Vocab<TagId>, Vec<TagId>) {
    let mut tags = VocabBuilder::<TagId>::new();
    let tag_of = labels.iter().map(|label| tags.intern(marks::chain_bottom(label))).collect();
    (tags.freeze(), tag_of)
}

//! The lexicon: built from counts, asked for emissions.

use corpus::ids::{Id, TagId, WordId};
use corpus::rare_words::{Detail, SentencePosition, signature};
use corpus::tree::marks;
use corpus::vocab::{Vocab, VocabBuilder};

use super::{LexiconConfig, LexiconCounts};
use crate::grammar::SymbolId;

corpus::define_ids! {
    /// A signature, at any level of detail.
    SignatureId;
}

/// The levels of detail from fine to coarse. A signature of one level never equals one of another with other counts,
/// because the level is part of its key.
const LEVELS: [(Detail, &str); 3] = [(Detail::Ending, "3"), (Detail::ShortEnding, "1"), (Detail::Shape, "0")];

/// What is known of a word in a sentence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Observation<'s> {
    /// The word alone.
    Word(&'s str),
    /// The word with its tag.
    Tagged(&'s str, &'s str),
    /// The tag alone.
    Tag(&'s str),
}

/// A preterminal (numbered from 0 among preterminals) with `p(w | s)`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Emission {
    /// The preterminal.
    pub preterminal: SymbolId,
    /// The probability of what was observed, given the preterminal.
    pub probability: f32,
}

/// A sparse table of counts: for each row some columns.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct SparseCounts {
    pub(super) starts: Vec<u32>,
    pub(super) columns: Vec<u32>,
    pub(super) counts: Vec<u32>,
}

impl SparseCounts {
    /// From entries sorted by row and column, those of equal place added up.
    fn from_sorted(rows: usize, entries: impl Iterator<Item = (usize, usize, u64)>) -> Self {
        let mut table = Self { starts: vec![0; rows + 1], ..Self::default() };
        let mut last = None;
        for (row, column, count) in entries {
            let count = u32::try_from(count).unwrap_or(u32::MAX);
            if last == Some((row, column)) {
                if let Some(sum) = table.counts.last_mut() {
                    *sum = sum.saturating_add(count);
                }
            } else {
                table.columns.push(column as u32);
                table.counts.push(count);
                table.starts[row + 1] = table.columns.len() as u32;
                last = Some((row, column));
            }
        }
        for row in 0..rows {
            table.starts[row + 1] = table.starts[row + 1].max(table.starts[row]);
        }
        table
    }

    fn row(&self, row: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let range = self.starts[row] as usize..self.starts[row + 1] as usize;
        self.columns[range.clone()].iter().zip(&self.counts[range]).map(|(&c, &n)| (c as usize, f64::from(n)))
    }
}

/// `p(w | s)` for all words and preterminals; see the [module](super).
#[derive(Clone, PartialEq, Debug)]
pub struct Lexicon {
    pub(super) config: LexiconConfig,
    pub(super) words: Vocab<WordId>,
    /// Word by preterminal.
    pub(super) seen: SparseCounts,
    pub(super) signatures: Vocab<SignatureId>,
    /// Signature by tag, from rare words.
    pub(super) rare: SparseCounts,
    // What follows is derived from the above and the labels of the preterminals.
    tags: Vocab<TagId>,
    tag_of: Vec<TagId>,
    chains: Vec<Vec<usize>>,
    preterminal_counts: Vec<f64>,
    tag_counts: Vec<f64>,
    rare_tags: Vec<f64>,
    tokens: f64,
    /// Good–Turing: the probability that a word is a new one.
    new_word_mass: f64,
}

impl Lexicon {
    /// The lexicon of a treebank; `labels` are the labels of the preterminals in order.
    pub fn new(counts: &LexiconCounts, labels: &[&str], config: LexiconConfig) -> Self {
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
        Self::from_parts(config, words, seen, signatures.freeze(), rare, labels)
    }

    /// As [`from_parts`](Self::from_parts), for parts from a file.
    pub(super) fn checked_parts(
        config: LexiconConfig,
        words: Vocab<WordId>,
        seen: SparseCounts,
        signatures: Vocab<SignatureId>,
        rare: SparseCounts,
        labels: &[&str],
    ) -> Option<Self> {
        let tags = tags_of(labels).0.len();
        let fits = rare.columns.iter().all(|&tag| (tag as usize) < tags);
        fits.then(|| Self::from_parts(config, words, seen, signatures, rare, labels))
    }

    /// Derives what can be derived.
    fn from_parts(
        config: LexiconConfig,
        words: Vocab<WordId>,
        seen: SparseCounts,
        signatures: Vocab<SignatureId>,
        rare: SparseCounts,
        labels: &[&str],
    ) -> Self {
        let (tags, tag_of) = tags_of(labels);
        let mut chains = vec![Vec::new(); tags.len()];
        for (preterminal, tag) in tag_of.iter().enumerate() {
            chains[tag.index()].push(preterminal);
        }
        let mut preterminal_counts = vec![0.0; labels.len()];
        let (mut tokens, mut once) = (0.0, 0.0);
        for word in 0..words.len() {
            let mut total = 0.0;
            for (preterminal, count) in seen.row(word) {
                preterminal_counts[preterminal] += count;
                total += count;
            }
            tokens += total;
            once += f64::from(total == 1.0);
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
            tags,
            tag_of,
            chains,
            preterminal_counts,
            tag_counts,
            rare_tags,
            tokens,
            new_word_mass,
        }
    }

    /// The words that the treebank has.
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

    /// How often a word was seen, and under which preterminals.
    pub fn seen(&self, word: WordId) -> impl Iterator<Item = (SymbolId, f64)> + '_ {
        self.seen
            .row(word.index())
            .filter_map(|(preterminal, count)| Some((SymbolId::new(preterminal)?, count)))
    }

    /// How often the treebank has this preterminal (numbered from 0).
    pub fn preterminal_count(&self, preterminal: SymbolId) -> f64 {
        self.preterminal_counts[preterminal.index()]
    }

    /// Appends to `out` the preterminals that may stand above what was observed at `position`, at least one.
    pub fn emissions(&self, observed: Observation<'_>, position: SentencePosition, out: &mut Vec<Emission>) {
        match observed {
            Observation::Word(word) => self.word_emissions(word, position, out),
            Observation::Tagged(word, tag) => match self.known_tag(tag) {
                Some(tag) => self.tagged_emissions(word, tag, position, out),
                None => self.word_emissions(word, position, out),
            },
            Observation::Tag(tag) => match self.known_tag(tag) {
                // p(t | s) is 1 for the chains that end in t.
                Some(tag) => out.extend(self.chains[tag.index()].iter().filter_map(|&chain| {
                    Some(Emission { preterminal: SymbolId::new(chain)?, probability: 1.0 })
                })),
                // An unknown tag alone says nothing: every preterminal may emit it, as it may any rare word.
                None => self.word_emissions("", position, out),
            },
        }
    }

    /// The tag of that name; labels are kept without marks.
    fn known_tag(&self, tag: &str) -> Option<TagId> {
        self.tags.get(&marks::protect_label(tag))
    }

    /// The word as the treebank has it; at the beginning of a sentence the lower-case form will do.
    fn known(&self, word: &str, position: SentencePosition) -> Option<WordId> {
        self.words.get(word).or_else(|| match position {
            SentencePosition::First => self.words.get(&word.to_lowercase()),
            SentencePosition::Later => None,
        })
    }

    fn tagged_emissions(&self, word: &str, tag: TagId, position: SentencePosition, out: &mut Vec<Emission>) {
        let known = self.known(word, position);
        let chains = &self.chains[tag.index()];
        let mut counts = vec![0.0; chains.len()];
        let mut total = 0.0;
        if let Some(word) = known {
            for (preterminal, count) in self.seen.row(word.index()) {
                if let Ok(at) = chains.binary_search(&preterminal) {
                    counts[at] = count;
                    total += count;
                }
            }
        }
        let gamma = self.config.chain_weight;
        // p(w, t) is the same for all chains; its estimate only matters for the probability of the whole.
        let word_and_tag =
            if total > 0.0 { total / self.tokens } else { self.new_word_mass / self.tokens.max(1.0) };
        for (&chain, count) in chains.iter().zip(counts) {
            let prior = self.preterminal_counts[chain] / self.tag_counts[tag.index()].max(1.0);
            let chain_given_word = (count + gamma * prior) / (total + gamma);
            self.push(chain, chain_given_word * word_and_tag, out);
        }
    }

    fn word_emissions(&self, word: &str, position: SentencePosition, out: &mut Vec<Emission>) {
        let known = self.known(word, position);
        let mut tag_counts = vec![0.0; self.tags.len()];
        let mut chain_counts: Vec<(usize, f64)> = Vec::new();
        if let Some(word) = known {
            for (preterminal, count) in self.seen.row(word.index()) {
                tag_counts[self.tag_of[preterminal].index()] += count;
                chain_counts.push((preterminal, count));
            }
        }
        let total: f64 = tag_counts.iter().sum();
        let beta = if total >= self.config.closed_count as f64 { 0.0 } else { self.config.signature_weight };
        let unseen = if beta > 0.0 { self.tags_by_signature(word, position) } else { Vec::new() };
        let word_mass =
            if total > 0.0 { total / self.tokens } else { self.new_word_mass / self.tokens.max(1.0) };
        let tag_share = |tag: usize| {
            let back_off = unseen.get(tag).copied().unwrap_or(0.0);
            (tag_counts[tag] + beta * back_off) / (total + beta)
        };
        let best = (0..self.tags.len()).map(tag_share).fold(0.0, f64::max);
        let gamma = self.config.chain_weight;
        for (tag, chains) in self.chains.iter().enumerate() {
            let share = tag_share(tag);
            if share <= self.config.cut_off * best {
                continue;
            }
            for &chain in chains {
                let count = chain_counts.iter().find(|&&(c, _)| c == chain).map_or(0.0, |&(_, n)| n);
                let prior = self.preterminal_counts[chain] / self.tag_counts[tag].max(1.0);
                let chain_share = (count + gamma * prior) / (tag_counts[tag] + gamma);
                if share * chain_share > self.config.cut_off * best {
                    self.push(chain, share * chain_share * word_mass, out);
                }
            }
        }
    }

    /// Bayes' rule: from the joint probability of word and preterminal.
    fn push(&self, preterminal: usize, joint: f64, out: &mut Vec<Emission>) {
        let prior = self.preterminal_counts[preterminal] / self.tokens.max(1.0);
        if let (Some(id), true) = (SymbolId::new(preterminal), prior > 0.0 && joint > 0.0) {
            out.push(Emission { preterminal: id, probability: (joint / prior) as f32 });
        }
    }

    /// `p(t | sig(w))`, backed off from the longest ending to the shape to all rare words.
    fn tags_by_signature(&self, word: &str, position: SentencePosition) -> Vec<f64> {
        let rare_total: f64 = self.rare_tags.iter().sum();
        let mut shares: Vec<f64> = self.rare_tags.iter().map(|count| count / rare_total.max(1.0)).collect();
        for (detail, level) in LEVELS.iter().rev() {
            let key = (*level).to_owned() + &signature(word, position, *detail);
            let Some(id) = self.signatures.get(&key) else { break };
            let total: f64 = self.rare.row(id.index()).map(|(_, count)| count).sum();
            let weight = self.config.back_off_weight;
            shares.iter_mut().for_each(|share| *share *= weight / (total + weight));
            self.rare.row(id.index()).for_each(|(tag, count)| shares[tag] += count / (total + weight));
        }
        shares
    }
}

fn tags_of(labels: &[&str]) -> (Vocab<TagId>, Vec<TagId>) {
    let mut tags = VocabBuilder::<TagId>::new();
    let tag_of = labels.iter().map(|label| tags.intern(marks::chain_bottom(label))).collect();
    (tags.freeze(), tag_of)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lexicon() -> Lexicon {
        let mut counts = LexiconCounts::default();
        let symbol = |index| SymbolId::new(index).unwrap();
        for (word, preterminal, times) in [
            ("dog", 0, 6),
            ("dog", 1, 2),
            ("walks", 2, 3),
            ("walking", 2, 1),
            ("running", 2, 1),
            ("the", 3, 60),
        ] {
            for _ in 0..times {
                counts.add(word, symbol(preterminal), SentencePosition::Later);
            }
        }
        Lexicon::new(&counts, &["NN", "NP|NN", "VB", "DT"], LexiconConfig::default())
    }

    fn emissions(observed: Observation<'_>) -> Vec<(usize, f32)> {
        let mut out = Vec::new();
        lexicon().emissions(observed, SentencePosition::Later, &mut out);
        out.iter().map(|emission| (emission.preterminal.index(), emission.probability)).collect()
    }

    #[test]
    fn joint_probabilities_of_words_and_preterminals_sum_to_the_word() {
        let lexicon = lexicon();
        for (word, count) in [("dog", 8.0), ("walks", 3.0), ("the", 60.0)] {
            let joint: f64 = emissions(Observation::Word(word))
                .iter()
                .map(|&(s, p)| f64::from(p) * lexicon.preterminal_counts[s] / lexicon.tokens)
                .sum();
            assert!((joint - count / lexicon.tokens).abs() < 1e-6, "{word}: {joint}");
        }
    }

    #[test]
    fn frequent_words_keep_their_tags_and_endings_decide_for_new_ones() {
        assert_eq!(emissions(Observation::Word("the")).len(), 1);
        let new = emissions(Observation::Word("jumping"));
        let best = new.iter().max_by(|a, b| a.1.total_cmp(&b.1)).unwrap();
        assert_eq!(best.0, 2);
    }

    #[test]
    fn given_tags_restrict_to_their_chains() {
        let tagged =
            |word, tag| emissions(Observation::Tagged(word, tag)).iter().map(|&(s, _)| s).collect::<Vec<_>>();
        assert_eq!(tagged("dog", "NN"), [0, 1]);
        assert_eq!(tagged("unheard", "DT"), [3]);
        assert_eq!(emissions(Observation::Tag("NN")), [(0, 1.0), (1, 1.0)]);
        assert!(!tagged("dog", "NO-SUCH-TAG").is_empty());
        assert!(!emissions(Observation::Tag("NO-SUCH-TAG")).is_empty());
    }
}

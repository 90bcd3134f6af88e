//! The properties of a single word used by features.

use corpus::ids::WordId;

use super::clusters::{CLUSTER_FEATURES, cluster_features};
use super::data::Resources;
use super::dictionary::Dictionary;
use super::vectors::NO_VECTOR;
use crate::tokenizer::Kind;
use models::log_linear::{BEGINNINGS, Case, ENDINGS, Key, WordFacts};

/// Parts of features that depend on the word alone, not on its neighbours.
#[derive(Clone, Copy, Debug)]
pub(super) struct Facts {
    pub(super) word: WordFacts,
    pub(super) clusters: [u64; CLUSTER_FEATURES],
    /// The row of its vector, or [`NO_VECTOR`].
    pub(super) vector: u32,
    pub(super) known: Option<WordId>,
    /// Suffixes of 6 and 7 characters and prefixes of 4 to 7, in lower case.
    pub(super) long: [u64; LONG],
    /// Groups of three characters inside the word, in lower case, the last one first. The one that ends it is an ending.
    pub(super) inner: [u64; INNER],
    /// What the dictionary says of the word.
    pub(super) seen: Seen,
    /// What kind of address it is, or that it is an emoticon; 0 for other words.
    pub(super) kind: u64,
}

/// Hashes of the labels that a word was seen with, each with how usual it is; 0 for a missing one.
pub(super) type Seen = [u64; MOST_SEEN];

/// Number of labels per word that features use.
const MOST_SEEN: usize = 12;
/// Lengths of the longer suffixes and prefixes, beyond those of [`WordFacts`].
const LONG_ENDINGS: [usize; 2] = [6, 7];
const LONG_BEGINNINGS: [usize; 4] = [4, 5, 6, 7];
const LONG: usize = LONG_ENDINGS.len() + LONG_BEGINNINGS.len();
/// Number of groups of characters inside a word, and their length. Of 5, 8 and 12 groups 8 were best on Turkish; groups of
/// two characters cost more than they gain on small treebanks.
const INNER: usize = 8;
const INNER_LENGTH: usize = 3;

impl Facts {
    pub(super) fn of(word: &str, dictionary: &Dictionary, resources: &Resources) -> Self {
        let facts = WordFacts::of(word, |word| dictionary.class(word));
        let kind = Kind::of_word(word).map_or(0, |kind| Key::of(13).with(kind as u64).value());
        let lower: Vec<char> = word.chars().flat_map(char::to_lowercase).collect();
        Self {
            word: if kind == 0 { facts } else { of_kind(facts, kind) },
            clusters: resources
                .clusters
                .as_ref()
                .map_or([0; CLUSTER_FEATURES], |clusters| cluster_features(clusters, word)),
            vector: resources.vectors.as_ref().and_then(|vectors| vectors.find(word)).unwrap_or(NO_VECTOR),
            known: dictionary.find(word),
            long: if kind == 0 { long(&lower) } else { [0; LONG] },
            inner: if kind == 0 { inner(&lower) } else { [0; INNER] },
            seen: dictionary.find(word).map_or([0; MOST_SEEN], |known| seen(dictionary, known, &[])),
            kind,
        }
    }

    /// The same for a word of the dictionary's own data, as if it did not occur there with these labels: at its other places
    /// the word is what it will be to a tagger, at its only place it is unknown.
    pub(super) fn without(self, labels: &[u16], dictionary: &Dictionary) -> Self {
        let seen = self.known.map_or([0; MOST_SEEN], |known| seen(dictionary, known, labels));
        Self { seen, ..self }
    }
}

/// The labels that a word was seen with elsewhere than at a place where it has `labels`.
fn seen(dictionary: &Dictionary, word: WordId, labels: &[u16]) -> Seen {
    let mut all = [0; MOST_SEEN];
    let total = dictionary.count(word) - u32::from(!labels.is_empty());
    let elsewhere = dictionary.counts(word).filter_map(|(label, count)| {
        let count = count - u32::from(labels.contains(&label));
        (count > 0).then_some((label, count))
    });
    for (value, (label, count)) in all.iter_mut().zip(elsewhere) {
        let usual = match (count == total, total) {
            (true, 1) => 1,
            (true, _) => 2,
            (false, _) if count >= total.saturating_sub(count) => 3,
            (false, _) => 4,
        };
        *value = Key::of(10).with(u64::from(label) + 1).with(usual).value();
    }
    all
}

/// An address has no morphology: its beginnings and endings say nothing, and its class is its kind.
fn of_kind(facts: WordFacts, kind: u64) -> WordFacts {
    WordFacts { endings: [0; ENDINGS], beginnings: [0; BEGINNINGS], stem: 0, part: 0, class: kind, ..facts }
}

fn long(lower: &[char]) -> [u64; LONG] {
    let ending = |length: usize| Key::of(11).chars(lower[lower.len() - length..].iter().copied()).value();
    let beginning = |length: usize| Key::of(12).chars(lower[..length].iter().copied()).value();
    let mut all = [0; LONG];
    let endings = LONG_ENDINGS.iter().map(|&length| (lower.len() > length).then(|| ending(length)));
    let beginnings = LONG_BEGINNINGS.iter().map(|&length| (lower.len() > length).then(|| beginning(length)));
    for (value, part) in all.iter_mut().zip(endings.chain(beginnings)) {
        *value = part.unwrap_or(0);
    }
    all
}

fn inner(lower: &[char]) -> [u64; INNER] {
    let mut all = [0; INNER];
    for (value, group) in all.iter_mut().zip(lower.windows(INNER_LENGTH).rev().skip(1)) {
        *value = Key::of(14).chars(group.iter().copied()).value();
    }
    all
}

/// Stands for the positions beyond the ends of a sentence.
pub(super) const OUTSIDE: Facts = {
    let edge = Key::of(8).value();
    Facts {
        word: WordFacts {
            word: edge,
            lower: edge,
            endings: [edge; ENDINGS],
            beginnings: [edge; BEGINNINGS],
            shape: edge,
            class: edge,
            lower_class: 0,
            stem: 0,
            part: 0,
            case: Case::None,
        },
        clusters: [0; CLUSTER_FEATURES],
        vector: NO_VECTOR,
        known: None,
        long: [0; LONG],
        inner: [0; INNER],
        seen: [0; MOST_SEEN],
        kind: 0,
    }
};

#[cfg(test)]
mod tests {
    use super::super::config::TaggerConfig;
    use super::super::data::TaggedSentence;
    use super::super::labels::{ColumnKind, collect};
    use super::super::layout::NewBundles;
    use super::*;

    fn facts(word: &str, labels: &[u16]) -> Facts {
        let data = [
            ("dog", "NOUN"),
            ("walk", "NOUN"),
            ("walk", "VERB"),
            ("walk", "VERB"),
            ("see", "VERB"),
            ("see", "VERB"),
        ];
        let sentence = TaggedSentence {
            words: data.iter().map(|(word, _)| (*word).to_owned()).collect(),
            labels: vec![data.iter().map(|(_, tag)| (*tag).to_owned()).collect()],
        };
        let names = [("upos".to_owned(), ColumnKind::Plain)];
        let sentences = [sentence];
        let columns = collect(&names, &sentences, &NewBundles::default()).expect("they are few");
        let dictionary = Dictionary::of(&sentences, &columns, &TaggerConfig::default());
        let facts = Facts::of(word, &dictionary, &Resources::default());
        if labels.is_empty() { facts } else { facts.without(labels, &dictionary) }
    }

    fn count(facts: &Facts) -> usize {
        facts.seen.iter().filter(|label| **label != 0).count()
    }

    #[test]
    fn the_labels_of_a_word_are_those_of_its_other_places() {
        const NOUN: u16 = 0;
        const VERB: u16 = 1;
        assert_eq!(count(&facts("dog", &[])), 1);
        assert_eq!(count(&facts("dog", &[NOUN])), 0, "it occurs at this place only");
        assert_eq!(facts("dog", &[NOUN]).seen, facts("cat", &[]).seen);
        assert_eq!(count(&facts("walk", &[VERB])), 2);
        // With the noun left out, it is a verb like any other that was seen twice.
        assert_eq!(facts("walk", &[NOUN]).seen, facts("see", &[]).seen);
        assert_ne!(facts("walk", &[VERB]).seen, facts("walk", &[]).seen);
    }
    #[test]
    fn groups_of_characters_inside_a_word_are_the_same_wherever_they_stand() {
        let shared = |a: &str, b: &str| {
            let of = |word| facts(word, &[]).inner;
            of(a).iter().filter(|&&group| group != 0 && of(b).contains(&group)).count()
        };
        assert_eq!(shared("görmedim", "VERMEDIN"), 3, "rme, med and edi");
        assert_eq!(shared("med", "amedia"), 0, "a word of three characters has none inside");
        assert_eq!(facts("http://example.org/medium", &[]).inner, OUTSIDE.inner);
    }
}

//! Features of the trees in a list.

use std::hash::BuildHasher;

use corpus::dependency::Head;

use super::NBest;
use crate::deptree::{Deptree, Scratch, TreeSites};

/// Number of real-valued features: the parser's score, `log p̂`, the sign of `p̂`.
pub(super) const REAL: usize = 3;
/// Number of buckets of hashed features.
pub(super) const BUCKETS: usize = 1 << 20;
/// Minimum `log p̂` per word, used for a `p̂` of 0.
const FLOOR: f64 = -40.0;

/// The features used, besides the parser's own score.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FeatureSet {
    /// Only `log p̂`, besides the parser's score.
    Latent,
    /// The templates over tags.
    Tags,
    /// Both kinds.
    #[default]
    Both,
}

impl FeatureSet {
    /// Whether the templates over tags are used.
    pub fn has_tags(self) -> bool {
        self != Self::Latent
    }

    /// Whether a latent tree model is used.
    pub fn has_latent(self) -> bool {
        self != Self::Tags
    }
}

/// The features of one tree.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Features {
    pub(super) real: [f64; REAL],
    /// Ids of hashed features, each with value 1.
    pub(super) sparse: Vec<u32>,
}

/// The features of all trees of a list, in order.
pub(super) fn features_of(
    list: &NBest,
    set: FeatureSet,
    deptree: Option<&Deptree>,
    scratch: &mut Scratch,
) -> Vec<Features> {
    let deptree = deptree.filter(|_| set.has_latent());
    // The symbols of words are the same in all trees of a list.
    let symbols: Option<Vec<u32>> = deptree.map(|model| {
        let of_word = |(form, tag): &(String, String)| model.observations().of_word(form, tag) as u32;
        list.words().iter().map(of_word).collect()
    });
    let one = |candidate: &super::Candidate| {
        let mut features = Features { real: [candidate.score, 0.0, 0.0], sparse: Vec::new() };
        if let (Some(model), Some(symbols)) = (deptree, &symbols) {
            let sites = TreeSites::new(symbols.clone(), &candidate.tree);
            let score = model.score_sites(&sites, scratch);
            let words = list.words().len() as f64;
            features.real[1] = words * score.per_word(FLOOR);
            features.real[2] = if score.probability.sign < 0 { 1.0 } else { 0.0 };
        }
        if set.has_tags() {
            templates(list.words(), candidate.tree.heads(), &mut features.sparse);
        }
        features
    };
    list.candidates().iter().map(one).collect()
}

/// Triples of tags: neighbouring modifiers on both sides of a head, and modifier, head, head of the head.
fn templates(words: &[(String, String)], heads: &[Head], out: &mut Vec<u32>) {
    let hasher = foldhash::fast::FixedState::with_seed(0x7ee5);
    let tag = |index: usize| &words[index].1[..];
    let head_tag = |head: Head| head.index().map_or("ROOT", tag);
    // The nearest modifiers on both sides of each word.
    let mut nearest: Vec<[Option<usize>; 2]> = vec![[None; 2]; words.len()];
    for (word, head) in heads.iter().enumerate() {
        let Some(head) = head.index() else { continue };
        if word < head {
            nearest[head][0] = Some(word);
        } else {
            nearest[head][1].get_or_insert(word);
        }
    }
    let mut push = |template: u8, parts: [&str; 3]| {
        out.push((hasher.hash_one((template, parts)) % BUCKETS as u64) as u32);
    };
    for (word, &head) in heads.iter().enumerate() {
        let [left, right] = nearest[word].map(|modifier| modifier.map_or("", tag));
        push(0, [left, tag(word), right]);
        let above = head.index().map_or("", |head| head_tag(heads[head]));
        push(
            if head.index().is_some_and(|head| word < head) { 1 } else { 2 },
            [tag(word), head_tag(head), above],
        );
    }
}

//! The parser's view of a sentence: words with their tags, as hashes.

use super::clusters::{ClusterPaths, prefixes};
use super::hashing::{characters, pair, spread, string};
use super::weights::GROUP;
use crate::arcs;

/// Whether lemmas are used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
pub enum Lemmas {
    /// No: a tagger need not provide them.
    #[default]
    Ignore,
    /// Yes.
    Use,
}

/// A property of a word, alone or with its neighbours, as one hash.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(usize)]
pub(super) enum View {
    /// Nothing: for features of the other word alone.
    Nothing,
    Form,
    /// Both tags.
    Tag,
    Upos,
    FormTag,
    /// Tag of the word before, and tag.
    BeforeTag,
    /// Tag, and tag of the word after.
    TagAfter,
    /// Universal tags of the word and both neighbours.
    Around,
    /// Tags of the word and both neighbours.
    TagsAround,
    /// Morphology with the universal tag.
    Feats,
    /// Form of the word before, with the tag.
    FormBefore,
    /// Form of the word after, with the tag.
    FormAfter,
    /// End of the form, with the universal tag.
    Ending,
    /// Lemma with the universal tag.
    Lemma,
    /// Short, middle and full cluster path, with the universal tag.
    ShortPath,
    MiddlePath,
    FullPath,
}

/// Number of views.
const VIEWS: usize = View::FullPath as usize + 1;

/// All views of a word.
pub(super) type Word = [u64; VIEWS];

/// Bits for the tags that features count between two words; tags that do not fit share the last bit.
const TAG_BITS: u32 = 32;

/// Tags that indicate structure between two words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mark {
    Verb,
    Punctuation,
    Conjunction,
}

/// A sentence as hashes. Position 0 is the root, words follow.
#[derive(Clone, Default, Debug)]
pub(super) struct Views {
    words: usize,
    views: Vec<Word>,
    /// One bit for the universal tag of each position.
    pub(super) tag_bits: Vec<u32>,
    /// The numbers of verbs, punctuation marks and conjunctions before each position.
    counts: Vec<[u32; 3]>,
    /// Slots of universal tags and of tags within a group of weights, by position.
    slots: Vec<[u32; 2]>,
    forms: Vec<u64>,
    upos: Vec<u64>,
    tags: Vec<u64>,
    /// Attributes and their values, position by position, and where those of each position end.
    feats: Vec<(u64, u64)>,
    feat_ends: Vec<u32>,
}

/// Stands for positions left of the root and right of the last word, and for the root itself.
const OUTSIDE: u64 = 0x51;
const ROOT: u64 = 0x52;

impl Views {
    /// Reads a sentence, reusing the memory.
    pub(super) fn read(&mut self, words: &[arcs::Word<'_>], lemmas: Lemmas, clusters: Option<&ClusterPaths>) {
        self.words = words.len();
        self.views.clear();
        self.tag_bits.clear();
        self.counts.clear();
        self.slots.clear();
        self.forms.clear();
        self.upos.clear();
        self.tags.clear();
        self.feats.clear();
        self.feat_ends.clear();

        let form = |word: &arcs::Word<'_>| characters(word.form.chars().flat_map(char::to_lowercase));
        self.forms.push(spread(ROOT));
        self.forms.extend(words.iter().map(form));
        self.upos.push(spread(ROOT));
        self.upos.extend(words.iter().map(|word| string(word.upos)));
        self.tags.push(spread(ROOT));
        self.tags
            .extend(words.iter().zip(&self.upos[1..]).map(|(word, &upos)| pair(upos, string(word.xpos))));
        let (upos, tags) = (&self.upos[..], &self.tags[..]);
        let outside = spread(OUTSIDE);
        let before = |list: &[u64], at: usize| at.checked_sub(1).map_or(outside, |at| list[at]);
        let after = |list: &[u64], at: usize| list.get(at + 1).copied().unwrap_or(outside);

        let mut counts = [0_u32; 3];
        for at in 0..=words.len() {
            let word = at.checked_sub(1).map(|at| &words[at]);
            let (form, tag, upos_here) = (self.forms[at], tags[at], upos[at]);
            let mut views = [0; VIEWS];
            let mut set = |view: View, hash: u64| views[view as usize] = hash;
            set(View::Form, form);
            set(View::Tag, tag);
            set(View::Upos, upos_here);
            set(View::FormTag, pair(form, tag));
            let (tag_before, tag_after) = (before(tags, at), after(tags, at));
            set(View::BeforeTag, pair(tag_before, tag));
            set(View::TagAfter, pair(tag, tag_after));
            set(View::TagsAround, pair(pair(tag_before, tag), tag_after));
            set(View::Around, pair(pair(before(upos, at), upos_here), after(upos, at)));
            set(View::FormBefore, pair(before(&self.forms, at), tag));
            set(View::FormAfter, pair(after(&self.forms, at), tag));
            let feats = word.map_or(0, |word| string(word.feats));
            set(View::Feats, pair(feats, upos_here));
            let ending = word.map_or(0, |word| characters(word.form.chars().rev().take(3)));
            set(View::Ending, pair(ending, upos_here));
            if let (Lemmas::Use, Some(word)) = (lemmas, word) {
                set(View::Lemma, pair(string(word.lemma), upos_here));
            }
            if let (Some(clusters), Some(word)) = (clusters, word) {
                let [short, middle, full] = prefixes(clusters, word.form);
                set(View::ShortPath, pair(short, upos_here));
                set(View::MiddlePath, pair(middle, upos_here));
                set(View::FullPath, full);
            }
            self.views.push(views);
            self.tag_bits.push(if at == 0 { 0 } else { 1 << (upos_here % u64::from(TAG_BITS)) });
            self.counts.push(counts);
            let upos_slot = word.map_or(ROOT_SLOT, |word| upos_slot(word.upos));
            let tag_slot = if at == 0 { ROOT_SLOT } else { (tag >> 40) as u32 % GROUP as u32 };
            self.slots.push([upos_slot, tag_slot]);
            if let Some(word) = word {
                match word.upos {
                    "VERB" | "AUX" => counts[Mark::Verb as usize] += 1,
                    "PUNCT" => counts[Mark::Punctuation as usize] += 1,
                    "CCONJ" | "CONJ" | "SCONJ" => counts[Mark::Conjunction as usize] += 1,
                    _ => {}
                }
            }
            self.feats.extend(word.into_iter().flat_map(|word| attributes(word.feats)));
            self.feat_ends.push(self.feats.len() as u32);
        }
    }

    /// The number of words.
    pub(super) fn words(&self) -> usize {
        self.words
    }

    #[inline]
    pub(super) fn of(&self, at: usize, view: View) -> u64 {
        self.views[at][view as usize]
    }

    /// All views of a position.
    #[inline]
    pub(super) fn word(&self, at: usize) -> &Word {
        &self.views[at]
    }

    /// The slot of the universal tag of a position.
    #[inline]
    pub(super) fn upos_slot(&self, at: u32) -> u32 {
        self.slots[at as usize][0]
    }

    /// The slot of the tag of a position.
    #[inline]
    pub(super) fn tag_slot(&self, at: u32) -> u32 {
        self.slots[at as usize][1]
    }

    /// The number of words with such a mark between two positions.
    #[inline]
    pub(super) fn between(&self, left: usize, right: usize, mark: Mark) -> u32 {
        // Those before `right`, minus those up to and including `left`, which are those before the next position.
        self.counts[right][mark as usize] - self.counts[left + 1][mark as usize]
    }

    /// The attributes of a position with their values.
    fn attributes(&self, at: usize) -> &[(u64, u64)] {
        let start = at.checked_sub(1).map_or(0, |before| self.feat_ends[before] as usize);
        &self.feats[start..self.feat_ends[at] as usize]
    }

    /// The morphological attributes that two words share: hash of the key, and whether the values agree.
    pub(super) fn agreement(&self, head: usize, modifier: usize) -> impl Iterator<Item = (u64, Agreement)> {
        let heads = self.attributes(head);
        self.attributes(modifier).iter().filter_map(move |&(key, value)| {
            let &(_, other) = heads.iter().find(|&&(other, _)| other == key)?;
            Some((key, if other == value { Agreement::Same } else { Agreement::Different }))
        })
    }
}

/// Whether two words have the same value of an attribute.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Agreement {
    Same,
    Different,
}

/// The universal tags, each with its own slot. The slots before are for missing neighbours and the root, those after
/// for other tags.
const UNIVERSAL: [&str; 17] = [
    "ADJ", "ADP", "ADV", "AUX", "CCONJ", "DET", "INTJ", "NOUN", "NUM", "PART", "PRON", "PROPN", "PUNCT",
    "SCONJ", "SYM", "VERB", "X",
];
const ROOT_SLOT: u32 = 1;
const FIRST_SLOT: u32 = 2;

fn upos_slot(upos: &str) -> u32 {
    let known = UNIVERSAL.len() as u32;
    match UNIVERSAL.binary_search(&upos) {
        Ok(place) => FIRST_SLOT + place as u32,
        Err(_) => FIRST_SLOT + known + (string(upos) % (GROUP - u64::from(FIRST_SLOT + known))) as u32,
    }
}

/// The attributes whose agreement is used; others, such as `Foreign`, carry little information.
const AGREEING: [&str; 6] = ["Case", "Gender", "Number", "Person", "Animacy", "Definite"];

fn attributes(feats: &str) -> impl Iterator<Item = (u64, u64)> {
    let parts = feats.split('|').filter_map(|part| part.split_once('='));
    parts.filter(|(key, _)| AGREEING.contains(key)).map(|(key, value)| (string(key), string(value)))
}

/// Distance classes: 1, 2, 3, 4, 5–7, 8–10, 11–15, more.
#[inline]
pub(super) fn distance_class(left: usize, right: usize) -> u64 {
    match right - left {
        distance @ 0..=4 => distance.saturating_sub(1) as u64,
        5..=7 => 4,
        8..=10 => 5,
        11..=15 => 6,
        _ => 7,
    }
}

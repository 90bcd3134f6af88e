//! Features of an arc: the two words, their neighbours, the words in between, distance and direction.
//!
//! Features follow R. McDonald, K. Crammer and F. Pereira, Online large-margin training of dependency parsers, ACL
//! 2005. A template is a pair of views, one of the head and one of the modifier. Every feature has two weights: one
//! with the direction alone, one also with the distance class. Both lie on the same cache line, as reading weights
//! dominates the running time.

use super::hashing::cross;
use super::weights::Bits;
use super::words::View::{
    Around, BeforeTag, Ending, Feats, Form, FormAfter, FormBefore, FormTag, FullPath, Lemma, MiddlePath,
    Nothing, ShortPath, Tag, TagAfter, TagsAround, Upos,
};
use super::words::{Agreement, Mark, View, Views, distance_class};

/// Templates of the parser: view of the head, view of the modifier.
const TEMPLATES: [(View, View); 54] = [
    (FormTag, Nothing),
    (Form, Nothing),
    (Tag, Nothing),
    (Nothing, FormTag),
    (Nothing, Form),
    (Nothing, Tag),
    (FormTag, FormTag),
    (Tag, FormTag),
    (Upos, FormTag),
    (FormTag, Tag),
    (FormTag, Upos),
    (Form, Form),
    (Tag, Form),
    (Form, Tag),
    (Tag, Tag),
    (Upos, Upos),
    (Upos, Tag),
    (Tag, Upos),
    (TagAfter, BeforeTag),
    (BeforeTag, BeforeTag),
    (TagAfter, TagAfter),
    (BeforeTag, TagAfter),
    (Tag, BeforeTag),
    (Tag, TagAfter),
    (TagAfter, Tag),
    (BeforeTag, Tag),
    (Around, Around),
    (Around, Upos),
    (Upos, Around),
    (TagsAround, Upos),
    (Upos, TagsAround),
    (TagsAround, Nothing),
    (Nothing, TagsAround),
    (Feats, Feats),
    (Feats, Upos),
    (Upos, Feats),
    (Tag, Feats),
    (Feats, Tag),
    (Feats, Nothing),
    (Nothing, Feats),
    (Tag, FormBefore),
    (Tag, FormAfter),
    (FormBefore, Tag),
    (FormAfter, Tag),
    (FormTag, BeforeTag),
    (FormTag, TagAfter),
    (BeforeTag, FormTag),
    (TagAfter, FormTag),
    (Form, Feats),
    (Feats, Form),
    (Ending, Upos),
    (Upos, Ending),
    (Ending, Ending),
    (Ending, Feats),
];

/// Additional templates with lemmas.
const LEMMA_TEMPLATES: [(View, View); 5] =
    [(Lemma, Lemma), (Lemma, Tag), (Tag, Lemma), (Lemma, Nothing), (Nothing, Lemma)];

/// Additional templates with word clusters: as in Koo et al. (2008), clusters replace tags and accompany words.
const CLUSTER_TEMPLATES: [(View, View); 14] = [
    (ShortPath, ShortPath),
    (ShortPath, Tag),
    (Tag, ShortPath),
    (MiddlePath, MiddlePath),
    (MiddlePath, Tag),
    (Tag, MiddlePath),
    (FullPath, FullPath),
    (FullPath, Tag),
    (Tag, FullPath),
    (FullPath, Nothing),
    (Nothing, FullPath),
    (Form, MiddlePath),
    (MiddlePath, Form),
    (FullPath, MiddlePath),
];

/// Templates of the pruner, which sees every pair of words and must be fast.
const LIGHT_TEMPLATES: [(View, View); 13] = [
    (Tag, Tag),
    (Upos, Upos),
    (FormTag, Upos),
    (Upos, FormTag),
    (Tag, Form),
    (Form, Tag),
    (TagAfter, BeforeTag),
    (BeforeTag, TagAfter),
    (Tag, BeforeTag),
    (Tag, TagAfter),
    (TagAfter, Tag),
    (BeforeTag, Tag),
    (Feats, Feats),
];

/// The templates that apply.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Templates {
    pub(super) lemmas: super::words::Lemmas,
    pub(super) clusters: Clusters,
}

/// Whether there are clusters.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Clusters {
    #[default]
    Absent,
    Present,
}

/// Ids of the features that are not a pair of views.
mod purpose {
    pub(super) const BETWEEN: u64 = 101;
    pub(super) const BETWEEN_UPOS: u64 = 102;
    pub(super) const VERBS: u64 = 103;
    pub(super) const PUNCTUATION: u64 = 104;
    pub(super) const CONJUNCTIONS: u64 = 105;
    pub(super) const AGREEMENT: u64 = 106;
    pub(super) const DISTANCE: u64 = 107;
    pub(super) const TAGS_BETWEEN: u64 = 108;
    pub(super) const LEMMAS: u64 = 200;
    pub(super) const CLUSTERS: u64 = 300;
}

/// Adds one feature in both forms.
struct Put<'a> {
    bits: Bits,
    direction: u64,
    distance: u64,
    places: &'a mut Vec<u32>,
}

impl<'a> Put<'a> {
    #[inline]
    fn new(head: usize, modifier: usize, bits: Bits, places: &'a mut Vec<u32>) -> Self {
        let distance = distance_class(head.min(modifier), head.max(modifier));
        Self { bits, direction: u64::from(head < modifier) + 1, distance, places }
    }

    #[inline]
    fn put(&mut self, hash: u64) {
        let hash = cross(hash, self.direction, 0);
        self.places.push(self.bits.place(hash));
        self.places.push(self.bits.beside(hash, self.distance));
    }
}

/// Adds the table positions of all features of the arc from position `head` to position `modifier`.
pub(super) fn arc(
    views: &Views,
    head: usize,
    modifier: usize,
    templates: Templates,
    bits: Bits,
    places: &mut Vec<u32>,
) {
    let (left, right) = (head.min(modifier), head.max(modifier));
    let mut put = Put::new(head, modifier, bits, places);
    let mut pairs = |list: &[(View, View)], first: u64| {
        for (&(of_head, of_modifier), number) in list.iter().zip(first..) {
            put.put(cross(views.of(head, of_head), views.of(modifier, of_modifier), number));
        }
    };
    pairs(&TEMPLATES, 1);
    if templates.lemmas == super::words::Lemmas::Use {
        pairs(&LEMMA_TEMPLATES, purpose::LEMMAS);
    }
    if templates.clusters == Clusters::Present {
        pairs(&CLUSTER_TEMPLATES, purpose::CLUSTERS);
    }

    let tags = cross(views.of(head, Tag), views.of(modifier, Tag), purpose::BETWEEN);
    let coarse = cross(views.of(head, Upos), views.of(modifier, Upos), purpose::BETWEEN_UPOS);
    let mut seen = 0_u32;
    for &bit in &views.tag_bits[left + 1..right] {
        if seen & bit == 0 {
            seen |= bit;
            put.put(cross(tags, u64::from(bit), purpose::BETWEEN));
            put.put(cross(coarse, u64::from(bit), purpose::BETWEEN));
        }
    }
    put.put(cross(coarse, u64::from(seen), purpose::TAGS_BETWEEN));
    for (mark, number) in [
        (Mark::Verb, purpose::VERBS),
        (Mark::Punctuation, purpose::PUNCTUATION),
        (Mark::Conjunction, purpose::CONJUNCTIONS),
    ] {
        put.put(cross(coarse, u64::from(views.between(left, right, mark).min(4)), number));
    }
    put.put(cross(coarse, (right - left).min(25) as u64, purpose::DISTANCE));
    for (key, agreement) in views.agreement(head, modifier) {
        let number = match agreement {
            Agreement::Same => purpose::AGREEMENT,
            Agreement::Different => purpose::AGREEMENT + 900,
        };
        put.put(cross(coarse, key, number));
    }
}

/// Adds the table positions of the few features that the pruner uses. `tags_between` has the bits of the tags in
/// between.
#[inline]
pub(super) fn light(
    views: &Views,
    head: usize,
    modifier: usize,
    tags_between: u32,
    bits: Bits,
    places: &mut Vec<u32>,
) {
    let (left, right) = (head.min(modifier), head.max(modifier));
    let mut put = Put::new(head, modifier, bits, places);
    for (&(of_head, of_modifier), number) in LIGHT_TEMPLATES.iter().zip(1..) {
        put.put(cross(views.of(head, of_head), views.of(modifier, of_modifier), number));
    }
    let coarse = cross(views.of(head, Upos), views.of(modifier, Upos), purpose::BETWEEN_UPOS);
    put.put(cross(coarse, u64::from(tags_between), purpose::TAGS_BETWEEN));
    put.put(cross(
        coarse,
        u64::from(views.between(left, right, Mark::Punctuation).min(4)),
        purpose::PUNCTUATION,
    ));
    put.put(cross(coarse, u64::from(views.between(left, right, Mark::Verb).min(4)), purpose::VERBS));
    put.put(cross(coarse, (right - left).min(25) as u64, purpose::DISTANCE));
}

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
use super::words::{Agreement, Mark, View, Views, Word, distance_class};

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

/// The features of one arc, each in both forms.
#[derive(Clone, Copy)]
struct Arc<'v> {
    head: &'v Word,
    modifier: &'v Word,
    bits: Bits,
    direction: u64,
    distance: u64,
}

impl<'v> Arc<'v> {
    #[inline]
    fn new(views: &'v Views, head: usize, modifier: usize, bits: Bits) -> Self {
        Self {
            head: views.word(head),
            modifier: views.word(modifier),
            bits,
            direction: u64::from(head < modifier) + 1,
            distance: distance_class(head.min(modifier), head.max(modifier)),
        }
    }

    /// The two positions of a feature, on one cache line.
    #[inline]
    fn both(self, hash: u64) -> [u32; 2] {
        let hash = cross(hash, self.direction, 0);
        [self.bits.place(hash), self.bits.beside(hash, self.distance)]
    }

    #[inline]
    fn put(self, hash: u64, places: &mut Vec<u32>) {
        places.extend_from_slice(&self.both(hash));
    }

    /// Adds the features of templates, numbered from `first`.
    #[inline]
    fn put_pairs<const N: usize>(self, templates: &[(View, View); N], first: u64, places: &mut Vec<u32>) {
        let mut block = [[0; 2]; N];
        for ((two, &(of_head, of_modifier)), number) in block.iter_mut().zip(templates).zip(first..) {
            let left = self.head[of_head as usize];
            let right = self.modifier[of_modifier as usize];
            *two = self.both(cross(left, right, number));
        }
        places.extend_from_slice(block.as_flattened());
    }

    /// The pair of universal tags, for features of what lies between.
    #[inline]
    fn coarse(self) -> u64 {
        cross(self.head[Upos as usize], self.modifier[Upos as usize], purpose::BETWEEN_UPOS)
    }
}

/// The first of every two positions of an arc: the other is on the same cache line.
#[inline]
pub(super) fn one_per_line(places: &[u32]) -> impl Iterator<Item = u32> {
    places.as_chunks::<2>().0.iter().map(|two| two[0])
}

/// Adds the table positions of all features of the arc from position `head` to position `modifier`. Every two of them
/// lie on one cache line.
pub(super) fn arc(
    views: &Views,
    head: usize,
    modifier: usize,
    templates: Templates,
    bits: Bits,
    places: &mut Vec<u32>,
) {
    let (left, right) = (head.min(modifier), head.max(modifier));
    let arc = Arc::new(views, head, modifier, bits);
    arc.put_pairs(&TEMPLATES, 1, places);
    if templates.lemmas == super::words::Lemmas::Use {
        arc.put_pairs(&LEMMA_TEMPLATES, purpose::LEMMAS, places);
    }
    if templates.clusters == Clusters::Present {
        arc.put_pairs(&CLUSTER_TEMPLATES, purpose::CLUSTERS, places);
    }

    let tags = cross(views.of(head, Tag), views.of(modifier, Tag), purpose::BETWEEN);
    let coarse = arc.coarse();
    let mut seen = 0_u32;
    for &bit in &views.tag_bits[left + 1..right] {
        if seen & bit == 0 {
            seen |= bit;
            arc.put(cross(tags, u64::from(bit), purpose::BETWEEN), places);
            arc.put(cross(coarse, u64::from(bit), purpose::BETWEEN), places);
        }
    }
    arc.put(cross(coarse, u64::from(seen), purpose::TAGS_BETWEEN), places);
    for (mark, number) in [
        (Mark::Verb, purpose::VERBS),
        (Mark::Punctuation, purpose::PUNCTUATION),
        (Mark::Conjunction, purpose::CONJUNCTIONS),
    ] {
        arc.put(cross(coarse, u64::from(views.between(left, right, mark).min(4)), number), places);
    }
    arc.put(cross(coarse, (right - left).min(25) as u64, purpose::DISTANCE), places);
    for (key, agreement) in views.agreement(head, modifier) {
        let number = match agreement {
            Agreement::Same => purpose::AGREEMENT,
            Agreement::Different => purpose::AGREEMENT + 900,
        };
        arc.put(cross(coarse, key, number), places);
    }
}

/// Adds the table positions of the few features that the pruner uses, every two on one cache line. `tags_between` has
/// the bits of the tags in between.
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
    let arc = Arc::new(views, head, modifier, bits);
    arc.put_pairs(&LIGHT_TEMPLATES, 1, places);
    let coarse = arc.coarse();
    let count = |mark: Mark| u64::from(views.between(left, right, mark).min(4));
    let between = [
        arc.both(cross(coarse, u64::from(tags_between), purpose::TAGS_BETWEEN)),
        arc.both(cross(coarse, count(Mark::Punctuation), purpose::PUNCTUATION)),
        arc.both(cross(coarse, count(Mark::Verb), purpose::VERBS)),
        arc.both(cross(coarse, (right - left).min(25) as u64, purpose::DISTANCE)),
    ];
    places.extend_from_slice(between.as_flattened());
}

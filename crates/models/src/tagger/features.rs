//! The features of a word in its sentence.

use super::config::Template;
use super::facts::{Facts, OUTSIDE};
use crate::log_linear::{Case, Namer};

/// A sentence to take features from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sentence<'s> {
    words: &'s [Facts],
    /// The lists of entries that begin with a word, and that it stands inside; empty without lists.
    lists: &'s [(u32, u32)],
    /// Nothing but capitals, as in headings, where they tell nothing.
    capital: bool,
}

/// Kinds of names, apart from those of the lexicon of grammars, which counts its own from 0.
const TAGS: u64 = 1 << 32;
const ENTITIES: u64 = 2 << 32;

/// Places of the path's prefixes: 4, 6, 10, 20 bits and all.
const SHORT: usize = 1;
const MIDDLE: usize = 2;
const WHOLE: usize = 4;

impl<'s> Sentence<'s> {
    pub(super) fn new(words: &'s [Facts], lists: &'s [(u32, u32)]) -> Self {
        let upper = words.iter().filter(|word| word.word.case == Case::Upper).count();
        Self { words, lists, capital: upper > 1 && words.iter().all(|word| word.word.case != Case::Lower) }
    }

    fn near(&self, at: usize, offset: isize) -> &'s Facts {
        at.checked_add_signed(offset).and_then(|at| self.words.get(at)).unwrap_or(&OUTSIDE)
    }

    /// Calls `feature` with the names of all features of the word at `at`, in a fixed order.
    pub(super) fn features(&self, at: usize, template: Template, mut feature: impl FnMut(u32)) {
        match template {
            Template::Tags => self.tag_features(at, Namer::new(TAGS, &mut feature)),
            Template::Entities => self.entity_features(at, Namer::new(ENTITIES, &mut feature)),
        }
    }

    /// Whether capitals tell something here: 1 to 4.
    fn place(&self, at: usize) -> u64 {
        1 + u64::from(at == 0) + 2 * u64::from(self.capital)
    }

    fn tag_features(&self, at: usize, mut name: Namer<impl FnMut(u32)>) {
        let [before2, before, facts, after, after2] = [-2, -1, 0, 1, 2].map(|offset| self.near(at, offset));
        let (w2, w1, word, v1, v2) = (&before2.word, &before.word, &facts.word, &after.word, &after2.word);
        let place = self.place(at);
        name.feature([place]);
        name.feature([word.word]);
        name.feature([word.lower]);
        word.endings.iter().for_each(|&ending| name.feature([ending]));
        word.beginnings.iter().for_each(|&beginning| name.feature([beginning]));
        name.feature([word.shape, place]);
        name.feature([word.endings[1], word.shape, place]);
        name.feature([word.class, place]);
        name.feature([word.lower_class, place]);
        name.feature([word.stem]);
        name.feature([word.part]);
        for near in [w1, v1, w2, v2] {
            name.feature([near.lower]);
            name.feature([near.class]);
        }
        name.feature([w1.lower, word.lower]);
        name.feature([word.lower, v1.lower]);
        name.feature([w1.lower, v1.lower]);
        name.feature([w1.class, word.lower]);
        name.feature([word.lower, v1.class]);
        name.feature([w1.class, word.lower, v1.class]);
        name.feature([w2.class, w1.class]);
        name.feature([v1.class, v2.class]);
        name.feature([w1.class, v1.class]);
        name.feature([w1.class, word.class]);
        name.feature([word.class, v1.class]);
        name.feature([w1.class, word.class, v1.class]);
        name.feature([w1.endings[2]]);
        name.feature([v1.endings[2]]);
        name.feature([w1.shape, word.shape]);
        name.feature([word.shape, v1.shape]);
        name.feature([w1.class, word.endings[2]]);
        name.feature([word.endings[2], v1.class]);
        let (c1, cluster, d1) = (&before.clusters, &facts.clusters, &after.clusters);
        cluster.iter().for_each(|&prefix| name.feature([prefix]));
        for near in [c1, d1] {
            name.feature([near[SHORT]]);
            name.feature([near[MIDDLE]]);
            name.feature([near[WHOLE]]);
        }
        name.feature([before2.clusters[MIDDLE]]);
        name.feature([after2.clusters[MIDDLE]]);
        name.feature([c1[MIDDLE], cluster[MIDDLE]]);
        name.feature([cluster[MIDDLE], d1[MIDDLE]]);
        name.feature([c1[MIDDLE], d1[MIDDLE]]);
    }

    fn entity_features(&self, at: usize, mut name: Namer<impl FnMut(u32)>) {
        let window = [-2, -1, 0, 1, 2].map(|offset| self.near(at, offset));
        let [w2, w1, word, v1, v2] = window.map(|near| &near.word);
        let place = self.place(at);
        name.feature([place]);
        for near in [w2, w1, word, v1, v2] {
            name.feature([near.word]);
            name.feature([near.lower]);
            name.feature([near.shape, place]);
        }
        for near in [w1, word, v1] {
            near.endings[..4].iter().for_each(|&ending| name.feature([ending]));
            near.beginnings.iter().for_each(|&beginning| name.feature([beginning]));
        }
        name.feature([word.shape, word.endings[2]]);
        name.feature([w1.shape, word.shape]);
        name.feature([word.shape, v1.shape]);
        name.feature([w1.shape, word.shape, v1.shape]);
        name.feature([w1.lower, word.shape]);
        name.feature([word.shape, v1.lower]);
        name.feature([w1.lower, word.lower]);
        name.feature([word.lower, v1.lower]);
        name.feature([w2.lower, w1.lower]);
        name.feature([v1.lower, v2.lower]);
        for near in window {
            near.clusters.iter().for_each(|&prefix| name.feature([prefix]));
        }
        let [_, c1, cluster, d1, _] = window.map(|near| near.clusters[MIDDLE]);
        name.feature([c1, cluster]);
        name.feature([cluster, d1]);
        name.feature([cluster, word.shape]);
        name.feature([c1, word.shape]);
        for offset in [-1, 0, 1] {
            let lists =
                at.checked_add_signed(offset).and_then(|at| self.lists.get(at)).copied().unwrap_or_default();
            name.feature([u64::from(lists.0)]);
            name.feature([u64::from(lists.1)]);
        }
    }
}

//! The features of a word in its sentence.

use super::config::Template;
use super::facts::{Facts, OUTSIDE};
use models::log_linear::{Case, Namer};

/// Stands for the positions beyond the ends, as a static to borrow.
static BEYOND: Facts = OUTSIDE;

/// A sentence from which features are extracted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sentence<'s> {
    words: &'s [Facts],
    /// The lists with an entry that begins at a word, and those with an entry that contains it; empty without lists.
    lists: &'s [(u32, u32)],
    /// All words are capitalised, as in headings, where capitals carry no information.
    capital: bool,
}

/// Name spaces of features, distinct from those of the grammars' lexicon, which start at 0.
const TAGS: u64 = 1 << 32;
const ENTITIES: u64 = 2 << 32;

/// Number of window positions with features of single words: two before, the word itself, two after.
pub(super) const PLACES: usize = 5;
/// The index of the word itself among them.
const OWN: usize = 2;

fn kind(template: Template) -> u64 {
    match template {
        Template::Tags => TAGS,
        Template::Entities => ENTITIES,
    }
}

/// The features of a single word at one of the [`PLACES`]. They do not depend on the sentence, so their weights can be
/// added up once per word.
pub(super) fn lone_features(facts: &Facts, place: usize, template: Template, mut feature: impl FnMut(u32)) {
    let name = Namer::new(kind(template) + 1 + place as u64, &mut feature);
    match template {
        Template::Tags => lone_tag_features(facts, place, name),
        Template::Entities => lone_entity_features(facts, place, name),
    }
}

fn lone_tag_features(facts: &Facts, place: usize, mut name: Namer<impl FnMut(u32)>) {
    let (word, clusters) = (&facts.word, &facts.clusters);
    name.feature([word.lower]);
    match place.abs_diff(OWN) {
        0 => {
            name.feature([word.word]);
            word.endings.iter().for_each(|&ending| name.feature([ending]));
            word.beginnings.iter().for_each(|&beginning| name.feature([beginning]));
            name.feature([word.stem]);
            name.feature([word.part]);
            clusters.iter().for_each(|&prefix| name.feature([prefix]));
            facts.long.iter().for_each(|&part| name.feature([part]));
            name.feature([facts.kind]);
            facts.seen.iter().for_each(|&label| name.again().feature([label]));
        }
        1 => {
            name.feature([word.class]);
            name.feature([word.endings[2]]);
            name.feature([clusters[SHORT]]);
            name.feature([clusters[MIDDLE]]);
            name.feature([clusters[WHOLE]]);
        }
        _ => {
            name.feature([word.class]);
            name.feature([clusters[MIDDLE]]);
        }
    }
}

fn lone_entity_features(facts: &Facts, place: usize, mut name: Namer<impl FnMut(u32)>) {
    let word = &facts.word;
    name.feature([word.word]);
    name.feature([word.lower]);
    facts.clusters.iter().for_each(|&prefix| name.feature([prefix]));
    if place.abs_diff(OWN) < 2 {
        word.endings[..4].iter().for_each(|&ending| name.feature([ending]));
        word.beginnings.iter().for_each(|&beginning| name.feature([beginning]));
    }
}

/// Indices of the path prefixes: 4, 6, 10, 20 bits and the whole path.
const SHORT: usize = 1;
const MIDDLE: usize = 2;
const WHOLE: usize = 4;

impl<'s> Sentence<'s> {
    pub(super) fn new(words: &'s [Facts], lists: &'s [(u32, u32)]) -> Self {
        let upper = words.iter().filter(|word| word.word.case == Case::Upper).count();
        Self { words, lists, capital: upper > 1 && words.iter().all(|word| word.word.case != Case::Lower) }
    }

    /// The words at the [`PLACES`] around `at`.
    pub(super) fn window(&self, at: usize) -> [&'s Facts; PLACES] {
        [-2, -1, 0, 1, 2].map(|offset| self.near(at, offset))
    }

    fn near(&self, at: usize, offset: isize) -> &'s Facts {
        at.checked_add_signed(offset).and_then(|at| self.words.get(at)).unwrap_or(&BEYOND)
    }

    /// Calls `feature` with the names of all features of the word at `at`, in a fixed order.
    pub(super) fn features(&self, at: usize, template: Template, mut feature: impl FnMut(u32)) {
        for (place, facts) in self.window(at).into_iter().enumerate() {
            lone_features(facts, place, template, &mut feature);
        }
        self.joint_features(at, template, feature);
    }

    /// The features that combine several words.
    pub(super) fn joint_features(&self, at: usize, template: Template, mut feature: impl FnMut(u32)) {
        let name = Namer::new(kind(template), &mut feature);
        match template {
            Template::Tags => self.joint_tag_features(at, name),
            Template::Entities => self.joint_entity_features(at, name),
        }
    }

    /// Whether capitals are informative here: 1 to 4.
    fn place(&self, at: usize) -> u64 {
        1 + u64::from(at == 0) + 2 * u64::from(self.capital)
    }

    fn joint_tag_features(&self, at: usize, mut name: Namer<impl FnMut(u32)>) {
        let window = self.window(at);
        let [w2, w1, word, v1, v2] = window.map(|near| &near.word);
        let place = self.place(at);
        name.feature([place]);
        name.feature([word.shape, place]);
        name.feature([word.endings[1], word.shape, place]);
        name.feature([word.class, place]);
        name.feature([word.lower_class, place]);
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
        name.feature([w1.shape, word.shape]);
        name.feature([word.shape, v1.shape]);
        name.feature([w1.class, word.endings[2]]);
        name.feature([word.endings[2], v1.class]);
        let [_, c1, cluster, d1, _] = window.map(|near| near.clusters[MIDDLE]);
        name.feature([c1, cluster]);
        name.feature([cluster, d1]);
        name.feature([c1, d1]);
    }

    fn joint_entity_features(&self, at: usize, mut name: Namer<impl FnMut(u32)>) {
        let window = self.window(at);
        let [w2, w1, word, v1, v2] = window.map(|near| &near.word);
        let place = self.place(at);
        name.feature([place]);
        for near in [w2, w1, word, v1, v2] {
            name.feature([near.shape, place]);
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

//! The features of a word in its sentence.

use super::super::clusters::{ClusterClasses, Facts};
use models::log_linear::{BEGINNINGS, Case, ENDINGS, Key, Lookup, Namer, SparseWeights, WordFacts};

/// Stands for the positions beyond the ends of a sentence.
static OUTSIDE: Facts = {
    let edge = Key::of(8).value();
    let word = WordFacts {
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
    };
    Facts { word, clusters: ClusterClasses { short: 0, middle: 0, long: 0, whole: 0 } }
};

/// The number of the templates of boundaries, beyond those of chains.
const BOUNDARY: u64 = 1 << 32;

/// A set of feature templates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in super::super) enum Template {
    /// Features that predict tags.
    Tag,
    /// Features that predict which phrases begin and end at the word.
    Boundary,
    /// Features that predict the chain above this tag: where the phrase ends, rather than what the word is.
    Chain(usize),
}

/// A sentence from which features are extracted.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Sentence<'s> {
    words: &'s [Facts],
    /// All words are capitalised, as in headings, where capitals carry no information.
    capital: bool,
}

impl<'s> Sentence<'s> {
    pub(in super::super) fn new(words: &'s [Facts]) -> Self {
        let upper = words.iter().filter(|word| word.word.case == Case::Upper).count();
        Self { words, capital: upper > 1 && words.iter().all(|word| word.word.case != Case::Lower) }
    }

    fn near(&self, at: usize, offset: isize) -> &Facts {
        at.checked_add_signed(offset).and_then(|at| self.words.get(at)).unwrap_or(&OUTSIDE)
    }

    /// Calls `feature` with the names of all features of the word at `at`, in a fixed order.
    pub(super) fn features(&self, at: usize, template: Template, mut feature: impl FnMut(u32)) {
        match template {
            Template::Tag => self.tag_features(at, Namer::new(0, &mut feature)),
            Template::Boundary => self.boundary_features(at, Namer::new(BOUNDARY, &mut feature)),
            Template::Chain(tag) => self.chain_features(at, Namer::new(tag as u64 + 1, &mut feature)),
        }
    }

    /// Adds `Σ_f θ(f, y)` to `sums[y]` for each label `y`, in units of the quantised weights.
    pub(in super::super) fn add_scores(
        &self,
        at: usize,
        template: Template,
        weights: &SparseWeights,
        lookup: &mut Lookup,
        sums: &mut [i32],
    ) {
        lookup.names.clear();
        self.features(at, template, |name| lookup.names.push(name));
        weights.add_all(lookup, sums);
    }

    fn tag_features(&self, at: usize, mut name: Namer<impl FnMut(u32)>) {
        let window = [-2, -1, 0, 1, 2].map(|offset| self.near(at, offset));
        let [before2, before, word, after, after2] = window.map(|facts| &facts.word);
        let place = 1 + u64::from(at == 0) + 2 * u64::from(self.capital);
        name.feature([1]);
        name.feature([word.word]);
        name.feature([word.lower]);
        word.endings.iter().for_each(|&ending| name.feature([ending]));
        word.beginnings.iter().for_each(|&beginning| name.feature([beginning]));
        name.feature([word.shape, place]);
        name.feature([word.endings[1], word.shape, place]);
        name.feature([word.lower_class, place]);
        name.feature([word.stem]);
        name.feature([word.part]);
        for near in [before, after, before2, after2] {
            name.feature([near.lower]);
            name.feature([near.class]);
        }
        name.feature([before.lower, word.lower]);
        name.feature([word.lower, after.lower]);
        name.feature([before.class, word.lower]);
        name.feature([word.lower, after.class]);
        name.feature([before2.class, before.class]);
        name.feature([after.class, after2.class]);
        name.feature([before.class, after.class]);
        name.feature([before.endings[2]]);
        name.feature([after.endings[2]]);
        name.feature([before.shape, word.shape]);
        name.feature([word.shape, after.shape]);
        name.feature([before.class, word.endings[2]]);
        name.feature([word.endings[2], after.class]);
        let [before2, before, own, after, after2] = window.map(|facts| &facts.clusters);
        for class in [own.short, own.middle, own.long, own.whole] {
            name.feature([class]);
        }
        name.feature([own.long, word.endings[1]]);
        name.feature([own.middle, word.endings[2]]);
        name.feature([own.whole, word.shape]);
        for near in [before, after] {
            name.feature([near.middle]);
            name.feature([near.long]);
            name.feature([near.whole]);
        }
        name.feature([before2.long]);
        name.feature([after2.long]);
        name.feature([before.long, own.long]);
        name.feature([own.long, after.long]);
        name.feature([before.long, own.middle, after.long]);
    }

    fn chain_features(&self, at: usize, mut name: Namer<impl FnMut(u32)>) {
        let window = [-2, -1, 0, 1, 2].map(|offset| self.near(at, offset));
        let [before2, before, word, after, after2] = window.map(|facts| &facts.word);
        name.feature([1 + u64::from(at == 0)]);
        name.feature([word.lower]);
        name.feature([word.endings[2]]);
        for near in [before, after, before2, after2] {
            name.feature([near.lower]);
            name.feature([near.class]);
        }
        name.feature([before.class, word.lower]);
        name.feature([word.lower, after.class]);
        name.feature([before2.class, before.class]);
        name.feature([after.class, after2.class]);
        name.feature([before.class, after.class]);
        let [_, before, own, after, _] = window.map(|facts| &facts.clusters);
        for class in [own.middle, own.whole, before.long, after.long] {
            name.feature([class]);
        }
        name.feature([before.middle, own.long]);
        name.feature([own.long, after.middle]);
    }

    fn boundary_features(&self, at: usize, mut name: Namer<impl FnMut(u32)>) {
        let window = [-2, -1, 0, 1, 2].map(|offset| &self.near(at, offset).word);
        let [before2, before, word, after, after2] = window;
        name.feature([1 + u64::from(at == 0) + 2 * u64::from(at + 1 == self.words.len())]);
        for near in window {
            name.feature([near.lower]);
            name.feature([near.class]);
        }
        name.feature([word.endings[2]]);
        name.feature([after.endings[2]]);
        name.feature([before.lower, word.lower]);
        name.feature([word.lower, after.lower]);
        name.feature([before.class, word.class]);
        name.feature([word.class, after.class]);
        name.feature([before.class, word.lower]);
        name.feature([word.lower, after.class]);
        name.feature([before.lower, word.class]);
        name.feature([word.class, after.lower]);
        name.feature([before2.class, before.class, word.class]);
        name.feature([before.class, word.class, after.class]);
        name.feature([word.class, after.class, after2.class]);
        let [third, fourth] = [3, 4].map(|offset| &self.near(at, offset).word);
        name.feature([third.class]);
        name.feature([after.class, after2.class, third.class]);
        name.feature([after2.class, third.class, fourth.class]);
        let [_, before, own, after, _] = [-2, -1, 0, 1, 2].map(|offset| &self.near(at, offset).clusters);
        name.feature([before.long]);
        name.feature([own.long]);
        name.feature([after.long]);
        name.feature([own.middle, after.middle]);
        name.feature([before.middle, own.middle]);
    }
}

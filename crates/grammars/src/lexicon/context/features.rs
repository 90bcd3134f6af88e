//! The features of a word in its sentence.

use models::log_linear::{BEGINNINGS, Case, ENDINGS, Key, Namer, SparseWeights, WordFacts};

/// Stands for the positions beyond the ends of a sentence.
static OUTSIDE: WordFacts = {
    let edge = Key::of(8).value();
    WordFacts {
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
    }
};

/// A set of feature templates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in super::super) enum Template {
    /// Features that predict tags.
    Tag,
    /// Features that predict the chain above this tag: where the phrase ends, rather than what the word is.
    Chain(usize),
}

/// A sentence from which features are extracted.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Sentence<'s> {
    words: &'s [WordFacts],
    /// All words are capitalised, as in headings, where capitals carry no information.
    capital: bool,
}

impl<'s> Sentence<'s> {
    pub(in super::super) fn new(words: &'s [WordFacts]) -> Self {
        let upper = words.iter().filter(|word| word.case == Case::Upper).count();
        Self { words, capital: upper > 1 && words.iter().all(|word| word.case != Case::Lower) }
    }

    fn near(&self, at: usize, offset: isize) -> &WordFacts {
        at.checked_add_signed(offset).and_then(|at| self.words.get(at)).unwrap_or(&OUTSIDE)
    }

    /// Calls `feature` with the names of all features of the word at `at`, in a fixed order.
    pub(super) fn features(&self, at: usize, template: Template, mut feature: impl FnMut(u32)) {
        match template {
            Template::Tag => self.tag_features(at, Namer::new(0, &mut feature)),
            Template::Chain(tag) => self.chain_features(at, Namer::new(tag as u64 + 1, &mut feature)),
        }
    }

    /// Adds `Σ_f θ(f, y)` to `sums[y]` for each label `y`, in units of the quantised weights.
    pub(in super::super) fn add_scores(
        &self,
        at: usize,
        template: Template,
        weights: &SparseWeights,
        sums: &mut [i32],
    ) {
        self.features(at, template, |name| weights.add(name, sums));
    }

    fn tag_features(&self, at: usize, mut name: Namer<impl FnMut(u32)>) {
        let (before2, before, word) = (self.near(at, -2), self.near(at, -1), self.near(at, 0));
        let (after, after2) = (self.near(at, 1), self.near(at, 2));
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
    }

    fn chain_features(&self, at: usize, mut name: Namer<impl FnMut(u32)>) {
        let (before2, before, word) = (self.near(at, -2), self.near(at, -1), self.near(at, 0));
        let (after, after2) = (self.near(at, 1), self.near(at, 2));
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
    }
}

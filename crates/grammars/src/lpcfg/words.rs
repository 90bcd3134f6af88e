//! Words as members see them: their numbers, classes and vectors.

use corpus::ids::Id;
use corpus::rare_words::SentencePosition;

use super::parameters::Parameters;
use super::profiles::ClassId;
use crate::chart::{Emissions, Forest};
use crate::lexicon::{Lexicon, Observation};

/// The word of an observation; empty for a tag alone.
pub(super) fn text<'s>(observed: &Observation<'s>) -> &'s str {
    match *observed {
        Observation::Word(word) | Observation::Tagged(word, _) => word,
        Observation::Tag(_) => "",
    }
}

/// The id of a word, if the treebank has it; sentence-initially the lower-case form also matches.
pub(super) fn known_word(lexicon: &Lexicon, word: &str, position: SentencePosition) -> Option<usize> {
    let words = lexicon.words();
    let id = words.get(word).or_else(|| match position {
        SentencePosition::First => words.get(&word.to_lowercase()),
        SentencePosition::Later => None,
    });
    id.map(|id| id.index())
}

/// Looks up the words of a sentence.
pub(super) fn find_known(lexicon: &Lexicon, sentence: &[Observation<'_>], known: &mut Vec<Option<usize>>) {
    known.clear();
    let words = sentence.iter().enumerate();
    known.extend(
        words.map(|(position, observed)| known_word(lexicon, text(observed), SentencePosition::of(position))),
    );
}

/// The vectors of preterminals under a member.
pub(super) struct WordVectors<'s, 'w> {
    pub(super) member: &'s Parameters<f32>,
    pub(super) words: &'s Emissions,
    pub(super) known: &'s [Option<usize>],
    pub(super) phrases: usize,
    pub(super) classes: Classes<'s, 'w>,
}

impl WordVectors<'_, '_> {
    /// Writes the vector of a preterminal, or the first values of it; returns its exponent.
    pub(super) fn write(&mut self, forest: &Forest, at: usize, vector: &mut [f32]) -> i32 {
        let item = forest.items()[at];
        let position = item.start as usize;
        let tag = item.symbol as usize - self.phrases;
        let value = self.words.value(forest.emissions()[at] as usize);
        let profile = self.member.profiles.get(self.known[position], || self.classes.get(position), tag);
        vector.iter_mut().zip(profile).for_each(|(out, profile)| *out = value * profile);
        self.words.exponent(position)
    }
}

/// The classes of a sentence's words, each looked up once.
pub(super) struct Classes<'s, 'w> {
    member: &'s Parameters<f32>,
    sentence: &'s [Observation<'w>],
    found: Option<(usize, Option<ClassId>)>,
}

impl<'s, 'w> Classes<'s, 'w> {
    pub(super) fn new(member: &'s Parameters<f32>, sentence: &'s [Observation<'w>]) -> Self {
        Self { member, sentence, found: None }
    }

    /// The class of a word. Known words need theirs for preterminals they were not seen with.
    fn get(&mut self, position: usize) -> Option<ClassId> {
        match self.found {
            Some((at, class)) if at == position => class,
            _ => {
                let word = text(&self.sentence[position]);
                let class = self.member.profiles.class(word, SentencePosition::of(position));
                self.found = Some((position, class));
                class
            }
        }
    }
}

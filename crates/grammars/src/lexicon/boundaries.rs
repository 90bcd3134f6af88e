//! Where phrases of two or more words may begin and end: constraints that close cells of a chart before it is filled.
//!
//! ```text
//! cell (i, j) is open if  p(i begins a phrase | x) p(j ends a phrase | x) ≥ c
//! ```
//!
//! `x` is the sentence; the probabilities are those of the log-linear model in `context`, with one label for each way in which a
//! word may begin and end phrases; features see the tag that the lexicon finds most probable for each word. A phrase in normal form may be the beginning of a phrase of the treebank, introduced by
//! binarisation. Where only such phrases end, the cell is left to them. This is the finite-state chart constraint of B. Roark
//! and K. Hollingshead, Classifying chart cells for quadratic complexity context-free inference (COLING 2008), with one model
//! in place of a classifier for beginnings and one for endings, and with a limit for both ends of a span together in place of
//! one for each.

use corpus::ids::{Id, TagId};

use super::clusters::Facts;
use super::context::{CandidateSet, ContextLearner, Sentence, Template};
use super::counts::LexiconCounts;
use super::model::Lexicon;
use super::observation::{Emission, SentenceEmissions};
use models::log_linear::SparseWeights;

/// What ends at a word, apart from the word itself.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Ending {
    /// No phrase.
    #[default]
    Nothing,
    /// Only phrases that binarisation introduces.
    Intermediate,
    /// A phrase of the treebank.
    Phrase,
}

/// What begins and ends at a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Boundary {
    /// Whether a phrase of two or more words begins here.
    pub begins: bool,
    /// The phrases of two or more words that end here.
    pub ends: Ending,
}

/// Number of different boundaries.
pub(super) const BOUNDARIES: usize = 6;

/// How probable it is that phrases of two or more words begin and end at a word.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BoundaryChance {
    /// A phrase begins.
    pub begins: f32,
    /// A phrase of the treebank ends.
    pub ends_phrase: f32,
    /// Any phrase ends, be it introduced by binarisation.
    pub ends: f32,
}

impl BoundaryChance {
    /// Everything may begin and end here.
    pub const OPEN: Self = Self { begins: 1.0, ends_phrase: 1.0, ends: 1.0 };
}

impl Boundary {
    /// The number of a boundary as a label.
    pub(super) fn label(self) -> u16 {
        u16::from(self.begins) + 2 * self.ends as u16
    }
}

impl Lexicon {
    /// Learns where phrases begin and end from the counted sentences.
    pub(super) fn learn_boundaries(&self, counts: &LexiconCounts) -> SparseWeights {
        let facts: Vec<Facts> = self.words.iter().map(|(_, word)| self.facts(word)).collect();
        let mut learner = ContextLearner::new(&self.config.context);
        let mut words: Vec<Facts> = Vec::new();
        for (tokens, boundaries) in counts.sentences().zip(counts.boundaries()) {
            words.clear();
            words.extend(
                tokens.iter().map(|&(word, symbol)| facts[word.index()].with_tag(self.tag_of(symbol))),
            );
            let sentence = Sentence::new(&words);
            for (at, boundary) in boundaries.iter().enumerate() {
                learner.add(sentence, at, Template::Boundary, boundary.label(), CandidateSet(0));
            }
        }
        learner.learn(&[(0..BOUNDARIES as u16).collect()], BOUNDARIES)
    }

    /// Finds what begins and ends at the words of the sentence whose emissions were found last. Without a model of boundaries
    /// anything does.
    pub(crate) fn boundaries(&self, of: &mut SentenceEmissions, out: &mut Vec<BoundaryChance>) {
        out.clear();
        if self.boundary_context.is_empty() {
            out.resize(of.words(), BoundaryChance::OPEN);
            return;
        }
        for at in 0..of.words() {
            if let Some(tag) = self.best_tag(of.word(at)) {
                of.facts[at] = of.facts[at].with_tag(tag);
            }
        }
        let step = self.boundary_context.step() as f32;
        let SentenceEmissions { facts, work, .. } = of;
        let sentence = Sentence::new(facts);
        for at in 0..facts.len() {
            let mut sums = [0; BOUNDARIES];
            sentence.add_scores(at, Template::Boundary, &self.boundary_context, &mut work.lookup, &mut sums);
            let most = sums.iter().copied().max().unwrap_or(0);
            let powers = sums.map(|sum| ((sum - most) as f32 * step).exp());
            let total: f32 = powers.iter().sum();
            let phrase = powers[4] + powers[5];
            out.push(BoundaryChance {
                begins: (powers[1] + powers[3] + powers[5]) / total,
                ends_phrase: phrase / total,
                ends: (phrase + powers[2] + powers[3]) / total,
            });
        }
    }

    /// The tag of the most probable preterminal of a word.
    fn best_tag(&self, emissions: &[Emission]) -> Option<TagId> {
        let joint = |emission: &Emission| {
            f64::from(emission.probability) * self.preterminal_count(emission.preterminal)
        };
        let best = emissions.iter().max_by(|one, other| joint(one).total_cmp(&joint(other)));
        best.map(|emission| self.tag_of(emission.preterminal))
    }
}

#[cfg(test)]
mod tests {
    use corpus::rare_words::SentencePosition;

    use super::super::{LexiconConfig, Observation};
    use super::*;
    use crate::grammar::SymbolId;

    /// `(S (NP the dog) (VP saw (NP a cat)))`, left-binarised as it is, and one with three words below a phrase.
    fn lexicon() -> Lexicon {
        let mut counts = LexiconCounts::default();
        let symbol = |index| SymbolId::new(index).unwrap();
        for _ in 0..30 {
            for (at, (word, tag)) in
                [("the", 0), ("dog", 1), ("saw", 2), ("a", 0), ("cat", 1)].into_iter().enumerate()
            {
                counts.add(word, symbol(tag), SentencePosition::of(at));
            }
            for span in [0..5, 0..2, 2..5, 3..5] {
                counts.add_phrase(span, Ending::Phrase);
            }
            counts.add_phrase(0..4, Ending::Intermediate);
        }
        Lexicon::new(&counts, &["DT", "NN", "VB"], LexiconConfig::default(), None)
    }

    #[test]
    fn words_begin_and_end_what_they_did_in_the_treebank() {
        let lexicon = lexicon();
        let mut emissions = SentenceEmissions::default();
        let sentence = ["the", "dog", "saw", "a", "cat"].map(Observation::Word);
        lexicon.emissions_of_sentence(&sentence, &mut emissions);
        let mut found = Vec::new();
        lexicon.boundaries(&mut emissions, &mut found);
        let probable = |chance: &BoundaryChance| {
            [chance.begins, chance.ends_phrase, chance.ends].map(|probability| probability > 0.5)
        };
        assert_eq!(
            found.iter().map(probable).collect::<Vec<_>>(),
            [
                [true, false, false],
                [false, true, true],
                [true, false, false],
                [true, false, true],
                [false, true, true],
            ]
        );
        let inside = |&probability: &f32| probability > 0.0 && probability <= 1.0;
        assert!(
            found.iter().all(|chance| [chance.begins, chance.ends_phrase, chance.ends].iter().all(inside))
        );
    }

    #[test]
    fn labels_are_numbered_without_gaps() {
        let all = [Ending::Nothing, Ending::Intermediate, Ending::Phrase]
            .into_iter()
            .flat_map(|ends| [false, true].map(|begins| Boundary { begins, ends }.label()));
        assert!(all.eq(0..BOUNDARIES as u16));
    }
}

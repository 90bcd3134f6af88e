//! Training tokens with their features.

use super::features::{Sentence, Template};
use super::learn::CandidateSet;
use models::log_linear::{Counters, Numbering};

/// A token with its label.
#[derive(Clone, Copy, Debug)]
pub(super) struct Example {
    pub(super) label: u16,
    pub(super) candidates: CandidateSet,
    /// The tag that its features are conjoined with, if any.
    pub(super) owner: Option<u16>,
    /// Its features are `features[start..]`, up to those of the next token.
    start: usize,
}

/// All training tokens.
#[derive(Debug)]
pub(super) struct Examples {
    examples: Vec<Example>,
    /// First the names of the features, later their numbers.
    features: Vec<u32>,
    counters: Counters,
}

impl Examples {
    pub(super) fn new() -> Self {
        Self { examples: Vec::new(), features: Vec::new(), counters: Counters::new() }
    }

    pub(super) fn len(&self) -> usize {
        self.examples.len()
    }

    /// Adds a token.
    pub(super) fn add(
        &mut self,
        sentence: Sentence<'_>,
        at: usize,
        template: Template,
        label: u16,
        candidates: CandidateSet,
    ) {
        let owner = match template {
            Template::Tag | Template::Boundary => None,
            Template::Chain(tag) => Some(tag as u16),
        };
        self.examples.push(Example { label, candidates, owner, start: self.features.len() });
        let Self { features, counters, .. } = self;
        sentence.features(at, template, |name| {
            features.push(name);
            counters.add(name);
        });
    }

    /// Replaces feature names by numbers and drops features seen less often than `least`.
    pub(super) fn number(&mut self, least: u32) -> Numbered {
        let mut numbering = Numbering::new(std::mem::take(&mut self.counters), least);
        self.rewrite(|name, example| numbering.number(name, example.owner, u32::from(example.label)));
        let numbered = numbering.finish();
        self.rewrite(|number, _| numbered.numbers[number as usize]);
        let pairs = numbered.pairs.into_iter().map(|(feature, label)| (feature, label as u16)).collect();
        Numbered { names: numbered.names, pairs }
    }

    /// Renumbers the features.
    pub(super) fn renumber(&mut self, numbers: &[u32]) {
        self.features.iter_mut().for_each(|feature| *feature = numbers[*feature as usize]);
    }

    /// Replaces or drops features.
    fn rewrite(&mut self, mut new: impl FnMut(u32, &Example) -> Option<u32>) {
        let mut write = 0;
        for number in 0..self.examples.len() {
            let range = self.range(number);
            self.examples[number].start = write;
            for read in range {
                if let Some(feature) = new(self.features[read], &self.examples[number]) {
                    self.features[write] = feature;
                    write += 1;
                }
            }
        }
        self.features.truncate(write);
    }

    /// The index range of a token's features. It reads the start of the next token, so tokens may be rewritten in
    /// order.
    fn range(&self, number: usize) -> std::ops::Range<usize> {
        let end = self.examples.get(number + 1).map_or(self.features.len(), |next| next.start);
        self.examples[number].start..end
    }

    /// A token and its features.
    pub(super) fn get(&self, number: usize) -> (&Example, &[u32]) {
        (&self.examples[number], &self.features[self.range(number)])
    }
}

/// The features that are frequent enough.
pub(super) struct Numbered {
    /// Feature names by number.
    pub(super) names: Vec<u32>,
    /// The pairs of a feature and a label seen together, ascending.
    pub(super) pairs: Vec<(u32, u16)>,
}

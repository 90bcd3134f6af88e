//! Tokens to learn from, with their features.

use super::features::{Sentence, Template};
use super::key_table::KeyTable;
use super::learn::CandidateSet;

/// A token with its label.
#[derive(Clone, Copy, Debug)]
pub(super) struct Example {
    pub(super) label: u16,
    pub(super) candidates: CandidateSet,
    /// The tag that its features are joined with, if they are.
    pub(super) owner: Option<u16>,
    /// Its features are `features[start..]` up to those of the next one.
    start: usize,
}

/// All tokens.
#[derive(Debug)]
pub(super) struct Examples {
    examples: Vec<Example>,
    /// First the names of the features, then their numbers.
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
            Template::Tag => None,
            Template::Chain(tag) => Some(tag as u16),
        };
        self.examples.push(Example { label, candidates, owner, start: self.features.len() });
        let Self { features, counters, .. } = self;
        sentence.features(at, template, |name| {
            features.push(name);
            counters.add(name);
        });
    }

    /// Replaces the names of features by numbers and drops those seen less often than `least`.
    ///
    /// Most features are rare. The counters, which are never too low, keep nearly all of these out of the table, so that it stays
    /// small. A name that is by chance a feature of two tags remains the feature of the first.
    pub(super) fn number(&mut self, least: u32) -> Numbered {
        let mut table = KeyTable::default();
        let mut found: Vec<Found> = Vec::new();
        let mut pairs: Vec<(u32, u16)> = Vec::new();
        let counters = std::mem::take(&mut self.counters);
        self.rewrite(|name, example| {
            if counters.get(name) < least.min(Counters::MOST) {
                return None;
            }
            let number = table.insert(name);
            if number == found.len() {
                found.push(Found { name, count: 0, owner: example.owner, last: !example.label });
            }
            let own = &mut found[number];
            if own.owner != example.owner {
                return None;
            }
            own.count += 1;
            // A feature has mostly the label that it had the last time.
            if own.last != example.label {
                own.last = example.label;
                pairs.push((number as u32, example.label));
            }
            Some(number as u32)
        });
        let mut names = Vec::new();
        let mut numbers: Vec<Option<u32>> = Vec::with_capacity(found.len());
        for found in &found {
            numbers.push((found.count >= least).then_some(names.len() as u32));
            if found.count >= least {
                names.push(found.name);
            }
        }
        self.rewrite(|number, _| numbers[number as usize]);
        pairs.retain_mut(|pair| numbers[pair.0 as usize].map(|number| pair.0 = number).is_some());
        pairs.sort_unstable();
        pairs.dedup();
        Numbered { names, pairs }
    }

    /// Replaces the numbers of features.
    pub(super) fn renumber(&mut self, numbers: &[u32]) {
        self.features.iter_mut().for_each(|feature| *feature = numbers[*feature as usize]);
    }

    /// Replaces features, or drops them.
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

    /// Where the features of a token stand. Reads the start of the next one, so that tokens may be rewritten in order.
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
    /// By number.
    pub(super) names: Vec<u32>,
    /// Each with the labels that it was seen with, ascending.
    pub(super) pairs: Vec<(u32, u16)>,
}

/// A feature that may be frequent enough.
struct Found {
    name: u32,
    count: u32,
    owner: Option<u16>,
    /// The label of the token that had it last.
    last: u16,
}

/// Counters of features, for a first guess which of them are frequent. Features that share one count together, so that a counter
/// is never too low. Two bits each: all of them fit into the memory next to the processor.
#[derive(Debug, Default)]
struct Counters(Vec<u8>);

impl Counters {
    /// Where counting ends.
    const MOST: u32 = 3;
    const BYTES: usize = 1 << 20;

    fn new() -> Self {
        Self(vec![0; Self::BYTES])
    }

    /// The byte, and the place of the bits in it.
    fn place(name: u32) -> (usize, u32) {
        (name as usize % Self::BYTES, name >> 30 << 1)
    }

    fn add(&mut self, name: u32) {
        let (byte, shift) = Self::place(name);
        let below_most = u8::from(self.get(name) < Self::MOST);
        self.0[byte] += below_most << shift;
    }

    fn get(&self, name: u32) -> u32 {
        let (byte, shift) = Self::place(name);
        u32::from(self.0[byte]) >> shift & Self::MOST
    }
}

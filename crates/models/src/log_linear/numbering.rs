//! Assigns consecutive numbers to frequent features.

use super::{Counters, KeyTable};

/// Numbers features in two steps: first while reading the examples, then without those that turned out to be rare.
///
/// Most features are rare. The counters, which are never too low, keep nearly all of these out of the table, so that it
/// stays small.
pub struct Numbering {
    counters: Counters,
    least: u32,
    table: KeyTable,
    found: Vec<Found>,
    pairs: Vec<(u32, u32)>,
}

/// A feature that may be frequent enough.
struct Found {
    name: u32,
    count: u32,
    owner: Option<u16>,
    /// Outcome of the last example with this feature.
    last: u32,
}

/// The features that remain.
pub struct Numbered {
    /// Names, by number.
    pub names: Vec<u32>,
    /// Maps the numbers of the first step to the final ones.
    pub numbers: Vec<Option<u32>>,
    /// Features with the outcomes that they were seen with, in ascending order.
    pub pairs: Vec<(u32, u32)>,
}

impl Numbering {
    /// `counters` must have counted all features. Features seen fewer than `least` times get no number.
    pub fn new(counters: Counters, least: u32) -> Self {
        Self { counters, least, table: KeyTable::default(), found: Vec::new(), pairs: Vec::new() }
    }

    /// The first-step number of a feature of an example with this outcome. If two owners share a name by chance, the
    /// feature belongs to the first.
    pub fn number(&mut self, name: u32, owner: Option<u16>, outcome: u32) -> Option<u32> {
        if self.counters.get(name) < self.least.min(Counters::MOST) {
            return None;
        }
        let number = self.table.insert(name);
        if number == self.found.len() {
            self.found.push(Found { name, count: 0, owner, last: !outcome });
        }
        let own = &mut self.found[number];
        if own.owner != owner {
            return None;
        }
        own.count += 1;
        // A feature usually has the same outcome as the last time.
        if own.last != outcome {
            own.last = outcome;
            self.pairs.push((number as u32, outcome));
        }
        Some(number as u32)
    }

    /// Removes the rare features.
    pub fn finish(self) -> Numbered {
        let mut names = Vec::new();
        let mut numbers: Vec<Option<u32>> = Vec::with_capacity(self.found.len());
        for found in &self.found {
            numbers.push((found.count >= self.least).then_some(names.len() as u32));
            if found.count >= self.least {
                names.push(found.name);
            }
        }
        let mut pairs = self.pairs;
        pairs.retain_mut(|pair| numbers[pair.0 as usize].map(|number| pair.0 = number).is_some());
        pairs.sort_unstable();
        pairs.dedup();
        Numbered { names, numbers, pairs }
    }
}

//! Counts of names.

use std::collections::HashMap;

/// Counts of names.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Counter {
    counts: HashMap<String, u64>,
}

impl Counter {
    /// Counts `name`.
    pub fn add(&mut self, name: &str) {
        match self.counts.get_mut(name) {
            Some(count) => *count += 1,
            None => {
                self.counts.insert(name.to_owned(), 1);
            }
        }
    }

    /// The number of different names.
    pub fn types(&self) -> usize {
        self.counts.len()
    }

    /// The number of names that occur once.
    pub fn hapaxes(&self) -> usize {
        self.counts.values().filter(|&&count| count == 1).count()
    }

    /// The count of `name`.
    pub fn get(&self, name: &str) -> u64 {
        self.counts.get(name).copied().unwrap_or(0)
    }

    /// All names, the most frequent first, ties in alphabetical order.
    pub fn ranked(&self) -> Vec<(String, u64)> {
        let mut ranked: Vec<(String, u64)> =
            self.counts.iter().map(|(name, &count)| (name.clone(), count)).collect();
        ranked.sort_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
        ranked
    }
}

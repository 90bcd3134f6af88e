//! Names of features from their parts.

use super::Key;

/// Numbers the templates as they come, and names features.
pub struct Namer<F> {
    next: Key,
    number: u64,
    feature: F,
}

impl<F: FnMut(u32)> Namer<F> {
    /// `kind` keeps sets of templates apart; `feature` hears the names.
    pub fn new(kind: u64, feature: F) -> Self {
        Self { next: Key::of(10).with(kind), number: 0, feature }
    }

    /// A feature is the conjunction of `parts`. A part that the word does not have, 0, makes none.
    pub fn feature<const N: usize>(&mut self, parts: [u64; N]) {
        self.number += 1;
        if !parts.contains(&0) {
            let key = parts.iter().fold(self.next.with(self.number), |key, &part| key.with(part));
            (self.feature)(key.short());
        }
    }
}

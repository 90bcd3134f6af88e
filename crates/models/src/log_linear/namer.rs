//! Names of features, built from their parts.

use super::Key;

/// Numbers the templates in order of use, and names features.
pub struct Namer<F> {
    next: Key,
    number: u64,
    feature: F,
}

impl<F: FnMut(u32)> Namer<F> {
    /// `kind` distinguishes sets of templates; `feature` receives the names.
    pub fn new(kind: u64, feature: F) -> Self {
        Self { next: Key::of(10).with(kind), number: 0, feature }
    }

    /// A namer whose templates have the same numbers, for features of parts that occur any number of times.
    pub fn again(&mut self) -> Namer<&mut F> {
        Namer { next: self.next, number: self.number, feature: &mut self.feature }
    }

    /// Emits the conjunction of `parts`. If a part is missing (0), emits nothing.
    pub fn feature<const N: usize>(&mut self, parts: [u64; N]) {
        self.number += 1;
        if !parts.contains(&0) {
            let key = parts.iter().fold(self.next.with(self.number), |key, &part| key.with(part));
            (self.feature)(key.short());
        }
    }
}

//! Pairs of letters that are never divided, which settles most decisions in a text.
//!
//! Words of many languages are sometimes divided inside (`can|not`, `gon|na`), but only between few pairs of letters.
//! After a letter in a pair that is frequent and never divided in the data, no features are computed: the token
//! continues.

use hashbrown::{HashMap, HashSet};

use super::features::{Characters, is_letter};
use models::persist::LoadError;

/// Less frequent pairs are decided by features. Scripts without spaces have hardly any pair that is frequent and never
/// divided.
const OFTEN: u32 = 50;

/// See the [module](self).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Bonds {
    pairs: HashSet<(char, char), foldhash::fast::FixedState>,
}

/// Pairs of letters with their counts, and how often they were divided.
#[derive(Debug, Default)]
pub(super) struct BondCounts {
    counts: HashMap<(char, char), (u32, u32), foldhash::fast::FixedState>,
}

/// The letter at a position and the letter directly after it.
fn pair(characters: &Characters, at: usize) -> Option<(char, char)> {
    let (&(one, _, class), &(other, _, next)) = (characters.all.get(at)?, characters.all.get(at + 1)?);
    (is_letter(class) && is_letter(next)).then_some((one, other))
}

impl BondCounts {
    /// Counts the pair at the character `at`.
    pub(super) fn see(&mut self, characters: &Characters, at: usize, divided: bool) {
        if let Some(pair) = pair(characters, at) {
            let count = self.counts.entry(pair).or_default();
            count.0 = count.0.saturating_add(1);
            count.1 = count.1.saturating_add(u32::from(divided));
        }
    }

    pub(super) fn bonds(self) -> Bonds {
        let firm = |&(_, (seen, divided)): &(_, (u32, u32))| seen >= OFTEN && divided == 0;
        Bonds { pairs: self.counts.into_iter().filter(firm).map(|(pair, _)| pair).collect() }
    }
}

impl Bonds {
    /// Whether the token certainly continues after the character at `at`.
    #[inline]
    pub(super) fn hold(&self, characters: &Characters, at: usize) -> bool {
        pair(characters, at).is_some_and(|pair| self.pairs.contains(&pair))
    }

    /// The pairs in order, as stored in a file.
    pub(super) fn letters(&self) -> Vec<u32> {
        let mut pairs: Vec<(char, char)> = self.pairs.iter().copied().collect();
        pairs.sort_unstable();
        pairs.into_iter().flat_map(|(one, other)| [u32::from(one), u32::from(other)]).collect()
    }

    pub(super) fn from_letters(letters: &[u32]) -> Result<Self, LoadError> {
        let bad = || LoadError::invalid("bonds", "the values are not pairs of letters");
        if !letters.len().is_multiple_of(2) {
            return Err(bad());
        }
        let pair = |pair: &[u32]| Some((char::from_u32(pair[0])?, char::from_u32(pair[1])?));
        let pairs = letters.chunks_exact(2).map(pair).collect::<Option<_>>().ok_or_else(bad)?;
        Ok(Self { pairs })
    }
}

#[cfg(test)]
mod tests {
    use super::super::config::Features;
    use super::*;

    #[test]
    fn only_what_is_seen_often_and_never_divided_holds() {
        let mut characters = Characters::default();
        characters.read("ab cb-x", Features::Characters);
        let mut counts = BondCounts::default();
        for time in 0..OFTEN {
            counts.see(&characters, 0, false);
            counts.see(&characters, 1, false);
            counts.see(&characters, 3, time == 7);
            counts.see(&characters, 4, false);
        }
        let bonds = counts.bonds();
        let held: Vec<bool> = (0..8).map(|at| bonds.hold(&characters, at)).collect();
        assert_eq!(held, [true, false, false, false, false, false, false, false]);
        assert_eq!(Bonds::from_letters(&bonds.letters()).unwrap(), bonds);
        assert!(Bonds::from_letters(&[97]).is_err() && Bonds::from_letters(&[97, 0xD800]).is_err());
    }
}

//! The head of a word: another word, or the artificial root.

use std::fmt;

/// The head of a word, numbered as in CoNLL-U: words from 1, the artificial root 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(transparent)]
pub struct Head(u32);

impl Head {
    /// The artificial root, to the left of the first word.
    pub const ROOT: Head = Head(0);

    /// The head with this number: 0 is the root, `i` the `i`-th word. `None` if the number is too large.
    #[inline]
    pub fn from_number(number: usize) -> Option<Head> {
        u32::try_from(number).ok().map(Head)
    }

    /// The word at `index`, counted from 0. `None` if the index is too large.
    #[inline]
    pub fn word(index: usize) -> Option<Head> {
        index.checked_add(1).and_then(Head::from_number)
    }

    /// 0 for the root, `i` for the `i`-th word.
    #[inline]
    pub fn number(self) -> usize {
        self.0 as usize
    }

    /// Index of the head word from 0, or `None` for the root.
    #[inline]
    pub fn index(self) -> Option<usize> {
        (self.0 as usize).checked_sub(1)
    }

    /// Whether this is the artificial root.
    #[inline]
    pub fn is_root(self) -> bool {
        self.0 == 0
    }
}

impl fmt::Display for Head {
    /// The number, as in the HEAD column.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_indices_differ_by_the_root() {
        assert_eq!(Head::from_number(0), Some(Head::ROOT));
        assert_eq!(Head::ROOT.index(), None);
        assert_eq!(Head::word(4).map(Head::number), Some(5));
        assert_eq!(Head::from_number(5).and_then(Head::index), Some(4));
        assert_eq!(Head::word(u32::MAX as usize), None);
        assert_eq!(Head::word(usize::MAX), None);
    }
}

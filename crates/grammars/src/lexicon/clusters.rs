//! Clusters of words from plain text: classes that words have before any treebank is read.
//!
//! A cluster is a path from the root of a hierarchy, and its prefixes are coarser classes (S. Miller, J. Guinness and A.
//! Zamanian, Name tagging with word clusters and discriminative training, HLT 2004; T. Koo, X. Carreras and M. Collins, Simple
//! semi-supervised dependency parsing, ACL 2008). Words that the treebank lacks are in clusters with words that it has.

use corpus::ids::{Id, TagId};
use models::log_linear::{CLASSES, Key, WordFacts};
use models::representations::ClusterPaths;

/// Lengths of the prefixes that are classes, besides the whole path.
const PREFIXES: [usize; 3] = [4, 6, 10];

/// Longer paths are cut.
const LONGEST: usize = 63;

/// The classes of a word by its cluster: hashes of prefixes of its path, from coarse to fine; 0 if the word has no path.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct ClusterClasses {
    /// By the first 4 bits.
    pub(crate) short: u64,
    /// By the first 6 bits.
    pub(crate) middle: u64,
    /// By the first 10 bits.
    pub(crate) long: u64,
    /// By the whole path.
    pub(crate) whole: u64,
}

impl ClusterClasses {
    /// A path shorter than a prefix stands for itself, so that a word with a path has all classes.
    pub(super) fn of(paths: &ClusterPaths, word: &str) -> Self {
        let Some(bits) = paths.of(word) else { return Self::default() };
        let bits = &bits.as_bytes()[..bits.len().min(LONGEST)];
        // The bits after a leading 1, so that paths of different lengths differ.
        let prefix = |length: usize| {
            let path = bits.iter().take(length).fold(1, |code, bit| code << 1 | u64::from(*bit == b'1'));
            Key::of(30).with(path).value()
        };
        let [short, middle, long] = PREFIXES.map(prefix);
        Self { short, middle, long, whole: prefix(LONGEST) }
    }
}

/// What features see of a word.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Facts {
    /// Its spelling, and its tags in the treebank.
    pub(super) word: WordFacts,
    pub(super) clusters: ClusterClasses,
}

impl Facts {
    /// The word, whose tag is given.
    pub(super) fn with_tag(self, tag: TagId) -> Self {
        Self { word: self.word.with_class(CLASSES.of([tag.index()])), ..self }
    }
}

#[cfg(test)]
mod tests {
    use corpus::format::brown_paths::BrownPath;

    use super::*;

    #[test]
    fn prefixes_are_shared_and_whole_paths_are_not() {
        let path =
            |word: &str, bits: &str| BrownPath { bits: bits.to_owned(), word: word.to_owned(), count: 1 };
        let paths =
            ClusterPaths::new([path("dog", "01101100111"), path("cat", "01101100110"), path("of", "01")]);
        let [dog, cat, of, none] = ["Dog", "cat", "of", "bird"].map(|word| ClusterClasses::of(&paths, word));
        assert_eq!((dog.short, dog.middle, dog.long), (cat.short, cat.middle, cat.long));
        assert_ne!(dog.whole, cat.whole);
        assert!(of.short == of.whole && of.whole != 0 && of.whole != dog.short);
        assert_eq!(none, ClusterClasses::default());
    }
}

//! Cluster paths of words.

use corpus::format::brown_paths::BrownPath;
use corpus::ids::{Id, WordId};
use corpus::vocab::{Vocab, VocabBuilder};

use super::lookup::find;
use crate::persist::{Container, ContainerWriter, LoadError};

/// The path of each word from the root of a cluster hierarchy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClusterPaths {
    words: Vocab<WordId>,
    /// Cluster of each word.
    clusters: Vec<u32>,
    /// Path of each cluster, in the order of their first words.
    paths: Vec<String>,
}

impl ClusterPaths {
    /// Creates a table from paths as written by `cluster`. If a word occurs twice, its first path counts.
    ///
    /// ```
    /// use corpus::format::brown_paths::BrownPath;
    /// use eigentree_models::representations::ClusterPaths;
    /// let path = |word: &str, bits: &str| BrownPath { bits: bits.to_owned(), word: word.to_owned(), count: 1 };
    /// let paths = ClusterPaths::new([path("dog", "0110"), path("NATO", "0111")]);
    /// assert_eq!(paths.of("Dog"), Some("0110"));
    /// assert_eq!(paths.of("nato"), None);
    /// ```
    pub fn new(paths: impl IntoIterator<Item = BrownPath>) -> Self {
        Self::from_pairs(paths.into_iter().map(|path| (path.word, path.bits)))
    }

    pub(super) fn from_pairs(pairs: impl Iterator<Item = (impl AsRef<str>, impl AsRef<str>)>) -> Self {
        let mut words: VocabBuilder<WordId> = VocabBuilder::new();
        let mut bits: VocabBuilder<WordId> = VocabBuilder::new();
        let mut clusters = Vec::new();
        for (word, path) in pairs {
            if words.intern(word.as_ref()).index() == clusters.len() {
                clusters.push(bits.intern(path.as_ref()).index() as u32);
            }
        }
        let paths = bits.freeze().iter().map(|(_, path)| path.to_owned()).collect();
        Self { words: words.freeze(), clusters, paths }
    }

    /// Number of words with a path.
    pub fn len(&self) -> usize {
        self.clusters.len()
    }

    /// Whether there are no words.
    pub fn is_empty(&self) -> bool {
        self.clusters.is_empty()
    }

    /// The path of the cluster of a word.
    pub fn of(&self, word: &str) -> Option<&str> {
        find(&self.words, word).map(|row| self.paths[self.clusters[row] as usize].as_str())
    }

    /// Writes the sections `words` and `paths`.
    pub fn save(&self, writer: &mut ContainerWriter<'_>) {
        writer.vocab("words", &self.words);
        writer.strings("paths", self.clusters.iter().map(|&cluster| &self.paths[cluster as usize]));
    }

    /// Reads the sections.
    pub fn load(container: &Container) -> Result<Self, LoadError> {
        let words: Vocab<WordId> = container.vocab("words")?;
        let paths = container.strings("paths")?;
        if paths.len() != words.len() {
            return Err(LoadError::invalid("paths", "their number differs from the number of words"));
        }
        if paths.iter().any(|path| path.bytes().any(|bit| !matches!(bit, b'0' | b'1'))) {
            return Err(LoadError::invalid("paths", "a path has characters other than `0` and `1`"));
        }
        Ok(Self::from_pairs(words.iter().map(|(_, word)| word).zip(paths.iter())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::persist::Metadata;

    fn path(word: &str, bits: &str) -> BrownPath {
        BrownPath { bits: bits.to_owned(), word: word.to_owned(), count: 1 }
    }

    fn container(write: impl FnOnce(&mut ContainerWriter<'_>)) -> Container {
        let mut writer = ContainerWriter::new(&Metadata::new("test", 1));
        write(&mut writer);
        let mut bytes = Vec::new();
        writer.write_to(&mut bytes).unwrap();
        Container::from_bytes(bytes).unwrap()
    }

    #[test]
    fn the_first_path_of_a_word_counts_and_capitals_are_tried_first() {
        let paths =
            ClusterPaths::new([path("us", "00"), path("US", "01"), path("us", "11"), path("We", "00")]);
        assert_eq!(paths.len(), 3);
        assert_eq!(
            ["us", "US", "Us", "We", "we"].map(|word| paths.of(word)),
            [Some("00"), Some("01"), Some("00"), Some("00"), None]
        );
    }

    #[test]
    fn saved_paths_come_back_and_others_are_refused() {
        let paths = ClusterPaths::new([path("a", "0"), path("b", ""), path("c", "0")]);
        assert_eq!(ClusterPaths::load(&container(|writer| paths.save(writer))).unwrap(), paths);
        for (words, bits) in
            [(vec!["a"], vec!["0", "1"]), (vec!["a"], vec!["2"]), (vec!["a", "a"], vec!["0", "1"])]
        {
            let broken = container(|writer| {
                writer.strings("words", words);
                writer.strings("paths", bits);
            });
            assert!(ClusterPaths::load(&broken).is_err());
        }
    }
}

//! Words with the paths of their clusters.

use corpus::ids::Id;
use corpus::ids::WordId;
use corpus::vocab::{Vocab, VocabBuilder};

use crate::lexicon::load_vocab;
use crate::log_linear::Key;
use crate::persist::{Container, ContainerWriter, LoadError};

/// The lengths of the prefixes that are features, beside the whole path.
const PREFIXES: [usize; 4] = [4, 6, 10, 20];

/// How many features a path makes.
pub(super) const CLUSTER_FEATURES: usize = PREFIXES.len() + 1;

/// The longest path that is told apart.
const LONGEST: usize = 63;

/// The path of each word from the root of a hierarchy of clusters.
#[derive(Clone, Debug)]
pub struct ClusterTable {
    words: Vocab<WordId>,
    /// The bits after a leading 1, so that lengths are told apart.
    paths: Vec<u64>,
}

impl ClusterTable {
    /// From words with their paths of `0`s and `1`s. The first of several paths of a word counts; bits beyond the 63rd do not.
    ///
    /// ```
    /// use eigentree_models::tagger::ClusterTable;
    /// let table = ClusterTable::new([("dog", "0110"), ("cat", "0111")]);
    /// assert_eq!(table.len(), 2);
    /// ```
    pub fn new<'p>(paths: impl IntoIterator<Item = (&'p str, &'p str)>) -> Self {
        let mut words: VocabBuilder<WordId> = VocabBuilder::new();
        let mut codes = Vec::new();
        for (word, bits) in paths {
            if words.intern(word).index() == codes.len() {
                codes
                    .push(bits.bytes().take(LONGEST).fold(1, |code, bit| code << 1 | u64::from(bit == b'1')));
            }
        }
        Self { words: words.freeze(), paths: codes }
    }

    /// How many words it has.
    pub fn len(&self) -> usize {
        self.paths.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.paths.is_empty()
    }

    /// The prefixes of the path of a word, or of its lower-case form, as parts of features; 0 for those that there are not.
    pub(super) fn features(&self, word: &str) -> [u64; CLUSTER_FEATURES] {
        let found = self.words.get(word).or_else(|| self.words.get(&word.to_lowercase()));
        let Some(path) = found.map(|word| self.paths[word.index()]) else { return [0; CLUSTER_FEATURES] };
        let length = 63 - path.leading_zeros() as usize;
        let mut features = [0; CLUSTER_FEATURES];
        for (feature, wanted) in features.iter_mut().zip(PREFIXES) {
            if wanted < length {
                *feature = Key::of(20).with(path >> (length - wanted)).value();
            }
        }
        features[PREFIXES.len()] = Key::of(21).with(path).value();
        features
    }

    pub(super) fn save<'a>(&'a self, writer: &mut ContainerWriter<'a>) {
        writer.strings("words", self.words.iter().map(|(_, word)| word));
        writer.array("paths", &self.paths[..]);
    }

    pub(super) fn load(container: &Container) -> Result<Self, LoadError> {
        let words: Vocab<WordId> = load_vocab(container, "words")?;
        let paths: Vec<u64> = container.array("paths")?.into_vec();
        if paths.len() != words.len() || paths.contains(&0) {
            return Err(LoadError::invalid("paths", "words and paths do not fit together"));
        }
        Ok(Self { words, paths })
    }
}

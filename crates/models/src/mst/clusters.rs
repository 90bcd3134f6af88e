//! Clusters of words as features: prefixes of their paths in the hierarchy (T. Koo, X. Carreras and M. Collins, Simple
//! semi-supervised dependency parsing, ACL 2008).

use corpus::format::brown_paths::BrownPath;
use corpus::ids::WordId;
use corpus::vocab::{Vocab, VocabBuilder};

use super::hashing::string;
use crate::lexicon::load_vocab;
use crate::persist::{Container, ContainerWriter, LoadError};

/// Bits of a path that make a coarse and a middling class; the whole path makes a fine one.
const SHORT: usize = 4;
const MIDDLE: usize = 8;

/// The path of every word of a clustering.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClusterPaths {
    words: Vocab<WordId>,
    paths: Vec<String>,
}

impl ClusterPaths {
    /// From paths as `cluster` writes them. Of a word that stands twice the first path counts.
    pub fn new(paths: impl IntoIterator<Item = BrownPath>) -> Self {
        let mut words = VocabBuilder::new();
        let mut texts = Vec::new();
        for path in paths {
            if words.get(&path.word).is_none() {
                words.intern(&path.word);
                texts.push(path.bits);
            }
        }
        Self { words: words.freeze(), paths: texts }
    }

    /// How many words have a path.
    pub fn len(&self) -> usize {
        self.paths.len()
    }

    /// Whether no word has one.
    pub fn is_empty(&self) -> bool {
        self.paths.is_empty()
    }

    /// Hashes of the short prefix, the middling one and the whole path; zeros for a word without path. A word is looked up as it
    /// is, then in small letters.
    pub(super) fn prefixes(&self, form: &str) -> [u64; 3] {
        use corpus::ids::Id;
        let found = self.words.get(form).or_else(|| self.words.get(&form.to_lowercase()));
        let Some(path) = found.and_then(|word| self.paths.get(word.index())) else { return [0; 3] };
        let prefix = |bits: usize| string(path.get(..bits).unwrap_or(path));
        [prefix(SHORT), prefix(MIDDLE), string(path)]
    }

    pub(super) fn save(&self, writer: &mut ContainerWriter<'_>) {
        writer.strings("words", self.words.iter().map(|(_, word)| word));
        writer.strings("paths", &self.paths);
    }

    pub(super) fn load(container: &Container) -> Result<Self, LoadError> {
        let words = load_vocab(container, "words")?;
        let paths: Vec<String> = container.strings("paths")?.iter().map(str::to_owned).collect();
        if paths.len() == words.len() {
            Ok(Self { words, paths })
        } else {
            Err(LoadError::invalid("paths", "there are more or fewer than words"))
        }
    }
}

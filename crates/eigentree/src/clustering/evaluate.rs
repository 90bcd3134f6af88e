//! Evaluates clusters against gold tags or on a text.

use std::collections::HashMap;
use std::io::{Cursor, Read};
use std::path::Path;

use corpus::cooccurrence::{CountConfig, UNKNOWN};
use corpus::error::SyntaxError;
use corpus::format::brown_paths::BrownPathsReader;
use corpus::format::plain_text::BlankLines;
use corpus::ids::Id;
use eval::clustering::Contingency;
use models::learn::Observer;
use models::persist::MAGIC;
use words::clusters::{ClusterBigrams, ClusterId};

use super::clusters_in_order;
use crate::conversion::{Item, TagColumn, items};
use crate::counting::count_texts;
use crate::files::{Input, can_be_read_again, check_input};
use crate::reading::{BadItems, Forgiving, Source};
use crate::{Error, Model};

/// Number of bytes read to detect the file type.
const START_BYTES: u64 = 4096;
/// The cluster of words without one.
const NO_CLUSTER: &str = "-";
/// An empty column of CoNLL-U.
const NO_TAG: &str = "_";

/// Word clusters, as in a paths file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct WordClusters {
    bits: HashMap<String, String>,
}

/// Agreement of clusters with tags.
#[derive(Clone, PartialEq, Debug)]
pub struct Agreement {
    /// Tokens by tag and cluster.
    pub table: Contingency,
    /// Number of tokens whose word has no cluster of its own.
    pub unknown: u64,
    /// Sentences that could not be read.
    pub skipped: Vec<SyntaxError>,
}

/// Information of clusters on a text.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Information {
    /// The mutual information of neighbouring clusters, in nats.
    pub mutual_information: f64,
    /// Number of tokens in the text.
    pub tokens: u64,
    /// Number of tokens whose word has no cluster of its own.
    pub unknown: u64,
    /// Number of clusters that occur in the text.
    pub clusters: usize,
}

impl WordClusters {
    /// Reads the clusters at `path`, if it holds paths or a cluster model, as detected from its content. What can be read
    /// only once, such as a pipe, is left for the reader of trees.
    pub fn open(path: &Path) -> Result<Option<Self>, Error> {
        if !can_be_read_again(path) {
            return Ok(check_input(path).map(|()| None)?);
        }
        let mut input = Input::open(path)?;
        let name = input.name().to_owned();
        let mut start = Vec::new();
        let fail = |error| corpus::error::ReadError::Io { source_name: name.clone(), line: 1, error };
        input.by_ref().take(START_BYTES).read_to_end(&mut start).map_err(fail)?;
        if start.starts_with(&MAGIC) {
            let Model::Clusters(model) = Model::open(path)? else { return Ok(None) };
            let mut bits = HashMap::new();
            for (_, path, words) in clusters_in_order(&model) {
                bits.extend(
                    words.into_iter().map(|word| (model.vocab().text(word).to_owned(), path.clone())),
                );
            }
            return Ok(Some(Self { bits }));
        }
        if !looks_like_paths(&start) {
            return Ok(None);
        }
        let mut bits = HashMap::new();
        for line in BrownPathsReader::new(Cursor::new(start).chain(input), name) {
            let line = line.map_err(Error::Table)?;
            bits.insert(line.word, line.bits);
        }
        Ok(Some(Self { bits }))
    }

    /// Merges clusters with the same first `depth` bits.
    pub fn cut(&mut self, depth: usize) {
        self.bits.values_mut().for_each(|bits| bits.truncate(depth));
    }

    /// The bits of a word, and whether they are its own.
    fn of(&self, word: &str) -> (&str, bool) {
        match self.bits.get(word) {
            Some(bits) => (bits, true),
            None => (self.bits.get(UNKNOWN).map_or(NO_CLUSTER, String::as_str), false),
        }
    }

    /// Compares the clusters with the tags of a corpus, token by token. `column` selects the column of tags; by default
    /// it is the universal tag of a word or, if it has none, the language-specific one.
    pub fn against_tags(
        &self,
        gold: Source,
        column: Option<TagColumn>,
        bad_items: BadItems,
    ) -> Result<Agreement, Error> {
        let name = gold.name().to_owned();
        let mut table = Contingency::default();
        let mut unknown = 0;
        let mut count = |word: &str, tag: &str| {
            let (bits, own) = self.of(word);
            unknown += u64::from(!own);
            table.add(tag, bits, 1);
        };
        let mut sentences = Forgiving::new(items(gold, BlankLines::Skip), bad_items);
        for item in sentences.by_ref() {
            match item? {
                Item::Tree(tree) => {
                    tree.words().zip(tree.tags()).for_each(|(word, tag)| count(word, tag));
                }
                Item::Dependencies(sentence) => {
                    for token in sentence.words() {
                        let tag = match column {
                            Some(TagColumn::Xpos) => token.xpos(),
                            None if token.upos() == NO_TAG => token.xpos(),
                            Some(TagColumn::Upos) | None => token.upos(),
                        };
                        if tag != NO_TAG {
                            count(token.form(), tag);
                        }
                    }
                }
                Item::Entities(_) => {}
                Item::Plain(sentence) => {
                    for (word, tag) in sentence.words().zip(sentence.tags()) {
                        if let Some(tag) = tag {
                            count(word, tag);
                        }
                    }
                }
            }
        }
        if table.total() == 0 {
            return Err(Error::Empty { name, wanted: "words with tags to compare clusters with" });
        }
        Ok(Agreement { table, unknown, skipped: sentences.into_skipped() })
    }

    /// The mutual information of the clusters on texts.
    pub fn on_texts(
        &self,
        texts: &[impl AsRef<Path>],
        config: &CountConfig,
        observer: &mut dyn Observer,
    ) -> Result<Information, Error> {
        let config = CountConfig { distance: 1, vocab: None, ..config.clone() };
        let counts = count_texts(texts, &config, observer)?.counted.counts;
        let mut numbers: HashMap<&str, usize> = HashMap::new();
        let mut unknown = 0;
        let mut assignment = Vec::with_capacity(counts.words.len());
        for ((_, word), &count) in counts.vocab.iter().zip(&counts.words) {
            let (bits, own) = self.of(word);
            unknown += if own { 0 } else { count };
            let next = numbers.len();
            let number = *numbers.entry(bits).or_insert(next);
            assignment.push(
                ClusterId::new(number)
                    .ok_or_else(|| Error::Data("the text has too many clusters".to_owned()))?,
            );
        }
        let clusters = numbers.len();
        let bigrams = ClusterBigrams::new(&counts.pairs[0], &assignment, clusters);
        Ok(Information {
            mutual_information: bigrams.mutual_information(),
            tokens: counts.tokens(),
            unknown,
            clusters,
        })
    }
}

/// Whether the first line looks like a Brown path.
fn looks_like_paths(start: &[u8]) -> bool {
    let line = start.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let columns: Vec<&[u8]> = line.trim_ascii_end().split(|&byte| byte == b'\t').collect();
    let [bits, word, count] = columns[..] else { return false };
    bits.iter().all(|byte| matches!(byte, b'0' | b'1'))
        && !word.is_empty()
        && !count.is_empty()
        && count.iter().all(u8::is_ascii_digit)
}

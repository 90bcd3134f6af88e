//! Gathers counts from texts, count files, or both.

use std::path::{Path, PathBuf};

use corpus::cooccurrence::{CountConfig, CountedText, MemoryEstimate, UNKNOWN, VocabLimit};
use models::learn::Observer;

use crate::Error;
use crate::counting::{count_texts, merge_counts};
use crate::files::{is_model, plain};

/// Default size of the vocabulary.
pub const USUAL_VOCAB: usize = 50_000;

/// The words that are kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum VocabChoice {
    /// The [`USUAL_VOCAB`] most frequent words. Counts that already have a class of other words stay as they are.
    Usual {
        /// The name of the class of all other words.
        unknown: String,
    },
    /// An explicit limit.
    Limit(VocabLimit),
}

impl Default for VocabChoice {
    fn default() -> Self {
        VocabChoice::Usual { unknown: UNKNOWN.to_owned() }
    }
}

impl VocabChoice {
    /// The words that are kept when texts are counted.
    pub fn limit(&self) -> VocabLimit {
        match self {
            VocabChoice::Usual { unknown } => {
                VocabLimit { unknown: unknown.clone(), ..VocabLimit::most_frequent(USUAL_VOCAB) }
            }
            VocabChoice::Limit(limit) => limit.clone(),
        }
    }
}

/// Configuration of gathering.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GatherConfig {
    /// How texts are counted; its limit on the vocabulary is ignored.
    pub count: CountConfig,
    /// The words that are kept.
    pub vocab: VocabChoice,
}

/// The gathered counts.
#[derive(Clone, PartialEq, Debug)]
pub struct Gathered {
    /// The counts.
    pub counted: CountedText,
    /// Number of bytes of decompressed text read.
    pub bytes: u64,
    /// The expected memory of counting, if it could be estimated.
    pub memory: Option<MemoryEstimate>,
}

/// Counts the texts at `paths` and adds the count files among them, which are recognised by their first bytes; `-` is
/// text on standard input. If there are count files, texts are counted with the same distance and sequence boundaries.
pub fn gather(
    paths: &[impl AsRef<Path>],
    config: &GatherConfig,
    observer: &mut dyn Observer,
) -> Result<Gathered, Error> {
    gather_all(&plain(paths), config, observer)
}

fn gather_all(
    paths: &[&Path],
    config: &GatherConfig,
    observer: &mut dyn Observer,
) -> Result<Gathered, Error> {
    let mut texts: Vec<PathBuf> = Vec::new();
    let mut counts: Vec<PathBuf> = Vec::new();
    for &path in paths {
        if is_model(path)? { counts.push(path.to_owned()) } else { texts.push(path.to_owned()) }
    }
    let limit = config.vocab.limit();
    if counts.is_empty() {
        let config = CountConfig { vocab: Some(limit), ..config.count.clone() };
        let counting = count_texts(&texts, &config, observer)?;
        return Ok(Gathered { counted: counting.counted, bytes: counting.bytes, memory: counting.memory });
    }
    let mut counted = merge_counts(&counts, observer)?;
    let (mut bytes, mut memory) = (0, None);
    if !texts.is_empty() {
        let config = CountConfig {
            distance: counted.counts.pairs.len(),
            boundaries: counted.boundaries,
            vocab: None,
            ..config.count.clone()
        };
        let counting = count_texts(&texts, &config, observer)?;
        (bytes, memory) = (counting.bytes, counting.memory);
        counted = counted.plus(&counting.counted).map_err(|error| {
            Error::Data(format!("cannot add the counts of texts to those of count files: {error}"))
        })?;
    }
    let chosen = matches!(config.vocab, VocabChoice::Limit(_));
    if chosen || counted.unknown.is_none() {
        observer.stage("limit", None);
        counted = counted.restricted(&limit)?;
    }
    Ok(Gathered { counted, bytes, memory })
}

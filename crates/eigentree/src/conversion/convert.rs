//! Converts a source to an output.

use std::io::{self, Write};

use corpus::error::SyntaxError;
use corpus::format::plain_text::BlankLines;
use models::learn::Observer;

use super::dependency_transform::DependencyTransforms;
use super::item::{Item, items};
use super::sink::{Sink, SinkConfig};
use super::target::Target;
use super::transform::TreeTransforms;
use crate::Error;
use crate::files::Output;
use crate::reading::{BadItems, Forgiving, Source};

/// Number of sentences between two calls of the observer.
const CHUNK: u64 = 256;

/// Configuration of a conversion.
#[derive(Clone, Debug)]
pub struct ConversionConfig {
    /// The format to write.
    pub target: Target,
    /// Transforms applied to trees.
    pub transforms: TreeTransforms,
    /// Transforms applied to dependency trees.
    pub dependency_transforms: DependencyTransforms,
    /// Options of the output format.
    pub sink: SinkConfig,
    /// Policy for sentences that cannot be read.
    pub bad_items: BadItems,
}

impl ConversionConfig {
    /// A conversion to `target` that changes no tree and refuses sentences that cannot be read.
    pub fn to(target: Target) -> Self {
        Self {
            target,
            transforms: TreeTransforms::default(),
            dependency_transforms: DependencyTransforms::default(),
            sink: SinkConfig::default(),
            bad_items: BadItems::default(),
        }
    }
}

/// Statistics of a conversion.
#[derive(Clone, Debug, Default)]
pub struct Converted {
    /// Number of sentences written.
    pub sentences: u64,
    /// Number of words in them.
    pub words: u64,
    /// Number of trees that are empty after the transforms.
    pub emptied: u64,
    /// Sentences that could not be read.
    pub skipped: Vec<SyntaxError>,
}

/// Converts `source` and writes the result to `output`, which it finishes.
pub fn convert(
    source: Source,
    mut output: Output,
    config: &ConversionConfig,
    observer: &mut dyn Observer,
) -> Result<Converted, Error> {
    config.target.check(source.format())?;
    observer.stage("convert", None);
    let mut converted = Converted::default();
    let name = source.name().to_owned();
    let mut items = Forgiving::new(items(source, BlankLines::Keep), config.bad_items);
    let mut sink = Sink::new(&mut output, config.target, config.sink.clone());
    let mut failure: Option<io::Error> = None;
    for item in &mut items {
        let item = match item? {
            Item::Tree(tree) => match config.transforms.apply(tree) {
                Some(tree) => Item::Tree(tree),
                None => {
                    converted.emptied += 1;
                    continue;
                }
            },
            Item::Dependencies(sentence) => Item::Dependencies(config.dependency_transforms.apply(sentence)?),
            item => item,
        };
        // Formats with one word per line cannot represent a sentence without words.
        if item.word_count() == 0
            && !matches!(config.target, Target::Words | Target::Tagged | Target::Json | Target::Jsonl)
        {
            converted.emptied += 1;
            continue;
        }
        if let Err(error) = sink.write(&item) {
            failure = Some(error);
            break;
        }
        converted.sentences += 1;
        converted.words += item.word_count() as u64;
        if converted.sentences.is_multiple_of(CHUNK) {
            observer.advance(CHUNK);
            if observer.cancelled() {
                return Err(Error::Cancelled);
            }
        }
    }
    observer.advance(converted.sentences % CHUNK);
    // An interrupt may also have stopped the program that writes our input; then its end is not a regular one.
    if observer.cancelled() {
        return Err(Error::Cancelled);
    }
    let finished = match failure {
        None => sink.finish().and_then(|out| out.flush()),
        Some(error) => Err(error),
    };
    match finished {
        Err(error) if error.kind() == io::ErrorKind::InvalidInput => {
            return Err(Error::Data(format!(
                "cannot write sentence {} of {name} in the format {}: {error}",
                converted.sentences + 1,
                config.target.name()
            )));
        }
        Err(error) => return Err(output.error(error).into()),
        Ok(()) => {}
    }
    converted.skipped = items.into_skipped();
    if converted.sentences == 0 && converted.emptied == 0 {
        return Err(match converted.skipped.is_empty() {
            true => Error::Empty { name, wanted: "at least one sentence" },
            false => Error::NothingReadable { skipped: converted.skipped },
        });
    }
    output.finish()?;
    Ok(converted)
}

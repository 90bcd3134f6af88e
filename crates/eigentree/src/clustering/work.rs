//! A folder with intermediate results, from which the next run continues.
//!
//! It holds the counts and the vectors of the spectral methods, each with a fingerprint of what they were computed
//! from: files with their sizes and modification times, and options. Results of different inputs or options are
//! recomputed.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use corpus::cooccurrence::CountedText;
use models::persist::{Container, ContainerWriter};
use words::clusters::{self, ClusterConfig, Embedding};

use super::GatherConfig;
use crate::Error;
use crate::files::{Output, STANDARD_STREAM, create_folder, open_model};

const COUNTS: &str = "counts.eigc";
const EMBEDDING: &str = "vectors.eig";
const MADE_FROM: &str = "made_from";

/// The work folder of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Work {
    folder: PathBuf,
    /// The fingerprint of the inputs of the counts; `None` if they cannot be identified.
    made_from: Option<String>,
}

impl Work {
    /// Opens a folder for a run over these inputs, creating it if necessary.
    pub fn open(
        folder: impl Into<PathBuf>,
        inputs: &[impl AsRef<Path>],
        config: &GatherConfig,
    ) -> Result<Self, Error> {
        let folder = folder.into();
        create_folder(&folder)?;
        Ok(Self { folder, made_from: fingerprint(inputs, config) })
    }

    /// The counts of an earlier run over the same inputs, if any.
    pub fn counts(&self) -> Option<CountedText> {
        let container = self.container(COUNTS, self.made_from.as_ref()?)?;
        clusters::load_counts(&container).ok()
    }

    /// Stores the counts; returns their size in bytes.
    pub fn keep_counts(&self, counted: &CountedText) -> Result<u64, Error> {
        let metadata = clusters::counts_metadata(counted)
            .with_note(MADE_FROM, self.made_from.clone().unwrap_or_default());
        let mut writer = ContainerWriter::new(&metadata);
        clusters::save_counts(counted, &mut writer);
        Ok(Output::create(self.folder.join(COUNTS))?.write_model(writer)?)
    }

    /// The vectors of an earlier run over the same counts with the same options, if any.
    pub(super) fn embedding(&self, config: &ClusterConfig, words: usize) -> Option<Embedding> {
        let container = self.container(EMBEDDING, &self.embedded_from(config)?)?;
        clusters::load_embedding(&container).ok().filter(|embedding| embedding.words() == words)
    }

    pub(super) fn keep_embedding(&self, embedding: &Embedding, config: &ClusterConfig) -> Result<u64, Error> {
        let made_from = self.embedded_from(config).unwrap_or_default();
        let metadata = clusters::embedding_metadata(embedding).with_note(MADE_FROM, made_from);
        let mut writer = ContainerWriter::new(&metadata);
        clusters::save_embedding(embedding, &mut writer);
        Ok(Output::create(self.folder.join(EMBEDDING))?.write_model(writer)?)
    }

    fn embedded_from(&self, config: &ClusterConfig) -> Option<String> {
        let spectral = config.spectral();
        let rank = spectral.rank.unwrap_or(config.clusters);
        let options =
            (spectral.context, spectral.kappa, spectral.transform, rank, spectral.tolerance, spectral.rows);
        Some(format!("{} {options:?}", self.made_from.as_ref()?))
    }

    /// A file of the folder, if its fingerprint matches.
    fn container(&self, name: &str, made_from: &str) -> Option<Container> {
        let container = open_model(self.folder.join(name)).ok()?;
        (container.metadata().notes.get(MADE_FROM)?.as_str()? == made_from).then_some(container)
    }
}

/// Inputs and options in one line; `None` for standard input, which cannot be identified again.
fn fingerprint(inputs: &[impl AsRef<Path>], config: &GatherConfig) -> Option<String> {
    let mut text = String::new();
    for path in inputs {
        let path = path.as_ref();
        if path == Path::new(STANDARD_STREAM) {
            return None;
        }
        let metadata = path.metadata().ok().filter(std::fs::Metadata::is_file)?;
        let time = metadata.modified().ok()?.duration_since(UNIX_EPOCH).ok()?.as_nanos();
        let place = path.canonicalize().ok()?;
        let _ = write!(text, "{} {} {time}; ", place.display(), metadata.len());
    }
    let _ = write!(text, "{config:?}");
    Some(text)
}

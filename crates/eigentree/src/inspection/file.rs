//! Model files in general.

use models::persist::{Container, Metadata, Section};
use serde::Serialize;
use serde_json::{Value, json};
use words::clusters::{COUNTS_FAMILY, EMBEDDING_FAMILY};

/// One section of a model file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[non_exhaustive]
pub struct SectionDescription {
    /// Its name.
    pub name: String,
    /// The type of its elements.
    pub kind: String,
    /// Its dimensions.
    pub shape: Vec<usize>,
    /// Its size.
    pub bytes: usize,
}

impl SectionDescription {
    fn of(section: &Section) -> Self {
        Self {
            name: section.name().to_owned(),
            kind: section.kind().to_string(),
            shape: section.shape().to_vec(),
            bytes: section.byte_len(),
        }
    }
}

/// A model file: who wrote it, how it was learnt, what it consists of.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct FileDescription {
    /// Family, format, creator, and notes about training.
    pub metadata: Metadata,
    /// Its size.
    pub bytes: usize,
    /// Its sections, in the order of the file.
    pub sections: Vec<SectionDescription>,
}

impl FileDescription {
    /// Describes a file that [`open_model`](crate::files::open_model) opened.
    pub fn of(container: &Container) -> Self {
        Self {
            metadata: container.metadata().clone(),
            bytes: container.byte_len(),
            sections: container.sections().map(SectionDescription::of).collect(),
        }
    }

    /// Whether the file has a [`Model`](crate::Model). Files of counts and of vectors have the same layout, but have
    /// nothing beyond their sections to show.
    pub fn has_model(&self) -> bool {
        ![COUNTS_FAMILY, EMBEDDING_FAMILY].contains(&self.metadata.family.as_str())
    }

    /// The description as a JSON object.
    pub fn to_json(&self) -> Value {
        json!({
            "family": self.metadata.family,
            "creator": self.metadata.creator,
            "notes": self.metadata.notes,
            "bytes": self.bytes,
            "sections": self.sections,
        })
    }
}

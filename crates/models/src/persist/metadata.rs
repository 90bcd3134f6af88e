//! Model metadata.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::error::LoadError;

/// Name of the section with the metadata of a model, within its scope.
pub(super) const METADATA: &str = "metadata";

/// Family, version and history of a model. Small, and readable without the rest of the file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Metadata {
    /// Family, such as `pcfg`. It determines the sections.
    pub family: String,
    /// Version of the sections of the family. A change that an older build would misread increases it.
    pub family_format: u32,
    /// Program and version that wrote the model.
    pub creator: String,
    /// Anything worth knowing later: options of the learner, name of the corpus, training figures.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub notes: BTreeMap<String, Value>,
}

impl Metadata {
    /// Creates metadata for a model written by this build.
    pub fn new(family: impl Into<String>, family_format: u32) -> Self {
        Self {
            family: family.into(),
            family_format,
            creator: concat!("eigentree ", env!("CARGO_PKG_VERSION")).to_owned(),
            notes: BTreeMap::new(),
        }
    }

    /// Adds a note.
    ///
    /// ```
    /// use eigentree_models::persist::Metadata;
    /// let metadata = Metadata::new("pcfg", 1).with_note("corpus", "gum").with_note("seed", 7);
    /// assert_eq!(metadata.notes["seed"], 7);
    /// ```
    pub fn with_note(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        self.notes.insert(key.into(), value.into());
        self
    }

    /// Fails if the model is of another family, or if its sections have a later version than `supported`.
    pub fn expect_family(&self, family: &str, supported: u32) -> Result<(), LoadError> {
        if self.family != family {
            Err(LoadError::wrong_family(family, &self.family))
        } else if self.family_format > supported {
            Err(LoadError::newer_family_format(family, &self.creator, self.family_format, supported))
        } else {
            Ok(())
        }
    }

    pub(super) fn parse(section: &str, json: &[u8]) -> Result<Self, LoadError> {
        serde_json::from_slice(json)
            .map_err(|error| LoadError::invalid(section, format!("not metadata: {error}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_families_and_later_formats_are_refused() {
        let metadata = Metadata::new("pcfg", 2);
        assert!(metadata.expect_family("pcfg", 2).is_ok());
        assert!(metadata.expect_family("pcfg", 3).is_ok());
        assert!(metadata.expect_family("pcfg", 1).unwrap_err().is_newer());
        assert!(metadata.expect_family("tagger", 2).unwrap_err().is_wrong_family());
    }
}

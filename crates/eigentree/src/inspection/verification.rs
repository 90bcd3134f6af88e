//! Verification of a model file, beyond what opening it checks.

use models::persist::{Container, Kind, LoadError};
use serde_json::{Value, json};
use words::clusters::{COUNTS_FAMILY, EMBEDDING_FAMILY, load_counts, load_embedding};

use crate::{Error, Model};

/// What saving a loaded model again gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum SavedAgain {
    /// The bytes of the file.
    SameBytes,
    /// Other bytes: another version wrote the file, or another program.
    OtherBytes,
    /// Counts and vectors are only loaded.
    NotTried,
}

/// A file in which everything was found in order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Verification {
    /// Number of sections, all of which match their checksums.
    pub sections: usize,
    /// Number of floating-point values, none of which is NaN.
    pub values: usize,
    /// What saving it again gives.
    pub saved_again: SavedAgain,
}

impl Verification {
    /// Verifies a file that [`open_model`](crate::files::open_model) opened, which compares all checksums. Every
    /// floating-point number must be one, the loader of the family must accept the file, and what it loads is saved again.
    /// `name` is that of the file, for messages.
    pub fn of(container: &Container, name: &str) -> Result<Self, Error> {
        let refused = |error: LoadError| Error::Load(format!("{name}: {error}"));
        let (mut sections, mut values) = (0, 0);
        for section in container.sections() {
            sections += 1;
            let (count, undefined) = match section.kind() {
                Kind::F32 => {
                    let numbers = container.array::<f32>(section.name()).map_err(refused)?;
                    (numbers.len(), numbers.iter().filter(|number| number.is_nan()).count())
                }
                Kind::F64 => {
                    let numbers = container.array::<f64>(section.name()).map_err(refused)?;
                    (numbers.len(), numbers.iter().filter(|number| number.is_nan()).count())
                }
                _ => (0, 0),
            };
            if undefined > 0 {
                let section = section.name();
                let told = format!(
                    "{name}: {undefined} of {count} values in section `{section}` are not numbers (NaN)"
                );
                return Err(Error::Load(told));
            }
            values += count;
        }
        let saved_again = match container.metadata().family.as_str() {
            COUNTS_FAMILY => load_counts(container).map(|_| SavedAgain::NotTried).map_err(refused)?,
            EMBEDDING_FAMILY => load_embedding(container).map(|_| SavedAgain::NotTried).map_err(refused)?,
            _ => {
                let saved = Model::load(container, name)?.to_bytes(container.metadata())?;
                if saved == container.as_bytes() { SavedAgain::SameBytes } else { SavedAgain::OtherBytes }
            }
        };
        Ok(Self { sections, values, saved_again })
    }

    /// The verification in words.
    pub fn explanation(&self) -> String {
        let Self { sections, values, saved_again } = self;
        let saved = match saved_again {
            SavedAgain::SameBytes => "the model loads; saved again it has the same bytes",
            SavedAgain::OtherBytes => {
                "the model loads; saved again it has other bytes, so another version or program wrote the file"
            }
            SavedAgain::NotTried => "its contents load",
        };
        format!("all {sections} sections match their checksums; all {values} values are numbers; {saved}")
    }

    /// The verification as a JSON object.
    pub fn to_json(&self) -> Value {
        let same = match self.saved_again {
            SavedAgain::SameBytes => json!(true),
            SavedAgain::OtherBytes => json!(false),
            SavedAgain::NotTried => Value::Null,
        };
        json!({ "sections": self.sections, "values": self.values, "same_bytes": same })
    }
}

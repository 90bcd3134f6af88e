//! What every family of models supplies to be saved and loaded.

use super::metadata::METADATA;
use super::{Container, ContainerWriter, LoadError, Metadata, SaveError};

/// A model that a container holds: alone as a file, or in a scope as a part of another model.
///
/// A family supplies its name, the version of its sections, and the code that writes and reads them. All else follows.
///
/// ```
/// use eigentree_models::persist::{Container, ContainerWriter, LoadError, ModelFile};
///
/// #[derive(PartialEq, Debug)]
/// struct Bias(Vec<f32>);
///
/// impl ModelFile for Bias {
///     const FAMILY: &'static str = "bias";
///     const FORMAT: u32 = 1;
///     const DESCRIPTION: &'static str = "a bias";
///
///     fn save<'a>(&'a self, writer: &mut ContainerWriter<'a>) {
///         writer.array("values", &self.0[..]);
///     }
///
///     fn load_sections(container: &Container) -> Result<Self, LoadError> {
///         Ok(Self(container.array("values")?.into_vec()))
///     }
/// }
///
/// let model = Bias(vec![0.5, -1.0]);
/// assert_eq!(Bias::from_bytes(model.to_bytes()?)?, model);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait ModelFile: Sized {
    /// The name of the family in model files.
    const FAMILY: &'static str;
    /// The version of the family's sections that this build writes, and the newest it reads.
    const FORMAT: u32;
    /// The family in words, with an article: `a dependency parser`.
    const DESCRIPTION: &'static str;

    /// The metadata of a file with this model. Families add figures that are worth seeing without loading the model.
    fn metadata(&self) -> Metadata {
        Metadata::new(Self::FAMILY, Self::FORMAT)
    }

    /// Adds the sections of the model, without its metadata.
    fn save<'a>(&'a self, writer: &mut ContainerWriter<'a>);

    /// Reads the sections. The metadata may be those of another family of which this model is a part.
    fn load_sections(container: &Container) -> Result<Self, LoadError>;

    /// Loads the model; an error if the container holds another family or a newer version of this one.
    fn load(container: &Container) -> Result<Self, LoadError> {
        container.metadata().expect_family(Self::FAMILY, Self::FORMAT)?;
        Self::load_sections(container)
    }

    /// The whole file in memory.
    fn to_bytes(&self) -> Result<Vec<u8>, SaveError> {
        let mut writer = ContainerWriter::new(&self.metadata());
        self.save(&mut writer);
        let mut bytes = Vec::new();
        writer.write_to(&mut bytes)?;
        Ok(bytes)
    }

    /// Loads the file that `bytes` are.
    fn from_bytes(bytes: Vec<u8>) -> Result<Self, LoadError> {
        Self::load(&Container::from_bytes(bytes)?)
    }
}

impl<'a> ContainerWriter<'a> {
    /// Adds `model` with its metadata in the scope `name`: a model inside another.
    pub fn model<M: ModelFile>(&mut self, name: &str, model: &'a M) {
        self.scope(name, |writer| {
            writer.metadata(&model.metadata());
            model.save(writer);
        });
    }
}

impl Container {
    /// Loads the model that [`ContainerWriter::model`] wrote in the scope `name`.
    pub fn model<M: ModelFile>(&self, name: &str) -> Result<M, LoadError> {
        let scope = self.scope(name);
        // Without metadata of its own the part would be taken for the whole.
        scope.section(METADATA)?;
        M::load(&scope)
    }

    /// The same for a model that may be absent.
    pub fn optional_model<M: ModelFile>(&self, name: &str) -> Result<Option<M>, LoadError> {
        self.scope(name).contains(METADATA).then(|| self.model(name)).transpose()
    }
}

//! A model together with its file.

use std::io::Write;
use std::path::{Path, PathBuf};

use models::persist::Container;

use crate::annotation::{Annotator, AnnotatorMemory};
use crate::files::{Output, open_model};
use crate::{Error, Model};

/// A model and the container it was loaded from: for programs that share a model between threads, tell two files apart,
/// or read the numbers of a model where they lie.
///
/// ```
/// use eigentree::Loaded;
/// use eigentree::learn::Silent;
/// use eigentree::training::{Job, PcfgJob};
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("a.eig");
/// let trees = ["(S (NN time) (VBZ flies))".parse()?];
/// PcfgJob::default().run(&trees, None, &mut Silent)?.save_to(&path)?;
/// let loaded = Loaded::open(&path)?;
/// let copy = Loaded::from_bytes(loaded.as_bytes().to_vec(), "a copy")?;
/// assert_eq!(loaded.checksum(), copy.checksum());
/// assert!(copy.path().is_none() && copy.model().parser().is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Loaded {
    model: Model,
    container: Container,
    path: Option<PathBuf>,
    memory: AnnotatorMemory,
}

impl Loaded {
    /// Loads the model at `path`.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        let container = open_model(path)?;
        let model = Model::load(&container, &path.display().to_string())?;
        Ok(Self { model, container, path: Some(path.to_owned()), memory: AnnotatorMemory::default() })
    }

    /// Loads a model from the bytes of its file, which errors call `name`.
    pub fn from_bytes(bytes: Vec<u8>, name: &str) -> Result<Self, Error> {
        let container = Container::from_bytes(bytes)
            .map_err(|error| Error::Load(format!("cannot load the model from {name}: {error}")))?;
        let model = Model::load(&container, name)?;
        Ok(Self { model, container, path: None, memory: AnnotatorMemory::default() })
    }

    /// Saves the file of the model at `path`, with all its sections.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), Error> {
        let mut output = Output::create(path)?;
        output.write_all(self.as_bytes()).map_err(|error| output.error(error))?;
        Ok(output.finish()?)
    }

    /// The model.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// An annotator, if the model annotates. All annotators made here share their working memory.
    pub fn annotator(&self) -> Result<Annotator<'_>, Error> {
        Ok(self.model.annotator()?.with_memory(&self.memory))
    }

    /// Its file: metadata and the numbers of the model by name.
    #[doc(hidden)]
    pub fn container(&self) -> &Container {
        &self.container
    }

    /// The path that it was loaded from, as it was given.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// The bytes of its file.
    pub fn as_bytes(&self) -> &[u8] {
        self.container.as_bytes()
    }

    /// A checksum of its file.
    pub fn checksum(&self) -> u32 {
        self.container.checksum()
    }
}

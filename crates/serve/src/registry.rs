//! The models of a service, by name: loaded from files that may change, or trained here.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use eigentree::annotation::{Annotator, PhraseTrees};
use eigentree::config::Confidences;
use eigentree::files::{FileStamp, read_model, stamp_of};
use eigentree::models::persist::Metadata;
use eigentree::{Error, Model};
use self_cell::self_cell;

use crate::failure::{Answer, Failure};

/// A model file to serve.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ModelFile {
    /// The name by which requests ask for the model.
    pub name: String,
    /// The file.
    pub path: PathBuf,
}

impl ModelFile {
    /// The file at `path`, named after it: `models/en.eig` is `en`. `NAME=PATH` gives another name.
    pub fn new(argument: &str) -> Self {
        if let Some((name, path)) = argument.split_once('=')
            && is_name(name)
        {
            return Self { name: name.to_owned(), path: path.into() };
        }
        let path = PathBuf::from(argument);
        let file = path.file_name().map_or_else(|| argument.to_owned(), |name| name.to_string_lossy().into());
        let file = file.strip_suffix(".zst").or_else(|| file.strip_suffix(".gz")).unwrap_or(&file);
        let name = file.rsplit_once('.').map_or(file, |(stem, _)| stem).to_owned();
        Self { name, path }
    }
}

/// Whether a text can name a model in an address.
pub(crate) fn is_name(text: &str) -> bool {
    let fine = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '+');
    !text.is_empty() && text.len() <= 64 && text.chars().all(fine) && !text.starts_with('.')
}

/// Where a model comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Origin {
    File(PathBuf),
    Trained,
}

/// What an annotator is asked to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Annotation {
    pub(crate) confidences: Confidences,
    pub(crate) nbest: usize,
    pub(crate) phrases: PhraseTrees,
}

impl Default for Annotation {
    fn default() -> Self {
        Self { confidences: Confidences::Skip, nbest: 1, phrases: PhraseTrees::Skip }
    }
}

self_cell! {
    /// An annotator together with the model that it borrows from.
    pub(crate) struct OwnedAnnotator {
        owner: Arc<Model>,
        #[covariant]
        dependent: Annotator,
    }
}

/// A model in memory. Requests that hold it go on with it when its file changes.
pub(crate) struct Loaded {
    pub(crate) name: String,
    pub(crate) model: Arc<Model>,
    pub(crate) metadata: Metadata,
    /// Size of the file.
    pub(crate) bytes: usize,
    pub(crate) origin: Origin,
    /// Annotators with their working memory, for the usual ways of asking.
    annotators: Mutex<Vec<(Annotation, Arc<OwnedAnnotator>)>>,
}

/// Number of annotators to keep per model. All combinations of options without alternatives fit.
const KEPT: usize = 4;

impl Loaded {
    pub(crate) fn new(name: String, model: Model, metadata: Metadata, bytes: usize, origin: Origin) -> Self {
        Self { name, model: Arc::new(model), metadata, bytes, origin, annotators: Mutex::default() }
    }

    fn open(file: &ModelFile) -> Result<Self, Error> {
        let container = read_model(&file.path)?;
        let model = Model::load(&container, &file.path.display().to_string())?;
        let (metadata, bytes) = (container.metadata().clone(), container.byte_len());
        Ok(Self::new(file.name.clone(), model, metadata, bytes, Origin::File(file.path.clone())))
    }

    /// An annotator of this model.
    pub(crate) fn annotator(&self, annotation: Annotation) -> Result<Arc<OwnedAnnotator>, Error> {
        let mut kept = self.annotators.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, found)) = kept.iter().find(|(own, _)| *own == annotation) {
            return Ok(Arc::clone(found));
        }
        let made = OwnedAnnotator::try_new(Arc::clone(&self.model), |model| {
            Ok::<_, Error>(
                model
                    .annotator()?
                    .with_confidences(annotation.confidences)
                    .with_nbest(annotation.nbest)
                    .with_phrases(annotation.phrases),
            )
        })?;
        let made = Arc::new(made);
        if annotation.nbest == 1 && kept.len() < KEPT {
            kept.push((annotation, Arc::clone(&made)));
        }
        Ok(made)
    }
}

/// A file and what it looked like when it was last read, successfully or not.
struct Watched {
    file: ModelFile,
    stamp: Option<FileStamp>,
}

/// The result of a look at one file.
#[derive(Debug)]
pub(crate) enum Look {
    Reloaded(String),
    Failed(String, String),
}

/// All models.
pub(crate) struct Registry {
    models: RwLock<Models>,
    watched: Mutex<Vec<Watched>>,
    /// Number of trained models to keep.
    most_trained: usize,
}

#[derive(Default)]
struct Models {
    by_name: BTreeMap<String, Arc<Loaded>>,
    /// The first model on the command line, or the first that was trained.
    default: Option<String>,
    /// Trained models, the oldest first.
    trained: Vec<String>,
}

impl Registry {
    /// Loads the files.
    pub(crate) fn open(files: &[ModelFile], most_trained: usize) -> Result<Self, Error> {
        let mut models = Models::default();
        let mut watched = Vec::new();
        for file in files {
            if !is_name(&file.name) {
                return Err(Error::Data(format!(
                    "`{}` cannot name a model; give one of letters, digits and -_.+ with NAME={}",
                    file.name,
                    file.path.display()
                )));
            }
            // Taken before reading: a change in between is seen at the next look.
            let stamp = stamp_of(&file.path).ok();
            let loaded = Loaded::open(file)?;
            if models.by_name.insert(file.name.clone(), Arc::new(loaded)).is_some() {
                return Err(Error::Data(format!(
                    "two models are called `{}`; give one of them another name with NAME={}",
                    file.name,
                    file.path.display()
                )));
            }
            models.default.get_or_insert_with(|| file.name.clone());
            watched.push(Watched { file: file.clone(), stamp });
        }
        Ok(Self { models: RwLock::new(models), watched: Mutex::new(watched), most_trained })
    }

    fn read(&self) -> std::sync::RwLockReadGuard<'_, Models> {
        self.models.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> std::sync::RwLockWriteGuard<'_, Models> {
        self.models.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// All models, by name.
    pub(crate) fn all(&self) -> Vec<Arc<Loaded>> {
        self.read().by_name.values().cloned().collect()
    }

    /// The name of the model that requests get if they ask for none.
    pub(crate) fn default_name(&self) -> Option<String> {
        self.read().default.clone()
    }

    /// The model called `name`, or the default.
    pub(crate) fn get(&self, name: Option<&str>) -> Answer<Arc<Loaded>> {
        let models = self.read();
        let Some(name) = name.or(models.default.as_deref()) else {
            return Err(Failure::not_found("the service has no model yet")
                .with_hint("train one with POST /api/v1/train, or start the service with a model file"));
        };
        models.by_name.get(name).cloned().ok_or_else(|| {
            let known: Vec<&str> = models.by_name.keys().map(String::as_str).collect();
            let hint = if known.is_empty() {
                "the service has no model yet".to_owned()
            } else {
                format!("known models: {}", known.join(", "))
            };
            Failure::not_found(format!("there is no model called `{name}`")).with_hint(hint)
        })
    }

    /// A name that is free for a trained model, like `wish`.
    pub(crate) fn free_name(&self, wish: &str, taken: impl Fn(&str) -> bool) -> String {
        let models = self.read();
        let free = |name: &str| !models.by_name.contains_key(name) && !taken(name);
        if free(wish) {
            return wish.to_owned();
        }
        let numbered = (2_u64..).map(|number| format!("{wish}-{number}")).find(|name| free(name));
        numbered.unwrap_or_else(|| wish.to_owned())
    }

    /// Adds a trained model. The oldest one goes if there are too many.
    pub(crate) fn add_trained(&self, loaded: Loaded) {
        let mut models = self.write();
        let name = loaded.name.clone();
        models.default.get_or_insert_with(|| name.clone());
        models.by_name.insert(name.clone(), Arc::new(loaded));
        models.trained.retain(|other| *other != name);
        models.trained.push(name);
        while models.trained.len() > self.most_trained.max(1) {
            let oldest = models.trained.remove(0);
            models.forget(&oldest);
        }
    }

    /// Removes a trained model.
    pub(crate) fn remove_trained(&self, name: &str) -> Answer<()> {
        self.get(Some(name))?;
        let mut models = self.write();
        let Some(at) = models.trained.iter().position(|other| other == name) else {
            return Err(Failure::conflict(format!(
                "`{name}` comes from a file and stays while the service runs"
            )));
        };
        models.trained.remove(at);
        models.forget(name);
        Ok(())
    }

    /// Loads the files that changed since the last look. Models in memory stay in use if that fails.
    pub(crate) fn look(&self) -> Vec<Look> {
        let mut looks = Vec::new();
        let mut watched = self.watched.lock().unwrap_or_else(PoisonError::into_inner);
        for Watched { file, stamp } in watched.iter_mut() {
            let now = stamp_of(&file.path).ok();
            // A file that is gone may be on its way back.
            if now.is_none() || now == *stamp {
                continue;
            }
            *stamp = now;
            looks.push(match Loaded::open(file) {
                Ok(loaded) => {
                    self.write().by_name.insert(file.name.clone(), Arc::new(loaded));
                    Look::Reloaded(file.name.clone())
                }
                Err(error) => Look::Failed(file.name.clone(), error.to_string()),
            });
        }
        looks
    }
}

impl Models {
    fn forget(&mut self, name: &str) {
        self.by_name.remove(name);
        if self.default.as_deref() == Some(name) {
            self.default = self.by_name.keys().next().cloned();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_are_named_after_their_files() {
        for (argument, name, path) in [
            ("models/en.eig", "en", "models/en.eig"),
            ("en.v2.eig.zst", "en.v2", "en.v2.eig.zst"),
            ("german=de/a.eig", "german", "de/a.eig"),
            ("odd/a=b.eig", "a=b", "odd/a=b.eig"),
            ("plain", "plain", "plain"),
        ] {
            let file = ModelFile::new(argument);
            assert_eq!((file.name.as_str(), file.path.to_str().unwrap()), (name, path), "{argument}");
        }
        assert!(
            is_name("en.v2-1_x+ü") && !is_name("a/b") && !is_name("") && !is_name("..") && !is_name("a b")
        );
    }
}

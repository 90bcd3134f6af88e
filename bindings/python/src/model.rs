//! Models of any family, loaded from files.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;

use eigentree::inspection::{Request, active_states};
use eigentree::{Loaded, Model as AnyModel};
use pyo3::PyClass;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::annotator::{Annotator, Parser, Pipeline, Tagger};
use crate::clusters::Clusters;
use crate::exception::{self, Exception};
use crate::json::to_python;
use crate::sequence::SequenceModel;
use crate::sound::Sound;
use crate::views::section;

/// A model of any family.
///
/// Models are immutable. Threads share them, and copies are the same object. A model from a file is mapped into memory,
/// so that processes share it too; it is pickled as path and checksum. A model that was never saved is pickled whole.
#[pyclass(frozen, subclass, module = "eigentree")]
pub(crate) struct Model {
    pub(crate) loaded: Arc<Loaded>,
    /// What training reported, if the model was trained in this process.
    report: Option<Py<PyDict>>,
}

impl Model {
    /// The model itself.
    pub(crate) fn get_model(&self) -> &AnyModel {
        self.loaded.model()
    }
}

#[pymethods]
impl Model {
    /// The file that the model was loaded from; None if it was never saved.
    #[getter]
    fn path(&self) -> Option<PathBuf> {
        self.loaded.path().map(PathBuf::from)
    }

    /// The family, such as "lpcfg".
    #[getter]
    fn family(&self) -> &str {
        &self.loaded.container().metadata().family
    }

    /// The family in words, such as "a grammar with latent states".
    #[getter]
    fn description(&self) -> &'static str {
        self.loaded.model().description()
    }

    /// Family, format version, creator and the notes of training.
    #[getter]
    fn metadata<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let metadata = self.loaded.container().metadata();
        let fields = PyDict::new(py);
        fields.set_item("family", &metadata.family)?;
        fields.set_item("family_format", metadata.family_format)?;
        fields.set_item("creator", &metadata.creator)?;
        let notes = PyDict::new(py);
        for (name, value) in &metadata.notes {
            notes.set_item(name, to_python(py, value)?)?;
        }
        fields.set_item("notes", notes)?;
        Ok(fields.into_any())
    }

    /// What training reported: seconds, stages, figures, scores on development data. None for a model from a file.
    #[getter]
    fn report(&self, py: Python<'_>) -> Option<Py<PyDict>> {
        self.report.as_ref().map(|report| report.clone_ref(py))
    }

    /// A checksum of the file.
    #[getter]
    fn checksum(&self) -> u32 {
        self.loaded.checksum()
    }

    /// Size of the file in bytes.
    #[getter]
    fn nbytes(&self) -> usize {
        self.loaded.as_bytes().len()
    }

    /// The names and shapes of the arrays in the file.
    fn arrays<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let arrays = PyDict::new(py);
        for section in self.loaded.container().sections().filter(|section| crate::views::is_numeric(section))
        {
            arrays.set_item(section.name(), pyo3::types::PyTuple::new(py, section.shape())?)?;
        }
        Ok(arrays)
    }

    /// A read-only view of an array in the file, without a copy.
    fn array<'py>(slf: &Bound<'py, Self>, name: Sound<&str>) -> PyResult<Bound<'py, PyAny>> {
        section(slf, name.0)
    }

    /// What the model contains, as `eigentree inspect --json` tells: sizes, the rules, words and latent states of symbols, the
    /// clusters of words, the automata of symbols.
    #[pyo3(signature = (*symbols, member=None, clusters=Sound(vec![]), words=Sound(vec![]), prefix=None, top=None))]
    #[expect(clippy::too_many_arguments, reason = "keywords of one function in Python")]
    fn inspect<'py>(
        &self,
        py: Python<'py>,
        symbols: Sound<Vec<String>>,
        member: Option<usize>,
        clusters: Sound<Vec<String>>,
        words: Sound<Vec<String>>,
        prefix: Option<usize>,
        top: Option<usize>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let member = member.map(|member| {
            let zero = || Exception::Option.with(py, "members are counted from 1, so there is no member 0");
            NonZeroUsize::new(member).ok_or_else(zero)
        });
        let member = member.transpose()?;
        let mut request = top.map_or_else(Request::default, |top| Request::default().top(top));
        (request.symbols, request.member) = (symbols.0, member);
        (request.clusters, request.words, request.prefix) = (clusters.0, words.0, prefix);
        let found = py.detach(|| self.get_model().inspect(&request).map(|contents| contents.to_json()));
        to_python(py, &found.map_err(|error| Exception::Option.with(py, error))?)
    }

    /// The best tree of a sentence in the normal form of a grammar with latent states, and the weights of the states at its
    /// nodes. `member` counts from 1.
    #[pyo3(signature = (words, *, member=None))]
    fn active_states<'py>(
        &self,
        py: Python<'py>,
        words: Sound<Vec<String>>,
        member: Option<usize>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let found = py.detach(|| active_states(self.get_model(), &words.0, member));
        to_python(py, &found.map_err(|error| exception::of(py, &error))?)
    }

    /// Saves the model in a file and returns the model loaded from it.
    fn save<'py>(&self, py: Python<'py>, path: Sound<PathBuf>) -> PyResult<Bound<'py, PyAny>> {
        let saved = py.detach(|| self.loaded.save(&path.0));
        saved.map_err(|error| exception::of(py, &error))?;
        load(py, path, self.report(py))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let module = py.import("eigentree._native")?;
        match self.loaded.path() {
            Some(path) => {
                let path = std::path::absolute(path)?;
                let arguments = (path, self.loaded.checksum()).into_pyobject(py)?.into_any();
                Ok((module.getattr("model_from_file")?, arguments))
            }
            None => {
                let arguments = (PyBytes::new(py, self.loaded.as_bytes()),).into_pyobject(py)?.into_any();
                Ok((module.getattr("model_from_bytes")?, arguments))
            }
        }
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __eq__(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.loaded, &other.loaded)
            || (self.loaded.checksum() == other.loaded.checksum()
                && self.loaded.as_bytes() == other.loaded.as_bytes())
    }

    fn __hash__(&self) -> u64 {
        u64::from(self.loaded.checksum())
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        let model = slf.get();
        let class = slf.get_type().name()?;
        let size = model.nbytes() as f64 / 1e6;
        let place = model.loaded.path().map_or("not saved".to_owned(), |path| format!("{path:?}"));
        Ok(format!("<{class} {place}: {}, {size:.1} MB>", model.description()))
    }
}

/// Loads a model of any family.
///
/// The class of the result tells what it can do: `Pipeline`, `Parser`, `Tagger`, `Clusters`, `SequenceModel`, or `Model`.
#[pyfunction]
#[pyo3(signature = (path, *, report=None))]
pub(crate) fn load(
    py: Python<'_>,
    path: Sound<PathBuf>,
    report: Option<Py<PyDict>>,
) -> PyResult<Bound<'_, PyAny>> {
    let loaded = py.detach(|| Loaded::open(&path.0)).map_err(|error| exception::of(py, &error))?;
    wrap(py, loaded, report)
}

/// Loads a model from the bytes of its file.
#[pyfunction]
#[pyo3(signature = (data, *, report=None))]
pub(crate) fn model_from_bytes<'py>(
    py: Python<'py>,
    data: &[u8],
    report: Option<Py<PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let loaded = Loaded::from_bytes(data.to_vec(), "bytes").map_err(|error| exception::of(py, &error))?;
    wrap(py, loaded, report)
}

/// Loads a pickled model: the file at `path` if it has this checksum.
#[pyfunction]
pub(crate) fn model_from_file(
    py: Python<'_>,
    path: Sound<PathBuf>,
    checksum: u32,
) -> PyResult<Bound<'_, PyAny>> {
    let shown = path.0.display().to_string();
    let model = load(py, path, None)?;
    if model.cast::<Model>()?.get().loaded.checksum() == checksum {
        return Ok(model);
    }
    let advice = format!(
        "the model was pickled as `{shown}`, but that file has changed since; pickle the model again, or restore the file"
    );
    Err(Exception::Model.with(py, advice))
}

/// A model of the class for its family.
fn wrap(py: Python<'_>, loaded: Loaded, report: Option<Py<PyDict>>) -> PyResult<Bound<'_, PyAny>> {
    let loaded = Arc::new(loaded);
    let base = PyClassInitializer::from(Model { loaded: Arc::clone(&loaded), report });
    let annotator = || Annotator::new(py, &loaded);
    Ok(match loaded.model() {
        AnyModel::Pipeline(_) => made(py, base.add_subclass(annotator()?).add_subclass(Pipeline {}))?,
        AnyModel::Tagger(_) => made(py, base.add_subclass(annotator()?).add_subclass(Tagger {}))?,
        AnyModel::Pcfg(_) | AnyModel::Lpcfg(_) | AnyModel::Mst(_) | AnyModel::HeadAutomata(_) => {
            made(py, base.add_subclass(annotator()?).add_subclass(Parser {}))?
        }
        AnyModel::Clusters(_) => made(py, base.add_subclass(Clusters {}))?,
        AnyModel::Sequence(_) => made(py, base.add_subclass(SequenceModel {}))?,
        AnyModel::Deptree(_) | AnyModel::Reranker(_) => made(py, base)?,
    })
}

fn made<T: PyClass>(py: Python<'_>, parts: PyClassInitializer<T>) -> PyResult<Bound<'_, PyAny>> {
    Ok(Bound::new(py, parts)?.into_any())
}

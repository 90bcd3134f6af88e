//! Annotated documents.

use std::sync::{Arc, OnceLock};

use eigentree::annotation::{AnnotatedSentence, Document as Facade};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use serde_json::Value;

use crate::annotator::{Source, Wanted};
use crate::entity::Entity;
use crate::exception::{self, Exception};
use crate::json::to_python;
use crate::sentence::Sentence;
use crate::sequence_protocol::at;
use crate::sound::Sound;
use crate::word::Word;

/// A document of the facade, shared by the views of its parts.
pub(crate) struct Shared {
    pub(crate) document: Facade,
    /// The model, to tell more on request. Documents that were read or unpickled have none.
    pub(crate) source: Option<Source>,
    /// Sentences with confidences, computed when they were first asked for.
    confident: Vec<OnceLock<Option<AnnotatedSentence>>>,
}

impl Shared {
    pub(crate) fn sentence(&self, index: usize) -> &AnnotatedSentence {
        &self.document.sentences()[index]
    }

    /// The sentence with confidences, if they are known or its model can tell.
    pub(crate) fn confident(&self, py: Python<'_>, index: usize) -> &AnnotatedSentence {
        let sentence = self.sentence(index);
        if sentence.confidence().is_some() {
            return sentence;
        }
        let compute =
            || py.detach(|| self.again(index, Wanted::new(true, 1, sentence.phrases().is_some())).ok());
        self.confident[index].get_or_init(compute).as_ref().unwrap_or(sentence)
    }

    /// The sentence annotated again with other settings.
    pub(crate) fn again(&self, index: usize, wanted: Wanted) -> Result<AnnotatedSentence, eigentree::Error> {
        let Some(source) = &self.source else {
            return Err(eigentree::Error::Data(
                "the document does not know its model, since it was read or unpickled; annotate its text again".to_owned(),
            ));
        };
        let again = source.again(self.sentence(index).sentence(), wanted)?;
        let again = again.sentences().first().cloned();
        again.ok_or_else(|| eigentree::Error::Data("the sentence has no words".to_owned()))
    }
}

/// A text and its annotated sentences.
///
/// A document is a sequence of sentences. It is immutable, compares by content, and is pickled without its model.
#[pyclass(frozen, module = "eigentree")]
pub(crate) struct Document {
    shared: Arc<Shared>,
}

impl Document {
    pub(crate) fn new(document: Facade, source: Option<Source>) -> Self {
        let confident = document.sentences().iter().map(|_| OnceLock::new()).collect();
        Self { shared: Arc::new(Shared { document, source, confident }) }
    }

    pub(crate) fn of(shared: &Arc<Shared>) -> Self {
        Self { shared: Arc::clone(shared) }
    }

    pub(crate) fn facade(&self) -> &Facade {
        &self.shared.document
    }

    /// The first sentence of a document that has one.
    pub(crate) fn first(&self) -> Sentence {
        self.sentence(0)
    }

    fn sentence(&self, index: usize) -> Sentence {
        Sentence { shared: Arc::clone(&self.shared), index }
    }
}

#[pymethods]
impl Document {
    /// Reads a document from CoNLL-U.
    #[staticmethod]
    fn from_conllu(py: Python<'_>, text: Sound<&str>) -> PyResult<Self> {
        let document = Facade::from_conllu(text.0).map_err(|error| exception::of(py, &error))?;
        Ok(Self::new(document, None))
    }

    /// Reads a document from the text that `to_json` returns.
    #[staticmethod]
    fn from_json(py: Python<'_>, text: Sound<&str>) -> PyResult<Self> {
        let record: Value = serde_json::from_str(text.0).map_err(|error| {
            Exception::Data.with(py, format!("not JSON: {error}; give what to_json() returned"))
        })?;
        let document = Facade::from_json(&record).map_err(|error| exception::of(py, &error))?;
        Ok(Self::new(document, None))
    }

    /// The text.
    #[getter]
    fn text(&self) -> &str {
        self.facade().text()
    }

    /// The name of the document, if it has one.
    #[getter]
    fn name(&self) -> Option<&str> {
        self.facade().name()
    }

    /// The sentences.
    #[getter]
    fn sentences<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, (0..self.__len__()).map(|index| self.sentence(index)))
    }

    /// All words.
    #[getter]
    fn words(&self) -> Vec<Word> {
        let sentences = self.facade().sentences().iter().enumerate();
        let words = sentences.flat_map(|(at, sentence)| (0..sentence.len()).map(move |index| (at, index)));
        words.map(|(sentence, index)| Word { shared: Arc::clone(&self.shared), sentence, index }).collect()
    }

    /// All entities.
    #[getter]
    fn entities(&self) -> Vec<Entity> {
        (0..self.__len__()).flat_map(|index| Entity::of_sentence(&self.shared, index)).collect()
    }

    /// The document in CoNLL-U.
    fn to_conllu(&self, py: Python<'_>) -> String {
        py.detach(|| self.facade().to_conllu())
    }

    /// The document as JSON text; nothing is lost.
    fn to_json(&self, py: Python<'_>) -> String {
        py.detach(|| self.facade().to_json_text())
    }

    /// The document as a dictionary, the same that `to_json` writes.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &py.detach(|| self.facade().to_json()))
    }

    /// The words as a table with tabs.
    fn to_tsv(&self, py: Python<'_>) -> String {
        py.detach(|| self.facade().to_tsv())
    }

    /// The words as columns of a table: a dictionary of lists, one item per word.
    ///
    /// `sentence` counts from 0 and `id` from 1 within a sentence. Features and the last column are as CoNLL-U writes them.
    fn to_columns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        columns_of(py, self.facade())
    }

    /// The words as a pyarrow Table.
    fn to_arrow<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        table(slf, "to_arrow")
    }

    /// The words as a pandas DataFrame.
    fn to_pandas<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        table(slf, "to_pandas")
    }

    /// The words as a polars DataFrame.
    fn to_polars<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        table(slf, "to_polars")
    }

    fn _repr_html_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("eigentree.display")?.getattr("document_html")?.call1((slf,))
    }

    fn __len__(&self) -> usize {
        self.facade().sentences().len()
    }

    fn __getitem__<'py>(&self, py: Python<'py>, index: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        at(py, index, self.__len__(), "sentence", |index| self.sentence(index))
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(self.sentences(py)?.try_iter()?.into_any())
    }

    fn __eq__(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.shared, &other.shared) || self.facade() == other.facade()
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        self.text().into_pyobject(py)?.hash()
    }

    fn __str__(&self) -> &str {
        self.text()
    }

    fn __repr__(&self) -> String {
        let words: usize = self.facade().sentences().iter().map(AnnotatedSentence::len).sum();
        let (sentences, text) = (self.__len__(), crate::sentence::shortened(self.text()));
        format!("<Document of {sentences} sentences, {words} words: {text:?}>")
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        Ok((py.get_type::<Self>().getattr("from_json")?, (self.to_json(py),)))
    }
}

/// A table of the module `eigentree.tables`, which knows the libraries of tables.
fn table<'py>(document: &Bound<'py, Document>, function: &str) -> PyResult<Bound<'py, PyAny>> {
    document.py().import("eigentree.tables")?.getattr(function)?.call1((document,))
}

fn columns_of<'py>(py: Python<'py>, document: &Facade) -> PyResult<Bound<'py, PyDict>> {
    let words = || document.words();
    let given = |text: &'static str| move |found: &str| (found != text).then(|| found.to_owned());
    let numbers = document.sentences().iter().enumerate();
    let sentence: Vec<usize> =
        numbers.flat_map(|(number, sentence)| std::iter::repeat_n(number, sentence.len())).collect();
    let columns = PyDict::new(py);
    columns.set_item("sentence", sentence)?;
    columns.set_item("id", words().map(|word| word.id()).collect::<Vec<_>>())?;
    columns.set_item("form", words().map(|word| word.form()).collect::<Vec<_>>())?;
    columns.set_item("lemma", words().map(|word| word.lemma()).collect::<Vec<_>>())?;
    columns.set_item("upos", words().map(|word| word.upos()).collect::<Vec<_>>())?;
    columns.set_item("xpos", words().map(|word| word.xpos()).collect::<Vec<_>>())?;
    columns.set_item("feats", words().map(|word| given("_")(word.token().feats())).collect::<Vec<_>>())?;
    columns.set_item("head", words().map(|word| word.head()).collect::<Vec<_>>())?;
    columns.set_item("deprel", words().map(|word| word.deprel()).collect::<Vec<_>>())?;
    columns.set_item("deps", words().map(|word| word.deps()).collect::<Vec<_>>())?;
    columns.set_item("misc", words().map(|word| given("_")(word.token().misc())).collect::<Vec<_>>())?;
    columns.set_item("start_char", words().map(|word| word.start_char()).collect::<Vec<_>>())?;
    columns.set_item("end_char", words().map(|word| word.end_char()).collect::<Vec<_>>())?;
    Ok(columns)
}

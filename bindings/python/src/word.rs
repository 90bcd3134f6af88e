//! Words of a document.

use std::sync::Arc;

use eigentree::annotation::Word as Facade;
use eigentree::corpus::format::conllu::Column;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::document::Shared;
use crate::sentence::Sentence;

/// A word with its annotation. What is not annotated is None.
#[pyclass(frozen, module = "eigentree")]
pub(crate) struct Word {
    pub(crate) shared: Arc<Shared>,
    pub(crate) sentence: usize,
    pub(crate) index: usize,
}

impl Word {
    fn facade(&self) -> Facade<'_> {
        self.shared.sentence(self.sentence).word(self.index).expect("words are made for indices that exist")
    }
}

#[pymethods]
impl Word {
    /// Its number in the sentence, counted from 1 as in CoNLL-U; `head` refers to it.
    #[getter]
    fn id(&self) -> usize {
        self.facade().id()
    }

    /// Its index in the sentence, counted from 0.
    #[getter]
    fn index(&self) -> usize {
        self.index
    }

    /// The form.
    #[getter]
    fn form(&self) -> &str {
        self.facade().form()
    }

    /// The form.
    #[getter]
    fn text(&self) -> &str {
        self.form()
    }

    /// The lemma.
    #[getter]
    fn lemma(&self) -> Option<&str> {
        self.facade().lemma()
    }

    /// The universal part of speech.
    #[getter]
    fn upos(&self) -> Option<&str> {
        self.facade().upos()
    }

    /// The part of speech of the treebank.
    #[getter]
    fn xpos(&self) -> Option<&str> {
        self.facade().xpos()
    }

    /// The morphological features.
    #[getter]
    fn feats<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let feats = PyDict::new(py);
        for (name, value) in self.facade().feats() {
            feats.set_item(name, value)?;
        }
        Ok(feats)
    }

    /// The number of its head; 0 for the root.
    #[getter]
    fn head(&self) -> Option<usize> {
        self.facade().head()
    }

    /// The relation to its head.
    #[getter]
    fn deprel(&self) -> Option<&str> {
        self.facade().deprel()
    }

    /// Its arcs in the enhanced graph, as CoNLL-U writes them.
    #[getter]
    fn deps(&self) -> Option<&str> {
        self.facade().deps()
    }

    /// The attributes of the last column of CoNLL-U.
    #[getter]
    fn misc<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let misc = PyDict::new(py);
        for (name, value) in self.facade().misc() {
            misc.set_item(name, value)?;
        }
        Ok(misc)
    }

    /// Its first character in the text of the document.
    #[getter]
    fn start_char(&self) -> Option<usize> {
        self.facade().start_char()
    }

    /// The character after its last one.
    #[getter]
    fn end_char(&self) -> Option<usize> {
        self.facade().end_char()
    }

    /// Whether a space follows it in the text.
    #[getter]
    fn space_after(&self) -> bool {
        self.facade().space_after()
    }

    /// How probable its annotation is by the model: head and relation of a parser, else the first column of a tagger.
    #[getter]
    fn confidence(&self, py: Python<'_>) -> Option<f64> {
        self.shared.confident(py, self.sentence).word(self.index)?.confidence()
    }

    /// How probable the label of each column is by the tagger.
    #[getter]
    fn confidences<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let confidences = PyDict::new(py);
        if let Some(word) = self.shared.confident(py, self.sentence).word(self.index) {
            for (column, confidence) in word.confidences() {
                confidences.set_item(column, confidence)?;
            }
        }
        Ok(confidences)
    }

    /// The sentence that it belongs to.
    #[getter]
    fn sentence(&self) -> Sentence {
        Sentence { shared: Arc::clone(&self.shared), index: self.sentence }
    }

    fn __eq__(&self, other: &Self) -> bool {
        let place = |word: &Self| (word.sentence, word.index);
        if Arc::ptr_eq(&self.shared, &other.shared) && place(self) == place(other) {
            return true;
        }
        let (one, two) = (self.facade(), other.facade());
        Column::ALL.into_iter().all(|column| one.token().column(column) == two.token().column(column))
            && one.chars() == two.chars()
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        (self.form(), self.id()).into_pyobject(py)?.hash()
    }

    fn __str__(&self) -> &str {
        self.form()
    }

    fn __repr__(&self) -> String {
        let word = self.facade();
        let mut told = format!("<Word {} {:?}", word.id(), word.form());
        for (name, value) in [("upos", word.upos().or(word.xpos())), ("deprel", word.deprel())] {
            if let Some(value) = value {
                told.push_str(&format!(" {name}={value}"));
            }
        }
        if let Some(head) = word.head() {
            told.push_str(&format!(" head={head}"));
        }
        told.push('>');
        told
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Sentence, usize))> {
        Ok((py.import("operator")?.getattr("getitem")?, (self.sentence(), self.index)))
    }
}

//! Entities of a document.

use std::ops::Range;
use std::sync::Arc;

use pyo3::prelude::*;

use crate::document::Shared;
use crate::sentence::Sentence;
use crate::word::Word;

/// A named entity: some words of one sentence with a class.
#[pyclass(frozen, module = "eigentree")]
pub(crate) struct Entity {
    shared: Arc<Shared>,
    sentence: usize,
    number: usize,
    /// The class, such as "PER".
    #[pyo3(get)]
    label: String,
    /// The text: the tokens with the spaces between them.
    #[pyo3(get)]
    text: String,
    words: Range<usize>,
    chars: Option<Range<usize>>,
}

impl Entity {
    /// The entities of a sentence.
    pub(crate) fn of_sentence(shared: &Arc<Shared>, sentence: usize) -> Vec<Self> {
        let entities = shared.sentence(sentence).entities();
        let made = entities.iter().enumerate().map(|(number, entity)| Self {
            shared: Arc::clone(shared),
            sentence,
            number,
            label: entity.label().to_owned(),
            text: entity.text().to_owned(),
            words: entity.words(),
            chars: entity.chars(),
        });
        made.collect()
    }
}

#[pymethods]
impl Entity {
    /// Its words.
    #[getter]
    fn words(&self) -> Vec<Word> {
        let word = |index| Word { shared: Arc::clone(&self.shared), sentence: self.sentence, index };
        self.words.clone().map(word).collect()
    }

    /// The index of its first word in the sentence, counted from 0.
    #[getter]
    fn start(&self) -> usize {
        self.words.start
    }

    /// The index after its last word.
    #[getter]
    fn end(&self) -> usize {
        self.words.end
    }

    /// Its first character in the text of the document.
    #[getter]
    fn start_char(&self) -> Option<usize> {
        self.chars.as_ref().map(|chars| chars.start)
    }

    /// The character after its last one.
    #[getter]
    fn end_char(&self) -> Option<usize> {
        self.chars.as_ref().map(|chars| chars.end)
    }

    /// How probable it is by the model.
    #[getter]
    fn confidence(&self, py: Python<'_>) -> Option<f64> {
        self.shared.confident(py, self.sentence).entities().get(self.number)?.confidence()
    }

    /// The sentence that it belongs to.
    #[getter]
    fn sentence(&self) -> Sentence {
        Sentence { shared: Arc::clone(&self.shared), index: self.sentence }
    }

    fn __eq__(&self, other: &Self) -> bool {
        (&self.label, &self.text, &self.words, &self.chars)
            == (&other.label, &other.text, &other.words, &other.chars)
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        (&self.label, &self.text, self.words.start).into_pyobject(py)?.hash()
    }

    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        format!("<Entity {} {:?}>", self.label, self.text)
    }
}

//! Sentences of a document.

use std::sync::Arc;

use eigentree::annotation::AnnotatedSentence;
use eigentree::corpus::drawing::{ArcSentence, SvgDocument, draw, draw_arcs};
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::annotator::Wanted;
use crate::document::{Document, Shared};
use crate::entity::Entity;
use crate::exception;
use crate::json::to_python;
use crate::sequence_protocol::at;
use crate::tree::Tree;
use crate::word::Word;

/// A node: label, first word, word after the last, confidence.
type SpanTuple = (String, usize, usize, Option<f64>);

/// Characters of a text that a `repr` shows.
const SHOWN: usize = 60;

/// An annotated sentence: a sequence of words.
#[pyclass(frozen, module = "eigentree")]
pub(crate) struct Sentence {
    pub(crate) shared: Arc<Shared>,
    pub(crate) index: usize,
}

impl Sentence {
    fn facade(&self) -> &AnnotatedSentence {
        self.shared.sentence(self.index)
    }

    fn word(&self, index: usize) -> Word {
        Word { shared: Arc::clone(&self.shared), sentence: self.index, index }
    }

    fn has_heads(&self) -> bool {
        self.facade().words().any(|word| word.head().is_some())
    }

    /// A document of this sentence alone.
    fn alone(&self) -> eigentree::annotation::Document {
        eigentree::annotation::Document::from_sentences(vec![self.facade().clone()])
    }
}

/// The beginning of a text.
pub(crate) fn shortened(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}

#[pymethods]
impl Sentence {
    /// Its id in CoNLL-U.
    #[getter]
    fn id(&self) -> Option<&str> {
        self.facade().id()
    }

    /// Its text.
    #[getter]
    fn text(&self) -> String {
        self.facade().text()
    }

    /// Its index in the document, counted from 0.
    #[getter]
    fn index(&self) -> usize {
        self.index
    }

    /// Its first character in the text of the document.
    #[getter]
    fn start_char(&self) -> Option<usize> {
        self.facade().chars().map(|chars| chars.start)
    }

    /// The character after its last one.
    #[getter]
    fn end_char(&self) -> Option<usize> {
        self.facade().chars().map(|chars| chars.end)
    }

    /// The words.
    #[getter]
    fn words<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, (0..self.__len__()).map(|index| self.word(index)))
    }

    /// The multiword tokens: their forms, and the indices of their first and after their last word.
    #[getter]
    fn multiword_tokens(&self) -> Vec<(String, usize, usize)> {
        let tokens = self.facade().multiword_tokens();
        tokens.map(|(form, words)| (form.to_owned(), words.start, words.end)).collect()
    }

    /// The entities.
    #[getter]
    fn entities(&self) -> Vec<Entity> {
        Entity::of_sentence(&self.shared, self.index)
    }

    /// The comments of CoNLL-U.
    #[getter]
    fn comments(&self) -> Vec<String> {
        self.facade().sentence().comments().map(str::to_owned).collect()
    }

    /// The phrase-structure tree, if the model has a grammar; else None.
    #[getter]
    fn tree(&self, py: Python<'_>) -> Option<Tree> {
        if let Some(phrases) = self.facade().phrases() {
            return Some(Tree::new(phrases.tree().clone()));
        }
        // A pipeline builds trees of phrases on request.
        let again = py.detach(|| self.shared.again(self.index, Wanted::new(false, 1, true))).ok()?;
        again.phrases().map(|phrases| Tree::new(phrases.tree().clone()))
    }

    /// The log-probability of the phrase-structure tree, if the grammar derives the sentence.
    #[getter]
    fn log_probability(&self) -> Option<f64> {
        self.facade().phrases()?.log_probability()
    }

    /// The mean confidence of its words: the share of words that the model expects to be right.
    #[getter]
    fn confidence(&self, py: Python<'_>) -> Option<f64> {
        self.shared.confident(py, self.index).confidence()
    }

    /// The document that it belongs to.
    #[getter]
    fn document(&self) -> Document {
        Document::of(&self.shared)
    }

    /// The `n` best analyses with their scores, best first: phrase-structure trees of grammars, else sentences.
    fn nbest(&self, py: Python<'_>, n: usize) -> PyResult<Vec<Alternative>> {
        let known = self.facade().nbest();
        let again;
        let list = if known.len() >= n {
            &known[..n]
        } else {
            let wanted = Wanted::new(false, n.max(2), self.facade().phrases().is_some());
            let found = py.detach(|| self.shared.again(self.index, wanted));
            again = found.map_err(|error| exception::of(py, &error))?;
            again.nbest()
        };
        Ok(list.iter().take(n).map(Alternative::new).collect())
    }

    /// The nodes of the phrase-structure tree: label, first word, word after the last, and confidence.
    fn spans_with_confidence(&self, py: Python<'_>) -> PyResult<Vec<SpanTuple>> {
        let wanted = Wanted::new(true, 1, true);
        let told = |sentence: &AnnotatedSentence| -> Vec<SpanTuple> {
            let spans = sentence.phrases().into_iter().flat_map(|phrases| phrases.spans());
            spans
                .map(|span| (span.label.to_owned(), span.words.start, span.words.end, span.confidence))
                .collect()
        };
        let known = told(self.facade());
        if known.first().is_some_and(|(.., confidence)| confidence.is_some()) {
            return Ok(known);
        }
        let again = py.detach(|| self.shared.again(self.index, wanted));
        Ok(told(&again.map_err(|error| exception::of(py, &error))?))
    }

    /// The sentence in CoNLL-U.
    fn to_conllu(&self) -> String {
        self.alone().to_conllu()
    }

    /// The sentence as a dictionary.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &self.facade().to_json())
    }

    /// A drawing of its phrase-structure tree or else of its dependency arcs, as SVG; None if it has neither.
    fn to_svg(&self) -> Option<String> {
        let mut drawing = SvgDocument::new();
        match self.facade().phrases() {
            Some(phrases) => drawing.push(phrases.tree()),
            None if self.has_heads() => {
                drawing.push_arcs(&ArcSentence::of_sentence(self.facade().sentence()))
            }
            None => return None,
        }
        Some(drawing.finish())
    }

    /// The same drawing for a terminal; None if there is nothing to draw.
    #[pyo3(signature = (width=100))]
    fn draw(&self, width: usize) -> Option<String> {
        match self.facade().phrases() {
            Some(phrases) => Some(draw(phrases.tree(), width)),
            None => self
                .has_heads()
                .then(|| draw_arcs(&ArcSentence::of_sentence(self.facade().sentence()), width)),
        }
    }

    fn _repr_html_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("eigentree.display")?.getattr("sentence_html")?.call1((slf,))
    }

    fn __len__(&self) -> usize {
        self.facade().len()
    }

    fn __getitem__<'py>(&self, py: Python<'py>, index: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        at(py, index, self.__len__(), "word", |index| self.word(index))
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(self.words(py)?.try_iter()?.into_any())
    }

    fn __eq__(&self, other: &Self) -> bool {
        (Arc::ptr_eq(&self.shared, &other.shared) && self.index == other.index)
            || self.facade() == other.facade()
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        self.text().into_pyobject(py)?.hash()
    }

    fn __str__(&self) -> String {
        self.text()
    }

    fn __repr__(&self) -> String {
        format!("<Sentence of {} words: {:?}>", self.__len__(), shortened(&self.text()))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Document, usize))> {
        Ok((py.import("operator")?.getattr("getitem")?, (self.document(), self.index)))
    }
}

/// One of the best analyses of a sentence.
#[pyclass(frozen, module = "eigentree")]
pub(crate) struct Alternative {
    alternative: eigentree::annotation::Alternative,
}

impl Alternative {
    fn new(alternative: &eigentree::annotation::Alternative) -> Self {
        Self { alternative: alternative.clone() }
    }
}

#[pymethods]
impl Alternative {
    /// The score by which it is better than those after it: a log-probability where the model has one.
    #[getter]
    fn score(&self) -> f64 {
        self.alternative.score
    }

    /// The phrase-structure tree, if a grammar built it.
    #[getter]
    fn tree(&self) -> Option<Tree> {
        self.alternative.tree.clone().map(Tree::new)
    }

    /// The sentence with these heads or tags.
    #[getter]
    fn sentence(&self) -> Sentence {
        let annotated = AnnotatedSentence::new(self.alternative.sentence.clone());
        let document = Document::new(eigentree::annotation::Document::from_sentences(vec![annotated]), None);
        document.first()
    }

    fn __repr__(&self) -> String {
        match &self.alternative.tree {
            Some(tree) => {
                format!("<Alternative {:.3}: {}>", self.alternative.score, shortened(&tree.to_string()))
            }
            None => format!("<Alternative {:.3}>", self.alternative.score),
        }
    }
}

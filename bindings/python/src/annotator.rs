//! Models that annotate text.

use std::sync::Arc;

use eigentree::Loaded;
use eigentree::annotation::{self, AnnotatorMemory, PhraseTrees};
use eigentree::config::Confidences;
use eigentree::data::Sentence;
use eigentree::learn::Silent;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString};

use crate::document::Document;
use crate::exception;
use crate::model::Model;
use crate::pipe::Pipe;
use crate::sound::{Sound, surrogates};
use crate::watch::watched;

/// Texts up to this many bytes are annotated on the calling thread. That takes some milliseconds at most for a pipeline,
/// so that Ctrl-C need not interrupt it.
const SHORT: usize = 10_000;

/// A model that annotates text: a pipeline, a tagger or a parser.
///
/// It is called with a text and returns a Document. Pipelines read raw text; other models read one sentence per line,
/// with tokens separated by spaces.
#[pyclass(frozen, subclass, extends = Model, module = "eigentree")]
pub(crate) struct Annotator {
    pub(crate) source: Source,
}

/// From raw text to annotated sentences.
#[pyclass(frozen, extends = Annotator, module = "eigentree")]
pub(crate) struct Pipeline {}

/// A constituency or dependency parser.
#[pyclass(frozen, extends = Annotator, module = "eigentree")]
pub(crate) struct Parser {}

/// A tagger or an entity recogniser.
#[pyclass(frozen, extends = Annotator, module = "eigentree")]
pub(crate) struct Tagger {}

/// Where annotation comes from: documents remember it, to tell more on request.
#[derive(Clone)]
pub(crate) struct Source {
    loaded: Arc<Loaded>,
    given: Given,
    /// Working memory that all calls share, so that none starts with empty buffers.
    memory: AnnotatorMemory,
}

/// What the model was given, so that it can be given the same again.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Given {
    /// A text or tokens.
    Words,
    /// Sentences, maybe with tags.
    Sentences,
}

/// What to compute beside the best annotation.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Wanted {
    pub(crate) confidences: Confidences,
    pub(crate) nbest: usize,
    pub(crate) phrases: PhraseTrees,
}

impl Wanted {
    pub(crate) fn new(confidence: bool, nbest: usize, phrases: bool) -> Self {
        Self {
            confidences: if confidence { Confidences::Compute } else { Confidences::Skip },
            nbest,
            phrases: if phrases { PhraseTrees::Build } else { PhraseTrees::Skip },
        }
    }
}

impl Source {
    /// The annotator of the facade with these settings.
    pub(crate) fn annotator(&self, wanted: Wanted) -> Result<annotation::Annotator<'_>, eigentree::Error> {
        let annotator = self.loaded.annotator()?;
        Ok(annotator
            .with_confidences(wanted.confidences)
            .with_nbest(wanted.nbest)
            .with_phrases(wanted.phrases)
            .with_memory(&self.memory))
    }

    /// The same model, given sentences.
    fn of_sentences(&self) -> Self {
        Self { given: Given::Sentences, ..self.clone() }
    }

    /// Annotates one of its sentences again.
    pub(crate) fn again(
        &self,
        sentence: &Sentence,
        wanted: Wanted,
    ) -> Result<annotation::Document, eigentree::Error> {
        let annotator = self.annotator(wanted)?;
        if self.given == Given::Sentences || annotator.reads_raw_text() {
            return annotator.annotate_sentences(vec![sentence.clone()]);
        }
        // The sentence has the tags of the model by now, and a grammar would take them for given.
        let words: Vec<&str> = sentence.words().map(|word| word.form()).collect();
        annotator.annotate_tokens(&[words])
    }
}

impl Annotator {
    pub(crate) fn new(py: Python<'_>, loaded: &Arc<Loaded>) -> PyResult<Self> {
        loaded.annotator().map_err(|error| exception::of(py, &error))?;
        let memory = AnnotatorMemory::default();
        Ok(Self { source: Source { loaded: Arc::clone(loaded), given: Given::Words, memory } })
    }
}

#[pymethods]
impl Annotator {
    /// Whether it divides raw text into sentences and words itself.
    #[getter]
    fn reads_raw_text(&self, py: Python<'_>) -> PyResult<bool> {
        let annotator = self.source.annotator(Wanted::new(false, 1, false));
        Ok(annotator.map_err(|error| exception::of(py, &error))?.reads_raw_text())
    }

    /// Whether it finds entities.
    #[getter]
    fn finds_entities(&self, py: Python<'_>) -> PyResult<bool> {
        let annotator = self.source.annotator(Wanted::new(false, 1, false));
        Ok(annotator.map_err(|error| exception::of(py, &error))?.finds_entities())
    }

    /// Whether it builds phrase-structure trees.
    #[getter]
    fn has_grammar(&self, py: Python<'_>) -> PyResult<bool> {
        let annotator = self.source.annotator(Wanted::new(false, 1, false));
        Ok(annotator.map_err(|error| exception::of(py, &error))?.has_grammar())
    }

    /// Divides a text into sentences and words, and annotates nothing else.
    fn tokenize(&self, py: Python<'_>, text: &Bound<'_, PyAny>) -> PyResult<Document> {
        let text = text_of(text)?;
        let annotator = self.source.annotator(Wanted::new(false, 1, false));
        let annotator = annotator.map_err(|error| exception::of(py, &error))?;
        let divided = py.detach(|| annotator.tokenize(text));
        Ok(Document::new(divided.map_err(|error| exception::of(py, &error))?, None))
    }

    /// Annotates a text.
    ///
    /// `confidence` computes how sure the model is of every part at once; without it, confidences are computed when they
    /// are first asked for. `nbest` keeps that many analyses of each sentence. `phrases` lets a pipeline that has both a
    /// parser and a grammar build phrase-structure trees too.
    #[pyo3(signature = (text, *, confidence=false, nbest=1, phrases=false))]
    fn __call__(
        &self,
        py: Python<'_>,
        text: &Bound<'_, PyAny>,
        confidence: bool,
        nbest: usize,
        phrases: bool,
    ) -> PyResult<Document> {
        let text = text_of(text)?;
        let annotator = self.source.annotator(Wanted::new(confidence, nbest, phrases));
        let annotator = annotator.map_err(|error| exception::of(py, &error))?;
        let annotated = if text.len() <= SHORT {
            py.detach(|| annotator.annotate_watched(text, &mut Silent))
        } else {
            watched(py, 1, None, |mut observer| annotator.annotate_watched(text, &mut observer))?
        };
        Ok(Document::new(annotated.map_err(|error| exception::of(py, &error))?, Some(self.source.clone())))
    }

    /// Annotates sentences whose tokens are given.
    #[pyo3(signature = (sentences, *, confidence=false, nbest=1, phrases=false))]
    fn annotate_tokens(
        &self,
        py: Python<'_>,
        sentences: Sound<Vec<Vec<String>>>,
        confidence: bool,
        nbest: usize,
        phrases: bool,
    ) -> PyResult<Document> {
        let annotator = self.source.annotator(Wanted::new(confidence, nbest, phrases));
        let annotator = annotator.map_err(|error| exception::of(py, &error))?;
        let annotated = py.detach(|| annotator.annotate_tokens(&sentences.0));
        Ok(Document::new(annotated.map_err(|error| exception::of(py, &error))?, Some(self.source.clone())))
    }

    /// Annotates the sentences of a document anew: words, and tags if the model does not tag itself, are taken from it.
    #[pyo3(signature = (document, *, confidence=false, nbest=1, phrases=false))]
    fn annotate_document(
        &self,
        py: Python<'_>,
        document: &Bound<'_, Document>,
        confidence: bool,
        nbest: usize,
        phrases: bool,
    ) -> PyResult<Document> {
        let annotator = self.source.annotator(Wanted::new(confidence, nbest, phrases));
        let annotator = annotator.map_err(|error| exception::of(py, &error))?;
        let document = document.get();
        let annotated = py.detach(|| {
            let sentences = document.facade().sentences().iter().map(|sentence| sentence.sentence().clone());
            annotator.annotate_sentences(sentences.collect())
        });
        Ok(Document::new(
            annotated.map_err(|error| exception::of(py, &error))?,
            Some(self.source.of_sentences()),
        ))
    }

    /// Annotates many texts: streams, keeps their order, and needs the memory of a few texts at a time.
    ///
    /// `threads=0` means one thread per core.
    #[pyo3(signature = (texts, *, threads=1, confidence=false, nbest=1, phrases=false))]
    fn pipe(
        &self,
        texts: &Bound<'_, PyAny>,
        threads: usize,
        confidence: bool,
        nbest: usize,
        phrases: bool,
    ) -> PyResult<Pipe> {
        if texts.is_instance_of::<PyString>() || texts.is_instance_of::<PyBytes>() {
            let advice =
                "pipe() needs several texts, such as a list of strings; call the model with a single text";
            return Err(PyTypeError::new_err(advice));
        }
        Pipe::new(texts.try_iter()?, self.source.clone(), Wanted::new(confidence, nbest, phrases), threads)
    }

    /// Annotates record batches of Arrow: adds a nested column to each, one row per text of `column`.
    ///
    /// A text that cannot be annotated has an error in its row. Batches may come back divided.
    #[pyo3(signature = (batches, column="text", *, output="annotation", threads=1, confidence=false, phrases=false))]
    fn pipe_arrow<'py>(
        slf: &Bound<'py, Self>,
        batches: &Bound<'py, PyAny>,
        column: &str,
        output: &str,
        threads: usize,
        confidence: bool,
        phrases: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let kernel = slf.py().import("eigentree.kernels")?.getattr("annotate")?;
        let options = PyDict::new(slf.py());
        options.set_item("output", output)?;
        options.set_item("threads", threads)?;
        options.set_item("confidence", confidence)?;
        options.set_item("phrases", phrases)?;
        kernel.call((batches, slf, column), Some(&options))
    }
}

/// The text of a string, with advice for what is none.
pub(crate) fn text_of<'a>(text: &'a Bound<'_, PyAny>) -> PyResult<&'a str> {
    if let Ok(string) = text.cast::<PyString>() {
        return string.to_str().map_err(|_| surrogates(text.py()));
    }
    let kind = text.get_type().name().map_or_else(|_| "this object".to_owned(), |name| name.to_string());
    let advice = match kind.as_str() {
        "bytes" | "bytearray" | "memoryview" => "decode it first, for example with text.decode('utf-8')",
        "list" | "tuple" => "use pipe() for several texts, or annotate_tokens() for sentences of tokens",
        _ => "give a string",
    };
    Err(PyTypeError::new_err(format!("expected a string, not {kind}; {advice}")))
}

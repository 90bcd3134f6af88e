//! Streams of texts.

use std::collections::VecDeque;

use eigentree::Error;
use eigentree::annotation::Document as Facade;
use eigentree::learn::{Observer, Silent};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::PyIterator;
use rayon::prelude::*;

use crate::annotator::{Source, Wanted, text_of};
use crate::document::Document;
use crate::exception;
use crate::watch::watched;

/// Texts per thread and round: enough that no thread waits long for the slowest text.
const TEXTS: usize = 32;
/// Bytes per thread and round, so that long texts come in short rounds.
const BYTES: usize = 50_000;

/// An iterator over annotated documents.
#[pyclass(module = "eigentree")]
pub(crate) struct Pipe {
    texts: Option<Py<PyIterator>>,
    source: Source,
    wanted: Wanted,
    threads: usize,
    ready: VecDeque<Facade>,
    /// What ended the stream, told after the documents before it.
    failure: Option<PyErr>,
}

impl Pipe {
    pub(crate) fn new(
        texts: Bound<'_, PyIterator>,
        source: Source,
        wanted: Wanted,
        threads: usize,
    ) -> PyResult<Self> {
        let threads = if threads == 0 { std::thread::available_parallelism()?.get() } else { threads };
        let ready = VecDeque::new();
        Ok(Self { texts: Some(texts.unbind()), source, wanted, threads, ready, failure: None })
    }

    /// Takes texts for one round. An error of the iterator comes after the documents of the texts before it.
    fn take(&mut self, py: Python<'_>) -> Vec<PyBackedStr> {
        let mut round = Vec::new();
        let mut bytes = 0;
        while round.len() < TEXTS * self.threads && bytes < BYTES * self.threads {
            let Some(texts) = &self.texts else { break };
            match texts.bind(py).clone().next() {
                None => self.texts = None,
                Some(text) => match text.and_then(|text| backed(&text)) {
                    Ok(text) => {
                        bytes += text.len();
                        round.push(text);
                    }
                    Err(error) => {
                        self.failure = Some(error);
                        self.texts = None;
                    }
                },
            }
        }
        round
    }

    /// Annotates one round.
    fn work(&mut self, py: Python<'_>) -> PyResult<()> {
        let round = self.take(py);
        let bytes: usize = round.iter().map(|text| text.len()).sum();
        let annotator = self.source.annotator(self.wanted).map_err(|error| exception::of(py, &error))?;
        // One thread and a short round need no pool: a signal waits some milliseconds.
        let documents: Vec<Result<Facade, Error>> = if self.threads == 1 && bytes <= BYTES {
            py.detach(|| round.iter().map(|text| annotator.annotate_watched(text, &mut Silent)).collect())
        } else {
            watched(py, self.threads, None, |observer| {
                let stop = || observer.cancelled();
                let annotate = |text: &PyBackedStr| annotator.annotate_watched(text, &mut Stop(&stop));
                round.par_iter().with_max_len(1).map(annotate).collect()
            })?
        };
        for document in documents {
            match document {
                Ok(document) => self.ready.push_back(document),
                Err(error) => {
                    self.failure = Some(exception::of(py, &error));
                    self.texts = None;
                    break;
                }
            }
        }
        py.check_signals()
    }
}

/// Stops the work on one text.
struct Stop<'a, F>(&'a F);

impl<F: Fn() -> bool> Observer for Stop<'_, F> {
    fn cancelled(&self) -> bool {
        (self.0)()
    }
}

fn backed(text: &Bound<'_, PyAny>) -> PyResult<PyBackedStr> {
    text_of(text)?;
    text.extract()
}

#[pymethods]
impl Pipe {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&mut self, py: Python<'_>) -> PyResult<Option<Document>> {
        if self.ready.is_empty() && self.texts.is_some() {
            self.work(py)?;
        }
        match self.ready.pop_front() {
            Some(document) => Ok(Some(Document::new(document, Some(self.source.clone())))),
            None => self.failure.take().map_or(Ok(None), Err),
        }
    }
}

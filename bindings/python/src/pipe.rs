//! Streams of texts.
//!
//! Texts are annotated in rounds. With several threads the next round runs in the background while the caller uses the
//! documents of the one before: each document that is handed out takes one more text from the caller's iterator.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use eigentree::Error;
use eigentree::annotation::Document as Facade;
use eigentree::learn::{Observer, Silent};
use pyo3::prelude::*;
use pyo3::types::PyIterator;
use rayon::ThreadPool;
use rayon::prelude::*;

use crate::annotator::{Source, Wanted, text_of};
use crate::document::Document;
use crate::exception::{self, Exception};
use crate::watch::{INTERVAL, pool, watched};

/// Texts per thread and round: enough that no thread waits long for the slowest text.
const TEXTS: usize = 32;
/// Bytes per thread and round, so that long texts come in short rounds.
const BYTES: usize = 50_000;

type Results = Vec<Result<Facade, Error>>;

/// An iterator over annotated documents.
#[pyclass(module = "eigentree")]
pub(crate) struct Pipe {
    texts: Option<Py<PyIterator>>,
    source: Source,
    wanted: Wanted,
    threads: usize,
    /// Texts for the next round, and their bytes.
    taken: Vec<String>,
    bytes: usize,
    /// The threads, and the process that has them. They last as long as the stream: new ones for each round would begin with
    /// empty caches and heaps.
    pool: Option<(u32, Arc<ThreadPool>)>,
    ahead: Option<Ahead>,
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
        let threads = if threads == 0 { thread::available_parallelism()?.get() } else { threads };
        Ok(Self {
            texts: Some(texts.unbind()),
            source,
            wanted,
            threads,
            taken: Vec::new(),
            bytes: 0,
            pool: None,
            ahead: None,
            ready: VecDeque::new(),
            failure: None,
        })
    }

    fn next(&mut self, py: Python<'_>) -> PyResult<Option<Document>> {
        if self.ready.is_empty() && (self.texts.is_some() || self.ahead.is_some() || !self.taken.is_empty()) {
            self.work(py)?;
        }
        match self.ready.pop_front() {
            Some(document) => {
                self.look_ahead(py)?;
                Ok(Some(Document::new(document, Some(self.source.clone()))))
            }
            None => self.failure.take().map_or(Ok(None), Err),
        }
    }

    /// Takes one text. An error of the iterator comes after the documents of the texts before it.
    fn take(&mut self, py: Python<'_>) {
        let Some(texts) = &self.texts else { return };
        match texts.bind(py).clone().next() {
            None => self.texts = None,
            Some(text) => match text.and_then(|text| text_of(&text).map(str::to_owned)) {
                Ok(text) => {
                    self.bytes += text.len();
                    self.taken.push(text);
                }
                Err(error) => {
                    self.failure = Some(error);
                    self.texts = None;
                }
            },
        }
    }

    /// Whether the taken texts make up this part of a round.
    fn has(&self, part: usize) -> bool {
        self.taken.len() >= TEXTS * self.threads / part || self.bytes >= BYTES * self.threads / part
    }

    /// Takes one more text for a document that is handed out, up to a round. Half a round starts in the background.
    fn look_ahead(&mut self, py: Python<'_>) -> PyResult<()> {
        if self.threads > 1 && !self.has(1) {
            self.take(py);
        }
        self.start_ahead(py)
    }

    /// Starts the taken texts in the background, if they are enough and nothing runs there.
    fn start_ahead(&mut self, py: Python<'_>) -> PyResult<()> {
        if self.threads > 1 && self.ahead.is_none() && self.has(2) {
            self.bytes = 0;
            let texts = std::mem::take(&mut self.taken);
            self.ahead = Some(self.start(py, texts)?);
        }
        Ok(())
    }

    fn start(&mut self, py: Python<'_>, texts: Vec<String>) -> PyResult<Ahead> {
        let process = std::process::id();
        let pool = match &self.pool {
            Some((owner, pool)) if *owner == process => Arc::clone(pool),
            other => {
                if let Some((owner, pool)) = other {
                    keep_if_forked(*owner, pool);
                }
                let pool = Arc::new(pool(py, self.threads)?);
                self.pool = Some((process, Arc::clone(&pool)));
                pool
            }
        };
        Ok(Ahead::start(texts, self.source.clone(), self.wanted, &pool))
    }

    /// Waits for the round in the background, or runs one.
    fn work(&mut self, py: Python<'_>) -> PyResult<()> {
        let documents = match self.ahead.take() {
            Some(ahead) => self.finish(py, ahead)?,
            None => {
                while self.texts.is_some() && !self.has(1) {
                    self.take(py);
                }
                self.bytes = 0;
                let texts = std::mem::take(&mut self.taken);
                if self.threads == 1 {
                    self.run(py, &texts)?
                } else {
                    let round = self.start(py, texts)?;
                    self.finish(py, round)?
                }
            }
        };
        // The next round runs while the caller uses this one.
        self.start_ahead(py)?;
        for document in documents {
            match document {
                Ok(document) => self.ready.push_back(document),
                Err(error) => {
                    self.failure = Some(exception::of(py, &error));
                    self.texts = None;
                    self.taken.clear();
                    self.ahead = None;
                    break;
                }
            }
        }
        py.check_signals()
    }

    /// Waits for a round. A process that was forked meanwhile has its texts but not its threads, and starts it again.
    fn finish(&mut self, py: Python<'_>, round: Ahead) -> PyResult<Results> {
        match round.wait(py)? {
            Some(documents) => Ok(documents),
            None => self.run(py, &round.texts),
        }
    }

    /// Annotates texts in one thread.
    fn run(&self, py: Python<'_>, round: &[String]) -> PyResult<Results> {
        let bytes: usize = round.iter().map(|text| text.len()).sum();
        let annotator = self.source.annotator(self.wanted).map_err(|error| exception::of(py, &error))?;
        // A short round needs no thread to watch it: a signal waits some milliseconds.
        if bytes <= BYTES {
            return Ok(py.detach(|| {
                round.iter().map(|text| annotator.annotate_watched(text, &mut Silent)).collect()
            }));
        }
        watched(py, 1, None, |observer| {
            let stop = || observer.cancelled();
            round.iter().map(|text| annotator.annotate_watched(text, &mut Stop(&stop))).collect()
        })
    }
}

impl Drop for Pipe {
    fn drop(&mut self) {
        if let Some((owner, pool)) = &self.pool {
            keep_if_forked(*owner, pool);
        }
    }
}

/// A round at work on threads of its own.
struct Ahead {
    /// Copies: a thread that drops a Python object without the interpreter's lock takes another one, of the bindings, and a
    /// process forked meanwhile would wait for it for ever.
    texts: Arc<Vec<String>>,
    /// Locked by nobody else: Python may hand an iterator from thread to thread, and receivers forbid that.
    documents: Arc<Mutex<Receiver<Results>>>,
    stop: Arc<AtomicBool>,
    process: u32,
}

impl Ahead {
    fn start(texts: Vec<String>, source: Source, wanted: Wanted, pool: &ThreadPool) -> Self {
        let (texts, stop) = (Arc::new(texts), Arc::new(AtomicBool::new(false)));
        let (ended, documents) = mpsc::channel();
        let (round, stopped) = (Arc::clone(&texts), Arc::clone(&stop));
        pool.spawn(move || {
            let cancelled = || stopped.load(Ordering::Relaxed);
            let documents = match source.annotator(wanted) {
                Ok(annotator) => {
                    let annotate = |text: &String| annotator.annotate_watched(text, &mut Stop(&cancelled));
                    round.par_iter().with_max_len(1).map(annotate).collect()
                }
                Err(error) => vec![Err(error)],
            };
            // Nobody listens if the stream was given up.
            let _ = ended.send(documents);
        });
        Self { texts, documents: Arc::new(Mutex::new(documents)), stop, process: std::process::id() }
    }

    /// The documents; `None` in a process other than the one that started the round.
    fn wait(&self, py: Python<'_>) -> PyResult<Option<Results>> {
        if self.process != std::process::id() {
            return Ok(None);
        }
        loop {
            let documents = &self.documents;
            let receive = || documents.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(INTERVAL);
            match py.detach(receive) {
                Ok(documents) => return Ok(Some(documents)),
                Err(RecvTimeoutError::Timeout) => py.check_signals()?,
                // The thread panicked. Running the round again in the caller's shows it.
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
            }
        }
    }
}

impl Drop for Ahead {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        keep_if_forked(self.process, &self.documents);
    }
}

/// Keeps what a forked process has from its parent without the threads behind it. To end a pool or a channel takes locks, and one
/// that a thread held at the fork is never given back.
fn keep_if_forked<T>(owner: u32, shared: &Arc<T>) {
    if owner != std::process::id() {
        std::mem::forget(Arc::clone(shared));
    }
}

/// Stops the work on one text.
struct Stop<'a, F>(&'a F);

impl<F: Fn() -> bool> Observer for Stop<'_, F> {
    fn cancelled(&self) -> bool {
        (self.0)()
    }
}

#[pymethods]
impl Pipe {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(slf: &Bound<'_, Self>) -> PyResult<Option<Document>> {
        let py = slf.py();
        let Ok(mut pipe) = slf.try_borrow_mut() else {
            let advice = "this stream is already asked for its next document, by another thread or by its own texts; ask it \
                          from one thread, or use a lock";
            return Err(Exception::Eigentree.with(py, advice));
        };
        pipe.next(py)
    }
}

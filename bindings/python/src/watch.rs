//! Long work: off the interpreter lock, on threads of its own, with progress and Ctrl-C.
//!
//! The thread that called waits. It alone meets Python: it looks for signals several times per second, and calls the
//! caller's progress function. A signal, or an exception in that function, asks the work to stop; the exception is
//! raised when the work has stopped.

use std::fmt;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use eigentree::learn::Observer;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::exception::Exception;

/// How often the waiting thread looks for signals, and how often at most it reports progress.
pub(crate) const INTERVAL: Duration = Duration::from_millis(50);

/// Stack of a worker thread, as the main thread of a program has.
const STACK: usize = 8 << 20;

/// News of the work.
enum Event {
    Stage { name: String, total: Option<u64> },
    Done(u64),
    Note(String),
}

/// The observer at work: sends news to the waiting thread, and asks it whether to stop.
pub(crate) struct Watched {
    news: Option<Sender<Event>>,
    stop: Arc<AtomicBool>,
    /// Work done in the current stage, and when it was last told.
    done: u64,
    told: Instant,
}

impl Watched {
    fn send(&self, event: Event) {
        if let Some(news) = &self.news {
            // Nobody listens after an exception; the work is about to stop.
            let _ = news.send(event);
        }
    }
}

impl Observer for Watched {
    fn stage(&mut self, name: &str, total: Option<u64>) {
        self.done = 0;
        if self.news.is_some() {
            self.send(Event::Stage { name: name.to_owned(), total });
        }
    }

    fn advance(&mut self, units: u64) {
        self.done += units;
        if self.news.is_some() && self.told.elapsed() >= INTERVAL {
            self.told = Instant::now();
            self.send(Event::Done(self.done));
        }
    }

    fn note(&mut self, text: fmt::Arguments<'_>) {
        if self.news.is_some() {
            self.send(Event::Note(text.to_string()));
        }
    }

    fn cancelled(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// A pool of `threads` threads.
pub(crate) fn pool(py: Python<'_>, threads: usize) -> PyResult<ThreadPool> {
    // Without a handler, a panic of spawned work ends the whole process. With one, the work is dropped together with its
    // sender, and who waits for the result hears of it.
    let pool = ThreadPoolBuilder::new().num_threads(threads).stack_size(STACK).panic_handler(|_| ());
    pool.build().map_err(|error| {
        let advice = format!("cannot start {threads} threads: {error}; give a smaller number");
        Exception::Option.with(py, advice)
    })
}

/// Runs `work` on a pool of `threads` threads (0: one per core) that ends with it.
///
/// `progress` is called with the name of the stage, the units done, their total or `None`, and a note or `None`.
pub(crate) fn watched<T: Send>(
    py: Python<'_>,
    threads: usize,
    progress: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(Watched) -> T + Send,
) -> PyResult<T> {
    let pool = pool(py, threads)?;
    let (news, heard) = mpsc::channel();
    let (ended, end) = mpsc::channel();
    let stop = Arc::new(AtomicBool::new(false));
    let listener = progress.map(|progress| progress.clone().unbind());
    let observer = Watched {
        news: listener.is_some().then_some(news),
        stop: Arc::clone(&stop),
        done: 0,
        told: Instant::now(),
    };
    py.detach(move || {
        thread::scope(|scope| {
            let started = thread::Builder::new().spawn_scoped(scope, move || {
                let result = pool.install(|| work(observer));
                // The waiting thread holds the other end.
                let _ = ended.send(());
                result
            });
            let worker = started.map_err(|error| {
                Python::attach(|py| Exception::Option.with(py, format!("cannot start a thread: {error}")))
            })?;
            let raised = wait(&heard, &end, listener.as_ref());
            if raised.is_err() {
                stop.store(true, Ordering::Relaxed);
            }
            let result = worker.join().unwrap_or_else(|panic| resume_unwind(panic));
            raised.map(|()| result)
        })
    })
}

/// Waits for the end of the work; an error if a signal or the progress function raised one.
fn wait(heard: &Receiver<Event>, end: &Receiver<()>, listener: Option<&Py<PyAny>>) -> PyResult<()> {
    let Some(listener) = listener else {
        while end.recv_timeout(INTERVAL) == Err(RecvTimeoutError::Timeout) {
            Python::attach(|py| py.check_signals())?;
        }
        return Ok(());
    };
    let mut stage = (String::new(), None);
    loop {
        match heard.recv_timeout(INTERVAL) {
            Ok(event) => Python::attach(|py| {
                py.check_signals()?;
                let (done, note) = match event {
                    Event::Stage { name, total } => {
                        stage = (name, total);
                        (0, None)
                    }
                    Event::Done(done) => (done, None),
                    Event::Note(text) => (0, Some(text)),
                };
                listener.call1(py, (&stage.0, done, stage.1, note)).map(drop)
            })?,
            Err(RecvTimeoutError::Timeout) => Python::attach(|py| py.check_signals())?,
            // The observer went with the work.
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
        }
    }
}

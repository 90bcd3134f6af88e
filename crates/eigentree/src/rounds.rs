//! Streams worked on in rounds: read on one thread, work on all, hand on in order.

use std::sync::mpsc::{self, Receiver};
use std::sync::{Mutex, PoisonError};
use std::thread;

use models::learn::Observer;
use rayon::prelude::*;

use crate::Error;

/// Works on items as they come and hands the results on in their order; `flush` ends a round. Belongs into a stage of the caller's.
pub(crate) fn in_rounds<T: Send + 'static, R: Send>(
    items: impl Iterator<Item = T> + Send + 'static,
    per_thread: usize,
    observer: &mut dyn Observer,
    work: impl Fn(T) -> R + Sync,
    mut each: impl FnMut(Option<R>) -> Result<(), Error>,
) -> Result<(), Error> {
    let round = per_thread * rayon::current_num_threads();
    let received = read_ahead(items, round);
    loop {
        let batch: Vec<T> = next_round(&received, round).collect();
        // An interrupt may have ended the program that writes our input too: its end is then none.
        if observer.cancelled() {
            return Err(Error::Cancelled);
        }
        if batch.is_empty() {
            return Ok(());
        }
        let length = batch.len() as u64;
        let results: Vec<R> = batch.into_par_iter().map(&work).collect();
        results.into_iter().try_for_each(|result| each(Some(result)))?;
        each(None)?;
        observer.advance(length);
    }
}

/// Reads on a thread of its own. The thread is left alone when the receiver goes: it may wait for a terminal for ever, and ends
/// with its next item otherwise.
pub(crate) fn read_ahead<T: Send + 'static>(
    items: impl Iterator<Item = T> + Send + 'static,
    bound: usize,
) -> Receiver<T> {
    let (sender, receiver) = mpsc::sync_channel(bound);
    thread::spawn(move || {
        for item in items {
            if sender.send(item).is_err() {
                return;
            }
        }
    });
    receiver
}

/// At least one item, if there is any, and what else has been read by now, up to `most`.
pub(crate) fn next_round<T>(received: &Receiver<T>, most: usize) -> impl Iterator<Item = T> {
    received.recv().into_iter().chain(received.try_iter()).take(most)
}

/// Memory for as many threads as ask for it.
pub(crate) struct ScratchPool<S> {
    free: Mutex<Vec<S>>,
}

impl<S: Default> ScratchPool<S> {
    pub(crate) fn new() -> Self {
        Self { free: Mutex::new(Vec::new()) }
    }

    /// Lends memory to `work`.
    pub(crate) fn lend<T>(&self, work: impl FnOnce(&mut S) -> T) -> T {
        let lock = || self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let mut scratch = lock().pop().unwrap_or_default();
        let result = work(&mut scratch);
        lock().push(scratch);
        result
    }

    /// All memory that was lent and came back.
    pub(crate) fn into_all(self) -> Vec<S> {
        self.free.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

//! Reading on one thread, working on all, delivering in order.

use std::cmp::Reverse;
use std::io;
use std::sync::mpsc::{self, Receiver};
use std::thread;

use corpus::error::ReadError;
use models::learn::Observer;
use rayon::prelude::*;

use super::{Counts, Report, ScratchPool, Sink};
use crate::Error;
use crate::reading::BadItems;

/// How a stream is worked on.
pub(crate) struct Job<'a, Length> {
    /// Items per thread and round: enough that no thread waits long for the slowest item.
    pub(crate) per_thread: usize,
    /// What happens to items that cannot be read.
    pub(crate) bad_items: BadItems,
    /// About how much work an item is. The longest of a round come first, so that the last to finish are short.
    pub(crate) length: Length,
    /// What to say before an item of this length, if anything. It is said of the longest so far.
    pub(crate) foretell: Option<&'a dyn Fn(usize) -> Option<String>>,
}

/// What became of one item.
pub(crate) struct Done<R> {
    pub(crate) counts: Counts,
    pub(crate) entry: R,
}

/// Works on items as they come and hands the results to `sink` in their order. The caller must have started a stage, and
/// finishes the sink.
///
/// An item that cannot be read ends the work, after the results of all items before it, or is skipped, as the job says.
pub(crate) fn drive<T: Send + 'static, S: Default + Send, K: Sink, E: Into<Error> + Send + 'static>(
    items: impl Iterator<Item = Result<T, E>> + Send + 'static,
    job: &Job<'_, impl Fn(&T) -> usize>,
    observer: &mut dyn Observer,
    sink: &mut K,
    work: impl Fn(T, &mut S) -> Result<Done<K::Entry>, Error> + Sync,
) -> Result<Report, Error> {
    let round = job.per_thread * rayon::current_num_threads();
    let received = read_ahead(items, round)
        .map_err(|error| Error::Data(format!("cannot start a thread to read: {error}")))?;
    let pool = ScratchPool::<S>::new();
    let mut report = Report::default();
    let mut told = 0;
    loop {
        let batch: Vec<Result<T, E>> = next_round(&received, round).collect();
        // An interrupt may have ended the program that writes our input too: such an end is not the end of the input.
        if observer.cancelled() {
            return Err(Error::Cancelled);
        }
        if batch.is_empty() {
            return Ok(report);
        }
        let length = batch.len() as u64;
        if let Some(foretell) = job.foretell {
            let lengths = batch.iter().flatten().map(&job.length).filter(|&length| length > told);
            let long = lengths.filter_map(|length| Some((length, foretell(length)?))).max();
            if let Some((length, text)) = long {
                told = length;
                observer.note(format_args!("{text}"));
            }
        }
        for result in work_on(batch, &job.length, &pool, &work) {
            match result {
                Ok(done) => {
                    report.counts += done.counts;
                    sink.write(done.entry)?;
                }
                Err(Error::Read(ReadError::Syntax(error))) if job.bad_items == BadItems::Skip => {
                    report.skipped.push(error);
                    sink.write_skipped()?;
                }
                Err(error) => return Err(error),
            }
        }
        sink.flush()?;
        sink.advance(length, observer);
        if observer.cancelled() {
            return Err(Error::Cancelled);
        }
    }
}

/// Works on a round, the longest items first; returns the results in the order of the round.
fn work_on<T: Send, S: Default + Send, R: Send, E: Into<Error> + Send>(
    batch: Vec<Result<T, E>>,
    length: &impl Fn(&T) -> usize,
    pool: &ScratchPool<S>,
    work: &(impl Fn(T, &mut S) -> Result<R, Error> + Sync),
) -> impl Iterator<Item = Result<R, Error>> {
    let mut batch: Vec<(usize, Result<T, E>)> = batch.into_iter().enumerate().collect();
    batch.sort_by_cached_key(|(_, item)| Reverse(item.as_ref().map_or(0, length)));
    let mut results: Vec<(usize, Result<R, Error>)> = batch
        .into_par_iter()
        .with_max_len(1)
        .map(|(at, item)| {
            let result = item.map_err(E::into).and_then(|item| pool.lend(|scratch| work(item, scratch)));
            (at, result)
        })
        .collect();
    results.sort_unstable_by_key(|&(at, _)| at);
    results.into_iter().map(|(_, result)| result)
}

/// Reads on a thread of its own. The thread is left alone when the receiver goes: it may wait for a terminal for ever, and ends
/// with its next item otherwise.
fn read_ahead<T: Send + 'static>(
    items: impl Iterator<Item = T> + Send + 'static,
    bound: usize,
) -> io::Result<Receiver<T>> {
    let (sender, receiver) = mpsc::sync_channel(bound);
    thread::Builder::new().name("reader".to_owned()).spawn(move || {
        for item in items {
            if sender.send(item).is_err() {
                return;
            }
        }
    })?;
    Ok(receiver)
}

/// At least one item, if there is any, and what else has been read by now, up to `most`.
fn next_round<T>(received: &Receiver<T>, most: usize) -> impl Iterator<Item = T> {
    received.recv().into_iter().chain(received.try_iter()).take(most)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use corpus::error::{Position, SyntaxError};
    use models::learn::Silent;

    use super::*;

    /// Keeps entries, and a mark for what was skipped.
    #[derive(Default)]
    struct Kept {
        entries: Vec<Option<usize>>,
        flushes: usize,
    }

    impl Sink for Kept {
        type Entry = usize;

        fn write(&mut self, entry: usize) -> Result<(), Error> {
            self.entries.push(Some(entry));
            Ok(())
        }

        fn write_skipped(&mut self) -> Result<(), Error> {
            self.entries.push(None);
            Ok(())
        }

        fn flush(&mut self) -> Result<(), Error> {
            self.flushes += 1;
            Ok(())
        }
    }

    fn bad() -> ReadError {
        ReadError::Syntax(SyntaxError {
            source_name: "test".to_owned(),
            position: Position { line: 1, column: Some(1) },
            expected: "a number".to_owned(),
            found: "none".to_owned(),
        })
    }

    fn run(
        items: Vec<Result<usize, ReadError>>,
        bad_items: BadItems,
        observer: &mut dyn Observer,
    ) -> (Kept, Result<Report, Error>) {
        let mut kept = Kept::default();
        // Lengths that are no order of the input.
        let job = Job { per_thread: 4, bad_items, length: |item: &usize| item * 7 % 13, foretell: None };
        let work = |item: usize, _: &mut ()| {
            let counts = Counts { sentences: 1, words: item as u64, ..Counts::default() };
            Ok(Done { counts, entry: item })
        };
        let report = drive(items.into_iter(), &job, observer, &mut kept, work);
        (kept, report)
    }

    #[test]
    fn results_keep_the_order_of_the_input() {
        let (kept, report) = run((0..100).map(Ok).collect(), BadItems::Refuse, &mut Silent);
        assert_eq!(kept.entries, (0..100).map(Some).collect::<Vec<_>>());
        let counts = report.unwrap().counts;
        assert_eq!((counts.sentences, counts.words), (100, 4950));
        assert!(kept.flushes >= 100 / (4 * rayon::current_num_threads()));
    }

    #[test]
    fn what_cannot_be_read_is_skipped_or_ends_the_work_after_what_came_before() {
        let items = || vec![Ok(0), Ok(1), Err(bad()), Ok(3)];
        let (kept, report) = run(items(), BadItems::Skip, &mut Silent);
        assert_eq!(kept.entries, [Some(0), Some(1), None, Some(3)]);
        assert_eq!(report.unwrap().skipped.len(), 1);
        let (kept, report) = run(items(), BadItems::Refuse, &mut Silent);
        assert_eq!(kept.entries, [Some(0), Some(1)]);
        assert!(report.unwrap_err().syntax().is_some());
        let broken = ReadError::Io {
            source_name: "test".to_owned(),
            line: 1,
            error: std::io::ErrorKind::Other.into(),
        };
        let (_, report) = run(vec![Ok(0), Err(broken)], BadItems::Skip, &mut Silent);
        assert!(report.is_err(), "bytes that do not come are an error under either policy");
    }

    #[test]
    fn a_wish_to_stop_is_followed() {
        struct After(AtomicUsize);
        impl Observer for After {
            fn cancelled(&self) -> bool {
                self.0.fetch_add(1, Ordering::Relaxed) >= 2
            }
        }
        let (kept, report) =
            run((0..10_000).map(Ok).collect(), BadItems::Refuse, &mut After(AtomicUsize::new(0)));
        assert!(report.unwrap_err().is_cancelled());
        assert!(kept.entries.len() <= 4 * rayon::current_num_threads());
    }
}

//! Where annotation happens: threads of our own behind bounded queues.
//!
//! There are two lanes, each with its threads and its queue. Short requests have a lane to themselves, so they never wait behind
//! a long text or a stream; the operating system divides the cores among the lanes. A lane takes a fixed number of waiting tasks.
//! A single request that finds no place is refused ([`Failure::busy`]), which the service answers with 429 and an estimate of when
//! there will be room. So is one that would wait, or has waited, for half of its time: what has begun gets the other half, and an
//! overload never shows as work that took too long. A stream waits for its place instead, which slows its sender down.
//!
//! A task whose client has gone is dropped from the queue, and one that runs can ask whether it is still [wanted](Wanted). A
//! panic ends its own task only.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

use crate::failure::{Answer, Failure};

/// A class of tasks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Lane {
    /// A sentence or a few.
    Short,
    /// Long texts, batches, streams, evaluation.
    Long,
}

impl Lane {
    pub(crate) const ALL: [Self; 2] = [Self::Short, Self::Long];

    /// The lane of texts of this many bytes.
    pub(crate) fn of_bytes(bytes: usize) -> Self {
        // About 40 sentences of English: milliseconds for a pipeline, tenths of a second for a grammar.
        const SHORT: usize = 4096;
        if bytes <= SHORT { Lane::Short } else { Lane::Long }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Lane::Short => "short",
            Lane::Long => "long",
        }
    }
}

/// Whether anybody waits for the result of a task.
#[derive(Clone, Default)]
pub(crate) struct Wanted(Arc<AtomicBool>);

impl Wanted {
    /// Fails once the client is gone or the time is over.
    pub(crate) fn check(&self) -> Answer<()> {
        // Nobody reads this failure.
        if self.is_dropped() { Err(Failure::stopping()) } else { Ok(()) }
    }

    fn is_dropped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Marks a task as unwanted when the request is dropped.
struct DropGuard(Wanted);

impl Drop for DropGuard {
    fn drop(&mut self) {
        self.0.0.store(true, Ordering::Relaxed);
    }
}

type Task = Box<dyn FnOnce() + Send>;

/// A task in the queue. Dropping it makes the task unwanted.
struct Submitted<T> {
    begun: oneshot::Receiver<()>,
    result: oneshot::Receiver<Answer<T>>,
    _guard: DropGuard,
}

impl<T> Submitted<T> {
    /// Waits until a thread takes the task.
    async fn begins(&mut self) {
        // A sender that is gone without a word belongs to a task that will not run; `result` tells.
        let _ = (&mut self.begun).await;
    }

    async fn result(self) -> Answer<T> {
        self.result.await.unwrap_or_else(|_| Err(Failure::stopping()))
    }
}

/// The threads and queues.
pub(crate) struct Pool {
    lanes: [Arc<Queue>; 2],
    limit: Duration,
}

struct Queue {
    waiting: Mutex<Waiting>,
    arrived: Condvar,
    /// Places for tasks that wait or run.
    places: Arc<Semaphore>,
    threads: usize,
    running: AtomicUsize,
    /// A moving mean of the time of a task, in microseconds.
    mean_micros: AtomicU64,
}

#[derive(Default)]
struct Waiting {
    tasks: VecDeque<Task>,
    closed: bool,
}

impl Pool {
    /// Starts `threads` threads per lane. At most `queue` tasks wait in each, and a request gets `limit`.
    pub(crate) fn start(threads: usize, queue: usize, limit: Duration) -> std::io::Result<Self> {
        let threads = threads.max(1);
        let lanes = Lane::ALL.map(|_| {
            Arc::new(Queue {
                waiting: Mutex::default(),
                arrived: Condvar::new(),
                places: Arc::new(Semaphore::new(threads + queue)),
                threads,
                running: AtomicUsize::new(0),
                mean_micros: AtomicU64::new(0),
            })
        });
        for (lane, queue) in Lane::ALL.into_iter().zip(&lanes) {
            for number in 0..threads {
                let queue = Arc::clone(queue);
                let name = format!("{}-{number}", lane.name());
                thread::Builder::new().name(name).spawn(move || queue.work())?;
            }
        }
        Ok(Self { lanes, limit })
    }

    /// Number of threads of a lane.
    pub(crate) fn threads(&self) -> usize {
        self.lanes[0].threads
    }

    /// Runs a task; refuses if no place is free.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        lane: Lane,
        task: impl FnOnce(&Wanted) -> Answer<T> + Send + 'static,
    ) -> Answer<T> {
        let queue = &self.lanes[lane as usize];
        let (deadline, patience) = (tokio::time::Instant::now() + self.limit, self.limit / 2);
        let place = Arc::clone(&queue.places).try_acquire_owned();
        let Some(place) = place.ok().filter(|_| queue.expected_wait() <= patience) else {
            return Err(queue.busy());
        };
        let mut submitted = queue.submit(place, task)?;
        if tokio::time::timeout(patience, submitted.begins()).await.is_err() {
            return Err(queue.busy());
        }
        self.in_time(deadline, submitted.result()).await
    }

    /// Runs a task as soon as there is a place.
    pub(crate) async fn run_when_free<T: Send + 'static>(
        &self,
        lane: Lane,
        task: impl FnOnce(&Wanted) -> Answer<T> + Send + 'static,
    ) -> Answer<T> {
        let queue = &self.lanes[lane as usize];
        let place = Arc::clone(&queue.places).acquire_owned().await.map_err(|_| Failure::stopping())?;
        let mut submitted = queue.submit(place, task)?;
        submitted.begins().await;
        self.in_time(tokio::time::Instant::now() + self.limit, submitted.result()).await
    }

    async fn in_time<T>(
        &self,
        deadline: tokio::time::Instant,
        work: impl Future<Output = Answer<T>>,
    ) -> Answer<T> {
        tokio::time::timeout_at(deadline, work)
            .await
            .unwrap_or_else(|_| Err(Failure::timeout(self.limit.as_secs_f64())))
    }

    /// Tasks of a lane that run, and that wait.
    pub(crate) fn load(&self, lane: Lane) -> (usize, usize) {
        let queue = &self.lanes[lane as usize];
        (queue.running.load(Ordering::Relaxed), queue.lock().tasks.len())
    }
}

impl Drop for Pool {
    /// Lets the threads end when their tasks are done. Nobody waits for them: tasks that are wanted keep the pool alive.
    fn drop(&mut self) {
        for queue in &self.lanes {
            queue.lock().closed = true;
            queue.arrived.notify_all();
        }
    }
}

impl Queue {
    fn lock(&self) -> std::sync::MutexGuard<'_, Waiting> {
        // No code panics while it holds the lock; if it did, the queue would still be whole.
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn submit<T: Send + 'static>(
        &self,
        place: OwnedSemaphorePermit,
        task: impl FnOnce(&Wanted) -> Answer<T> + Send + 'static,
    ) -> Answer<Submitted<T>> {
        let (sender, result) = oneshot::channel();
        let (beginning, begun) = oneshot::channel();
        let wanted = Wanted::default();
        let guard = DropGuard(wanted.clone());
        let task: Task = Box::new(move || {
            // The place becomes free when the task has ended, however it ends.
            let _place = place;
            if wanted.is_dropped() {
                return;
            }
            let _ = beginning.send(());
            let result =
                catch_unwind(AssertUnwindSafe(|| task(&wanted))).unwrap_or_else(|_| Err(Failure::internal()));
            // The receiver is gone if the client is.
            let _ = sender.send(result);
        });
        {
            let mut waiting = self.lock();
            if waiting.closed {
                return Err(Failure::stopping());
            }
            waiting.tasks.push_back(task);
        }
        self.arrived.notify_one();
        Ok(Submitted { begun, result, _guard: guard })
    }

    /// The life of a thread.
    fn work(&self) {
        while let Some(task) = self.next() {
            self.running.fetch_add(1, Ordering::Relaxed);
            let begun = Instant::now();
            task();
            self.running.fetch_sub(1, Ordering::Relaxed);
            let micros = begun.elapsed().as_micros() as u64;
            let mean = self.mean_micros.load(Ordering::Relaxed);
            self.mean_micros.store((7 * mean + micros) / 8, Ordering::Relaxed);
        }
    }

    fn next(&self) -> Option<Task> {
        let mut waiting = self.lock();
        loop {
            if let Some(task) = waiting.tasks.pop_front() {
                return Some(task);
            }
            if waiting.closed {
                return None;
            }
            waiting = self.arrived.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// About how long the queue takes.
    fn expected_wait(&self) -> Duration {
        let tasks = self.lock().tasks.len() as u64;
        Duration::from_micros(self.mean_micros.load(Ordering::Relaxed) * tasks / self.threads as u64)
    }

    /// The refusal of a task for which there is no room now.
    fn busy(&self) -> Failure {
        Failure::busy((self.expected_wait().as_micros() as u64).div_ceil(1_000_000).clamp(1, 60))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    fn block_on<T>(work: impl Future<Output = T>) -> T {
        tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(work)
    }

    #[test]
    fn a_flood_queues_then_is_refused_and_short_tasks_pass_long_ones() {
        let pool = Pool::start(1, 1, Duration::from_secs(20)).unwrap();
        block_on(async {
            let (release, held) = mpsc::channel::<()>();
            let (started, running) = oneshot::channel();
            let first = pool.run(Lane::Long, move |_| {
                let _ = started.send(());
                held.recv().map_err(|_| Failure::internal())
            });
            tokio::pin!(first);
            tokio::select! {
                _ = &mut first => panic!("the task waits for its release"),
                _ = running => {}
            }
            let second = pool.run(Lane::Long, |_| Ok(2));
            tokio::pin!(second);
            // One poll puts it into the queue.
            tokio::select! {
                biased;
                _ = &mut second => panic!("the thread is taken"),
                () = tokio::task::yield_now() => {}
            }
            assert_eq!(pool.load(Lane::Long), (1, 1));
            let refused = pool.run(Lane::Long, |_| Ok(3)).await.unwrap_err();
            assert!(refused.code == "busy" && refused.retry_after.is_some_and(|seconds| seconds >= 1));
            assert_eq!(pool.run(Lane::Short, |_| Ok(4)).await.unwrap(), 4);
            release.send(()).unwrap();
            assert_eq!((first.await, second.await), (Ok(()), Ok(2)));
            assert_eq!(pool.run(Lane::Long, |_| Ok(5)).await.unwrap(), 5);
        });
    }

    #[test]
    fn waiting_too_long_is_no_work_that_took_too_long() {
        let pool = Pool::start(1, 4, Duration::from_millis(400)).unwrap();
        block_on(async {
            let first = pool.run(Lane::Short, |wanted| {
                while wanted.check().is_ok() {
                    thread::sleep(Duration::from_millis(1));
                }
                Ok(())
            });
            let second = pool.run(Lane::Short, |_| Ok(()));
            let (first, second) = tokio::join!(first, second);
            assert_eq!((first.unwrap_err().code, second.unwrap_err().code), ("timeout", "busy"));
            // A stream has no such limit: it waits for as long as others work.
            let long = pool.run(Lane::Long, |_| {
                thread::sleep(Duration::from_millis(300));
                Ok(())
            });
            let stream = pool.run_when_free(Lane::Long, |_| Ok(()));
            assert_eq!(tokio::join!(long, stream), (Ok(()), Ok(())));
            // The mean of tasks says that there is no use in waiting.
            pool.lanes[Lane::Short as usize].mean_micros.store(10_000_000, Ordering::Relaxed);
            let (release, held) = mpsc::channel::<()>();
            let holding =
                pool.run_when_free(Lane::Short, move |_| held.recv().map_err(|_| Failure::internal()));
            let waiting = pool.run_when_free(Lane::Short, |_| Ok(()));
            let asking = async {
                while pool.load(Lane::Short) != (1, 1) {
                    tokio::task::yield_now().await;
                }
                let refused = pool.run(Lane::Short, |_| Ok(())).await.unwrap_err();
                release.send(()).unwrap();
                refused
            };
            let (_, _, refused) = tokio::join!(holding, waiting, asking);
            assert_eq!((refused.code, refused.retry_after), ("busy", Some(10)));
        });
    }

    #[test]
    fn a_panic_harms_its_own_task_only() {
        let pool = Pool::start(1, 4, Duration::from_secs(20)).unwrap();
        let panicking = |_: &Wanted| -> Answer<()> { panic!("a defect") };
        assert_eq!(block_on(pool.run(Lane::Short, panicking)).unwrap_err().code, "internal");
        assert_eq!(block_on(pool.run(Lane::Short, |_| Ok(1))).unwrap(), 1);
    }

    #[test]
    fn tasks_of_clients_that_left_are_not_run() {
        let pool = Pool::start(1, 4, Duration::from_millis(50)).unwrap();
        let (seen, saw) = mpsc::channel();
        let slow = pool.run(Lane::Short, move |wanted| {
            while wanted.check().is_ok() {
                thread::sleep(Duration::from_millis(1));
            }
            seen.send(()).map_err(|_| Failure::internal())
        });
        assert_eq!(block_on(slow).unwrap_err().code, "timeout");
        saw.recv_timeout(Duration::from_secs(20)).expect("the task learns that nobody waits");
    }
}

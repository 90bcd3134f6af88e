//! Training jobs: one runs at a time, a few wait, all can be watched and cancelled. Nothing is written to disk.

use std::collections::VecDeque;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use eigentree::learn::Observer;
use eigentree::training::{TrainedModel, TrainingRequest};
use serde_json::{Value, json};

use crate::config::Limits;
use crate::failure::{Answer, Failure};
use crate::log::Event;
use crate::registry::{Loaded, Origin};
use crate::service::Service;

/// Finished jobs to remember.
const REMEMBERED: usize = 32;

/// The state of a job.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum State {
    Queued,
    Running,
    Done,
    Failed,
    Cancelled,
}

impl State {
    pub(crate) fn is_final(self) -> bool {
        matches!(self, State::Done | State::Failed | State::Cancelled)
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            State::Queued => "queued",
            State::Running => "running",
            State::Done => "done",
            State::Failed => "failed",
            State::Cancelled => "cancelled",
        }
    }
}

/// One job.
pub(crate) struct Job {
    pub(crate) id: String,
    family: &'static str,
    name: String,
    cancelled: AtomicBool,
    progress: Mutex<Progress>,
    /// Changes with each change of the progress.
    version: AtomicU64,
}

struct Progress {
    state: State,
    begun: Option<Instant>,
    /// Seconds that it took, once it has ended.
    took: Option<f64>,
    stage: Option<Stage>,
    finished: Vec<(String, f64)>,
    notes: Vec<String>,
    scores: Option<Value>,
    error: Option<String>,
}

struct Stage {
    name: String,
    total: Option<u64>,
    done: u64,
    begun: Instant,
}

impl Job {
    fn lock(&self) -> MutexGuard<'_, Progress> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, change: impl FnOnce(&mut Progress)) {
        change(&mut self.lock());
        self.version.fetch_add(1, Ordering::Release);
    }

    pub(crate) fn version(&self) -> u64 {
        self.version.load(Ordering::Acquire)
    }

    pub(crate) fn state(&self) -> State {
        self.lock().state
    }

    /// The name of the model, once there is one.
    pub(crate) fn model(&self) -> Option<&str> {
        (self.state() == State::Done).then_some(&self.name)
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Asks the job to stop. One that waits stops at once.
    pub(crate) fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
        self.change(|progress| {
            if progress.state == State::Queued {
                progress.state = State::Cancelled;
            }
        });
    }

    /// The job as its watchers see it.
    pub(crate) fn to_json(&self) -> Value {
        let progress = self.lock();
        let seconds = progress.took.or_else(|| progress.begun.map(|begun| begun.elapsed().as_secs_f64()));
        let mut value = json!({
            "job": self.id,
            "family": self.family,
            "name": self.name,
            "state": progress.state.name(),
            "seconds": seconds.unwrap_or(0.0),
            "stage": progress.stage.as_ref().map(|stage| &stage.name),
            "done": progress.stage.as_ref().map(|stage| stage.done),
            "total": progress.stage.as_ref().and_then(|stage| stage.total),
            "seconds_left": progress.stage.as_ref().and_then(Stage::seconds_left),
            "stages": progress.finished.iter().map(|(name, seconds)| json!({ "name": name, "seconds": seconds }))
                .collect::<Value>(),
            "notes": progress.notes,
            "scores": progress.scores,
        });
        if let Some(error) = &progress.error {
            value["error"] = error.as_str().into();
        }
        if progress.state == State::Done {
            value["model"] = self.name.as_str().into();
        }
        value
    }
}

impl Stage {
    /// The rest of this stage, if it goes on as it went.
    fn seconds_left(&self) -> Option<f64> {
        let total = self.total.filter(|_| self.done > 0)?;
        let rest = total.saturating_sub(self.done) as f64 / self.done as f64;
        Some(self.begun.elapsed().as_secs_f64() * rest)
    }
}

/// Receives the progress of a learner, and stops it if the job is cancelled or takes too long.
struct Watcher<'j> {
    job: &'j Job,
    end: Instant,
}

impl Observer for Watcher<'_> {
    fn stage(&mut self, name: &str, total: Option<u64>) {
        self.job.change(|progress| {
            progress.end_stage();
            progress.stage = Some(Stage { name: name.to_owned(), total, done: 0, begun: Instant::now() });
        });
    }

    fn advance(&mut self, units: u64) {
        self.job.change(|progress| {
            if let Some(stage) = &mut progress.stage {
                stage.done += units;
            }
        });
    }

    fn note(&mut self, text: fmt::Arguments<'_>) {
        self.job.change(|progress| progress.notes.push(text.to_string()));
    }

    fn cancelled(&self) -> bool {
        self.job.cancelled.load(Ordering::Relaxed) || Instant::now() > self.end
    }
}

impl Progress {
    fn end_stage(&mut self) {
        if let Some(stage) = self.stage.take() {
            self.finished.push((stage.name, stage.begun.elapsed().as_secs_f64()));
        }
    }
}

/// All jobs.
pub(crate) struct Jobs {
    inner: Mutex<Inner>,
    arrived: Condvar,
    queue: usize,
    limit: Duration,
    threads: usize,
    count: AtomicU64,
}

#[derive(Default)]
struct Inner {
    waiting: VecDeque<(Arc<Job>, TrainingRequest)>,
    /// All jobs that are remembered, the oldest first.
    known: VecDeque<Arc<Job>>,
    closed: bool,
}

impl Jobs {
    pub(crate) fn new(limits: &Limits, threads: usize) -> Self {
        Self {
            inner: Mutex::default(),
            arrived: Condvar::new(),
            queue: limits.training_queue,
            limit: Duration::from_secs_f64(limits.training_seconds),
            threads,
            count: AtomicU64::new(0),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts a job into the queue. `name` finds a name that no other model has, given those of jobs that are under way.
    pub(crate) fn add(
        &self,
        request: TrainingRequest,
        name: impl FnOnce(&dyn Fn(&str) -> bool) -> String,
    ) -> Answer<Arc<Job>> {
        let mut inner = self.lock();
        if inner.closed {
            return Err(Failure::stopping());
        }
        inner.waiting.retain(|(job, _)| !job.state().is_final());
        if inner.waiting.len() >= self.queue.max(1) {
            return Err(Failure::busy(10));
        }
        let name = name(&|wish| inner.known.iter().any(|job| job.name == wish && !job.state().is_final()));
        let job = Arc::new(Job {
            id: (self.count.fetch_add(1, Ordering::Relaxed) + 1).to_string(),
            family: request.family.name(),
            name,
            cancelled: AtomicBool::new(false),
            progress: Mutex::new(Progress {
                state: State::Queued,
                begun: None,
                took: None,
                stage: None,
                finished: Vec::new(),
                notes: Vec::new(),
                scores: None,
                error: None,
            }),
            version: AtomicU64::new(0),
        });
        inner.waiting.push_back((Arc::clone(&job), request));
        inner.known.push_back(Arc::clone(&job));
        while inner.known.len() > REMEMBERED {
            match inner.known.iter().position(|job| job.state().is_final()) {
                Some(oldest) => drop(inner.known.remove(oldest)),
                None => break,
            }
        }
        drop(inner);
        self.arrived.notify_one();
        Ok(job)
    }

    /// The job with this id.
    pub(crate) fn get(&self, id: &str) -> Answer<Arc<Job>> {
        let found = self.lock().known.iter().find(|job| job.id == id).cloned();
        found.ok_or_else(|| Failure::not_found(format!("there is no job `{id}`, or it was long ago")))
    }

    /// All jobs that are remembered.
    pub(crate) fn all(&self) -> Vec<Arc<Job>> {
        self.lock().known.iter().cloned().collect()
    }

    /// Cancels everything and takes no more.
    pub(crate) fn cancel_all(&self) {
        let mut inner = self.lock();
        inner.closed = true;
        inner.known.iter().for_each(|job| job.cancel());
        inner.waiting.clear();
        drop(inner);
        self.arrived.notify_all();
    }

    fn next(&self) -> Option<(Arc<Job>, TrainingRequest)> {
        let mut inner = self.lock();
        loop {
            if inner.closed {
                return None;
            }
            if let Some((job, request)) = inner.waiting.pop_front() {
                if job.state().is_final() {
                    continue;
                }
                return Some((job, request));
            }
            inner = self.arrived.wait(inner).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// The life of the thread that trains. It leaves a core to annotation if there is more than one.
pub(crate) fn work(service: &Service) {
    let jobs = &service.jobs;
    let threads = jobs.threads.saturating_sub(1).max(1);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    while let Some((job, request)) = jobs.next() {
        let begun = Instant::now();
        job.change(|progress| {
            progress.state = State::Running;
            progress.begun = Some(begun);
        });
        let mut watcher = Watcher { job: &job, end: begun + jobs.limit };
        let mut train = || catch_unwind(AssertUnwindSafe(|| request.run(&mut watcher)));
        let trained = match &pool {
            Ok(pool) => pool.install(&mut train),
            Err(_) => train(),
        };
        let (state, error, scores) = match trained {
            Ok(Ok(trained)) => match add_model(service, &job, trained) {
                Ok(scores) => (State::Done, None, Some(scores)),
                Err(failure) => (State::Failed, Some(failure.message), None),
            },
            Ok(Err(error)) if error.is_cancelled() && job.cancelled.load(Ordering::Relaxed) => {
                (State::Cancelled, None, None)
            }
            Ok(Err(error)) if error.is_cancelled() => {
                let message =
                    format!("training took longer than the limit of {} seconds", jobs.limit.as_secs());
                (State::Failed, Some(message), None)
            }
            Ok(Err(error)) => (State::Failed, Some(error.to_string()), None),
            Err(_) => (State::Failed, Some(Failure::internal().message), None),
        };
        let seconds = begun.elapsed().as_secs_f64();
        job.change(|progress| {
            progress.end_stage();
            (progress.state, progress.error, progress.scores) = (state, error, scores);
            progress.took = Some(seconds);
        });
        service.log.put(&Event::JobEnded { job: job.id.clone(), state: state.name(), seconds });
    }
}

fn add_model(service: &Service, job: &Job, trained: TrainedModel) -> Answer<Value> {
    let bytes = trained.to_bytes()?.len();
    let TrainedModel { model, metadata, summary, .. } = trained;
    service.registry.add_trained(Loaded::new(job.name.clone(), model, metadata, bytes, Origin::Trained));
    Ok(summary.into())
}

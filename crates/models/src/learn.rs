//! The interface of learners: input and output, progress, cancellation.
//!
//! A learner is its configuration: a pure function of itself and the data. It never prints and never reads a clock. To
//! show progress, time the stages or stop the work, pass an [`Observer`].
//!
//! ```
//! use eigentree_models::learn::{Learned, Learner, LearnError, Observer, Progress, Silent};
//! struct Mean;
//! impl Learner for Mean {
//!     type Data = [f64];
//!     type Model = f64;
//!     fn learn(&self, data: &[f64], observer: &mut dyn Observer) -> Result<Learned<f64>, LearnError> {
//!         if data.is_empty() {
//!             return Err(LearnError::bad_data("there are no numbers; give at least one"));
//!         }
//!         let mut progress = Progress::new(observer);
//!         progress.stage("sum", Some(data.len() as u64))?;
//!         let mut sum = 0.0;
//!         for chunk in data.chunks(1024) {
//!             sum += chunk.iter().sum::<f64>();
//!             progress.advance(chunk.len() as u64)?;
//!         }
//!         progress.figure("numbers", data.len() as f64);
//!         Ok(progress.finish(sum / data.len() as f64))
//!     }
//! }
//! let learned = Mean.learn(&[1.0, 3.0], &mut Silent)?;
//! assert_eq!(learned.model, 2.0);
//! assert_eq!(learned.report.stages[0].work, 2);
//! # Ok::<(), LearnError>(())
//! ```

use std::error::Error;
use std::fmt;
use std::ops::ControlFlow;

use serde::Serialize;

use crate::memory::shortage;

/// Learns models from data.
pub trait Learner {
    /// Training data.
    type Data: ?Sized;
    /// Learnt model.
    type Model;

    /// Learns a model. The same data gives the same model, whatever the observer and the number of threads.
    fn learn(
        &self,
        data: &Self::Data,
        observer: &mut dyn Observer,
    ) -> Result<Learned<Self::Model>, LearnError>;
}

/// Receives the progress of a learner and may stop it.
pub trait Observer {
    /// A stage begins, which ends the previous one. `total` is its work in units of [`advance`](Self::advance), if
    /// known; a learner that stops on convergence gives the usual amount.
    fn stage(&mut self, name: &str, total: Option<u64>) {
        let _ = (name, total);
    }

    /// As [`stage`](Self::stage), for work that is counted in bytes of input.
    fn stage_of_bytes(&mut self, name: &str, total: Option<u64>) {
        self.stage(name, total);
    }

    /// `units` more units of work are done.
    fn advance(&mut self, units: u64) {
        let _ = units;
    }

    /// `number` more things went through, such as `words`: not the unit of work, but what a user counts.
    fn count(&mut self, things: &str, number: u64) {
        let _ = (things, number);
    }

    /// A message for the user, such as how many sentences were skipped.
    fn note(&mut self, text: fmt::Arguments<'_>) {
        let _ = text;
    }

    /// The work that comes will probably need `bytes` more than is in use; `less` says how to do with less. Without an
    /// implementation of its own, an observer notes it if the machine has less.
    fn memory(&mut self, bytes: u64, less: &str) {
        if let Some(shortage) = shortage(bytes, None, less) {
            self.note(format_args!("{shortage}"));
        }
    }

    /// Whether the learner should stop. It is called often and must be fast.
    fn cancelled(&self) -> bool {
        false
    }
}

/// Ignores all events.
#[derive(Clone, Copy, Default, Debug)]
pub struct Silent;

impl Observer for Silent {
    fn memory(&mut self, _: u64, _: &str) {}
}

/// A model with its training report.
#[derive(Clone, Debug)]
pub struct Learned<M> {
    /// The learnt model.
    pub model: M,
    /// Training report.
    pub report: LearnReport,
}

impl<M> Learned<M> {
    /// Converts the model, for example into the enum of all families.
    pub fn map<N>(self, change: impl FnOnce(M) -> N) -> Learned<N> {
        Learned { model: change(self.model), report: self.report }
    }
}

/// What a learner did, in counts. Times are not included; the observer takes them.
#[derive(Clone, PartialEq, Default, Debug, Serialize)]
pub struct LearnReport {
    /// Stages, in the order in which they ran.
    pub stages: Vec<Stage>,
    /// Messages for the user.
    pub notes: Vec<String>,
}

impl LearnReport {
    /// The figure `name` of the last stage that has it.
    pub fn figure(&self, name: &str) -> Option<f64> {
        let figures = self.stages.iter().rev().flat_map(|stage| &stage.figures);
        figures.into_iter().find(|figure| figure.name == name).map(|figure| figure.value)
    }
}

/// One stage of learning.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Stage {
    /// Stage name, such as `count rules`.
    pub name: String,
    /// Units of work done.
    pub work: u64,
    /// Counts and other figures of the stage.
    pub figures: Vec<Figure>,
}

/// A named number in a report.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Figure {
    /// Figure name, such as `binary rules`.
    pub name: String,
    /// Value.
    pub value: f64,
}

/// A learner's handle on an [`Observer`]: reports progress to it, collects the report, and checks for cancellation.
pub struct Progress<'o> {
    observer: &'o mut dyn Observer,
    report: LearnReport,
}

impl<'o> Progress<'o> {
    /// Starts a report.
    pub fn new(observer: &'o mut dyn Observer) -> Self {
        Self { observer, report: LearnReport::default() }
    }

    /// Starts a stage of `total` units of work. Fails if the learner was cancelled.
    pub fn stage(&mut self, name: &str, total: Option<u64>) -> Result<(), LearnError> {
        self.check()?;
        self.observer.stage(name, total);
        self.report.stages.push(Stage { name: name.to_owned(), work: 0, figures: Vec::new() });
        Ok(())
    }

    /// Counts `units` of work as done. Fails if the learner was cancelled. Call it once per chunk, not per item.
    pub fn advance(&mut self, units: u64) -> Result<(), LearnError> {
        if let Some(stage) = self.report.stages.last_mut() {
            stage.work += units;
        }
        self.observer.advance(units);
        self.check()
    }

    /// Runs work that reports the units it has done and can be stopped, such as a decomposition. Fails if the learner
    /// was cancelled meanwhile.
    pub fn watched<R>(
        &mut self,
        work: impl FnOnce(&mut dyn FnMut(usize) -> ControlFlow<()>) -> R,
    ) -> Result<R, LearnError> {
        let mut cancelled = None;
        let result = work(&mut |units| match self.advance(units as u64) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                cancelled = Some(error);
                ControlFlow::Break(())
            }
        });
        cancelled.map_or(Ok(result), Err)
    }

    /// Adds a figure to the current stage. Before the first stage the figure is ignored.
    pub fn figure(&mut self, name: &str, value: f64) {
        if let Some(stage) = self.report.stages.last_mut() {
            stage.figures.push(Figure { name: name.to_owned(), value });
        }
    }

    /// Sends a message to the user and adds it to the report.
    pub fn note(&mut self, text: fmt::Arguments<'_>) {
        self.observer.note(text);
        self.report.notes.push(text.to_string());
    }

    /// Says beforehand how many bytes more the work that comes will probably need, and how to do with less.
    pub fn memory(&mut self, bytes: u64, less: &str) {
        self.observer.memory(bytes, less);
    }

    /// Fails if the learner was cancelled.
    pub fn check(&self) -> Result<(), LearnError> {
        if self.observer.cancelled() { Err(LearnError::cancelled()) } else { Ok(()) }
    }

    /// Completes the report.
    pub fn finish<M>(self, model: M) -> Learned<M> {
        Learned { model, report: self.report }
    }
}

/// Why learning failed.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct LearnError {
    kind: LearnErrorKind,
}

#[derive(Debug, thiserror::Error)]
enum LearnErrorKind {
    #[error("learning was cancelled")]
    Cancelled,
    #[error("cannot learn from this data: {0}")]
    BadData(String),
    #[error("cannot learn with these options: {0}")]
    BadConfig(String),
    #[error("learning failed in {stage}: {source}")]
    Failed { stage: String, source: Box<dyn Error + Send + Sync> },
}

impl LearnError {
    /// The observer cancelled the learner.
    pub fn cancelled() -> Self {
        LearnErrorKind::Cancelled.into()
    }

    /// The data is unsuitable. `what` says what is wrong and what to do.
    pub fn bad_data(what: impl Into<String>) -> Self {
        LearnErrorKind::BadData(what.into()).into()
    }

    /// The configuration is invalid, by itself or for this data. `what` names the option and its valid values.
    pub fn bad_config(what: impl Into<String>) -> Self {
        LearnErrorKind::BadConfig(what.into()).into()
    }

    /// A step of learning failed, such as a decomposition.
    pub fn failed(stage: impl Into<String>, source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        LearnErrorKind::Failed { stage: stage.into(), source: source.into() }.into()
    }

    /// Whether the observer cancelled the learner.
    pub fn is_cancelled(&self) -> bool {
        matches!(self.kind, LearnErrorKind::Cancelled)
    }

    /// Whether the data is at fault.
    pub fn is_bad_data(&self) -> bool {
        matches!(self.kind, LearnErrorKind::BadData(_))
    }

    /// Whether the configuration is at fault.
    pub fn is_bad_config(&self) -> bool {
        matches!(self.kind, LearnErrorKind::BadConfig(_))
    }

    /// The stage that failed, if any.
    pub fn failed_stage(&self) -> Option<&str> {
        match &self.kind {
            LearnErrorKind::Failed { stage, .. } => Some(stage),
            _ => None,
        }
    }
}

impl From<LearnErrorKind> for LearnError {
    fn from(kind: LearnErrorKind) -> Self {
        Self { kind }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Records all events, and cancels after some work.
    #[derive(Default)]
    struct Recorder {
        heard: Vec<String>,
        done: u64,
        limit: Option<u64>,
    }

    impl Observer for Recorder {
        fn stage(&mut self, name: &str, total: Option<u64>) {
            self.heard.push(format!("{name} {total:?}"));
        }
        fn advance(&mut self, units: u64) {
            self.done += units;
        }
        fn note(&mut self, text: fmt::Arguments<'_>) {
            self.heard.push(text.to_string());
        }
        fn cancelled(&self) -> bool {
            self.limit.is_some_and(|limit| self.done >= limit)
        }
    }

    fn run(observer: &mut dyn Observer) -> Result<Learned<u64>, LearnError> {
        let mut progress = Progress::new(observer);
        progress.stage("count", Some(3))?;
        for _ in 0..3 {
            progress.advance(1)?;
        }
        progress.figure("rules", 7.0);
        progress.note(format_args!("{} left out", 2));
        progress.stage("estimate", None)?;
        progress.figure("rules", 5.0);
        Ok(progress.finish(42))
    }

    #[test]
    fn observer_and_report_hear_the_same() {
        let mut recorder = Recorder::default();
        let learned = run(&mut recorder).unwrap();
        assert_eq!(recorder.heard, ["count Some(3)", "2 left out", "estimate None"]);
        assert_eq!(learned.report.stages[0].work, 3);
        assert_eq!(learned.report.notes, ["2 left out"]);
        assert_eq!(learned.report.figure("rules"), Some(5.0));
        assert_eq!(learned.map(|model| model + 1).model, 43);
    }

    #[test]
    fn cancelling_stops_within_a_step() {
        let mut recorder = Recorder { limit: Some(2), ..Recorder::default() };
        assert!(run(&mut recorder).unwrap_err().is_cancelled());
        assert_eq!(recorder.done, 2);
    }

    #[test]
    fn a_failed_stage_keeps_its_cause() {
        let error = LearnError::failed("decompose", std::io::Error::other("no convergence"));
        assert_eq!(error.failed_stage(), Some("decompose"));
        assert_eq!(error.to_string(), "learning failed in decompose: no convergence");
        assert!(!error.is_cancelled() && !error.is_bad_data() && !error.is_bad_config());
    }
}

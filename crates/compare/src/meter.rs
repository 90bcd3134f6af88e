//! What work costs, measured by someone who has a clock.

use models::learn::Observer;
use serde::Serialize;
use std::fmt;

/// Someone with a clock. Libraries have none: the program lends one.
pub trait Meter {
    /// What the process has cost so far.
    fn read(&self) -> Reading;

    /// Forgets the most memory held so far: the next readings tell the most held from now on.
    fn forget_peak(&self);
}

/// What a process has cost up to some moment.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Reading {
    /// Time since some fixed moment.
    pub seconds: f64,
    /// Processor time of all threads, where that is known.
    pub cpu_seconds: Option<f64>,
    /// The most memory held at once since [`Meter::forget_peak`], in MB of 1,000,000 bytes, where that is known.
    pub peak_mb: Option<f64>,
}

/// The meter of those who have no clock: everything takes no time.
#[derive(Clone, Copy, Default, Debug)]
pub struct NoMeter;

impl Meter for NoMeter {
    fn read(&self) -> Reading {
        Reading::default()
    }

    fn forget_peak(&self) {}
}

/// What a piece of work has cost.
#[derive(Clone, Copy, PartialEq, Default, Debug, Serialize)]
pub struct Cost {
    /// Time that passed.
    pub seconds: f64,
    /// Processor time of all threads.
    pub cpu_seconds: Option<f64>,
}

impl Cost {
    /// What was spent between two readings.
    pub fn between(start: Reading, end: Reading) -> Self {
        let cpu_seconds = start.cpu_seconds.zip(end.cpu_seconds).map(|(start, end)| end - start);
        Self { seconds: end.seconds - start.seconds, cpu_seconds }
    }

    /// The sum of two pieces.
    pub fn plus(self, other: Self) -> Self {
        let cpu_seconds = self.cpu_seconds.zip(other.cpu_seconds).map(|(one, two)| one + two);
        Self { seconds: self.seconds + other.seconds, cpu_seconds }
    }

    /// Processor time if it is known, as it does not depend on what else the machine does; else the time that passed.
    pub fn time(self) -> f64 {
        self.cpu_seconds.unwrap_or(self.seconds)
    }
}

/// A stage of learning with its cost.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct StageCost {
    /// Its name.
    pub name: String,
    /// What it took.
    #[serde(flatten)]
    pub cost: Cost,
}

/// The sum over stages.
pub(super) fn total(stages: &[StageCost]) -> Cost {
    let known = Cost { seconds: 0.0, cpu_seconds: Some(0.0) };
    stages.iter().fold(known, |sum, stage| sum.plus(stage.cost))
}

/// An observer between a learner and another observer: it takes the times of the stages, and gives them titles.
pub(super) struct Stopwatch<'o> {
    observer: &'o mut dyn Observer,
    meter: &'o dyn Meter,
    title: String,
    stages: Vec<StageCost>,
    running: Option<(String, Reading)>,
    peak_mb: Option<f64>,
}

impl<'o> Stopwatch<'o> {
    /// Begins to watch the work called `title`.
    pub(super) fn new(
        title: impl Into<String>,
        observer: &'o mut dyn Observer,
        meter: &'o dyn Meter,
    ) -> Self {
        meter.forget_peak();
        Self { observer, meter, title: title.into(), stages: Vec::new(), running: None, peak_mb: None }
    }

    /// Ends the stage at hand. What follows, up to the next stage, is not counted.
    pub(super) fn pause(&mut self) {
        let Some((name, start)) = self.running.take() else { return };
        let end = self.meter.read();
        let cost = Cost::between(start, end);
        match self.stages.iter_mut().find(|stage| stage.name == name) {
            Some(stage) => stage.cost = stage.cost.plus(cost),
            None => self.stages.push(StageCost { name, cost }),
        }
        let known = self.peak_mb.into_iter().chain(end.peak_mb);
        self.peak_mb = known.reduce(f64::max);
    }

    /// Runs work that does not count, under a stage of its own for the other observer; returns what it took and the most
    /// memory held.
    pub(super) fn aside<T>(
        &mut self,
        stage: &str,
        units: usize,
        work: impl FnOnce(&mut dyn Observer) -> T,
    ) -> (T, Cost, Option<f64>) {
        self.pause();
        self.observer.stage(&format!("{}: {stage}", self.title), Some(units as u64));
        self.meter.forget_peak();
        let start = self.meter.read();
        let result = work(self.observer);
        let end = self.meter.read();
        self.meter.forget_peak();
        (result, Cost::between(start, end), end.peak_mb)
    }

    /// The stages so far, without the one at hand; those of the same name are one.
    pub(super) fn stages(&self) -> &[StageCost] {
        &self.stages
    }

    /// The most memory held in any stage.
    pub(super) fn peak_mb(&self) -> Option<f64> {
        self.peak_mb
    }
}

impl Observer for Stopwatch<'_> {
    fn stage(&mut self, name: &str, total: Option<u64>) {
        self.pause();
        self.observer.stage(&format!("{}: {name}", self.title), total);
        self.running = Some((name.to_owned(), self.meter.read()));
    }

    fn advance(&mut self, units: u64) {
        self.observer.advance(units);
    }

    fn note(&mut self, text: fmt::Arguments<'_>) {
        self.observer.note(text);
    }

    fn memory(&mut self, bytes: u64, less: &str) {
        self.observer.memory(bytes, less);
    }

    fn cancelled(&self) -> bool {
        self.observer.cancelled()
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use models::learn::Silent;

    use super::*;

    /// Each reading is a second and two processor seconds after the one before.
    #[derive(Default)]
    struct Ticking(Cell<u32>);

    impl Meter for Ticking {
        fn read(&self) -> Reading {
            self.0.set(self.0.get() + 1);
            let now = f64::from(self.0.get());
            Reading { seconds: now, cpu_seconds: Some(2.0 * now), peak_mb: Some(100.0 - now) }
        }

        fn forget_peak(&self) {}
    }

    #[test]
    fn stages_are_timed_and_what_stands_between_them_is_not() {
        let (meter, mut silent) = (Ticking::default(), Silent);
        let mut watch = Stopwatch::new("x", &mut silent, &meter);
        watch.stage("start", None);
        watch.stage("step", None);
        let (seven, cost, _) = watch.aside("parse", 3, |_| 7);
        assert_eq!((seven, cost), (7, Cost { seconds: 1.0, cpu_seconds: Some(2.0) }));
        watch.stage("step", None);
        watch.pause();
        let told: Vec<(&str, f64)> =
            watch.stages().iter().map(|stage| (stage.name.as_str(), stage.cost.seconds)).collect();
        assert_eq!(told, [("start", 1.0), ("step", 2.0)]);
        assert_eq!(total(watch.stages()).time(), 6.0);
        assert_eq!(watch.peak_mb(), Some(98.0));
    }
}

//! Progress on standard error: bars on a terminal, plain lines elsewhere, nothing with `--quiet`. A program that calls a
//! command listens itself. Also times the stages.

use std::fmt;
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use eigentree::learn::{Observer, shortage};
use indicatif::{ProgressBar, ProgressState, ProgressStyle};

use crate::interrupt::{self, MaxMemory};
use crate::printable::printable;
use crate::resources;
use crate::session::count;

/// Minimum interval between two plain lines about the same stage.
const LINE_INTERVAL: Duration = Duration::from_secs(5);

/// Stages shorter than this many seconds are not reported.
const WORTH_TELLING: f64 = 0.1;

/// A stage that has taken this long, and is to take much longer, is announced as such.
const SHORT: f64 = 10.0;
const LONG: f64 = 600.0;

/// Where to show progress.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Display {
    Bars,
    Lines,
    /// The caller's observer shows it.
    Caller,
    Nowhere,
}

/// An observer that shows progress, times the stages, and forwards interrupts.
pub(crate) struct Reporter {
    display: Display,
    /// Hears all events, if another program called the command.
    caller: Option<Box<dyn Observer>>,
    stage: Option<Stage>,
    /// Finished stages, in the order in which they first ran.
    finished: Vec<(String, f64)>,
    warning: Warning,
    limit: Option<MaxMemory>,
    /// The most memory that was expected so far, in bytes beyond what was in use.
    expected: u64,
}

/// Whether the user knows that the work is long.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Warning {
    Due,
    Given,
}

struct Stage {
    name: String,
    unit: Unit,
    total: Option<u64>,
    done: u64,
    /// What the user counts, if that is not the unit: its name in the singular, and how many there were.
    counted: Option<(String, u64)>,
    start: Instant,
    last_line: Instant,
    bar: Option<ProgressBar>,
}

/// What `done` counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Unit {
    Items,
    Bytes,
}

impl Stage {
    /// `1200 words, 600 words/s`, if something is counted.
    fn counted(&self, elapsed: f64) -> Option<String> {
        let (things, number) = self.counted.as_ref()?;
        let rate = *number as f64 / elapsed.max(1e-9);
        Some(format!("{}, {rate:.0} {things}s/s", count(*number as usize, things)))
    }

    /// Seconds that are left, if they can be estimated from the progress so far.
    fn left(&self, elapsed: f64) -> Option<f64> {
        seconds_left(self.done, self.total?, elapsed)
    }

    /// What to say about a stage that takes much longer than anybody waits.
    fn warning(&self) -> Option<String> {
        let elapsed = self.start.elapsed().as_secs_f64();
        let left = self.left(elapsed).filter(|&left| elapsed >= SHORT && left >= LONG)?;
        Some(format!("this will take about {}; Ctrl-C stops it", duration(elapsed + left)))
    }

    /// How far the stage is, in one line.
    fn told(&self) -> String {
        let elapsed = self.start.elapsed().as_secs_f64();
        let amount = |units: u64| match self.unit {
            Unit::Items => units.to_string(),
            Unit::Bytes => format!("{:.1}", units as f64 / 1e6),
        };
        let unit = if self.unit == Unit::Bytes { " MB" } else { "" };
        let done = match self.total.zip(self.left(elapsed)) {
            Some((total, left)) => {
                format!("{} of {}{unit}, about {} left", amount(self.done), amount(total), duration(left))
            }
            None => format!("{}{unit} so far", amount(self.done)),
        };
        self.counted(elapsed).into_iter().chain([done]).collect::<Vec<_>>().join(", ")
    }
}

/// Seconds that are left at the rate so far; nobody knows before anything is done.
fn seconds_left(done: u64, total: u64, elapsed: f64) -> Option<f64> {
    (done > 0).then(|| elapsed * total.saturating_sub(done) as f64 / done as f64)
}

/// A duration as a person would say it.
fn duration(seconds: f64) -> String {
    match seconds {
        seconds if seconds < 100.0 => format!("{seconds:.0} s"),
        seconds if seconds < 6000.0 => format!("{:.0} min", seconds / 60.0),
        seconds => format!("{:.1} h", seconds / 3600.0),
    }
}

impl Reporter {
    pub(crate) fn new(quiet: bool, limit: Option<MaxMemory>) -> Self {
        let display = match (quiet, io::stderr().is_terminal()) {
            (true, _) => Display::Nowhere,
            (false, true) => Display::Bars,
            (false, false) => Display::Lines,
        };
        Self { limit, ..Self::showing(display) }
    }

    fn showing(display: Display) -> Self {
        let (finished, warning) = (Vec::new(), Warning::Due);
        Self { display, caller: None, stage: None, finished, warning, limit: None, expected: 0 }
    }

    /// Reports to the program that called the command, and shows nothing.
    pub(crate) fn to_caller(caller: Box<dyn Observer>) -> Self {
        Self { caller: Some(caller), ..Self::showing(Display::Caller) }
    }

    /// Whether nothing is shown.
    #[cfg(feature = "serve")]
    pub(crate) fn is_quiet(&self) -> bool {
        self.display == Display::Nowhere
    }

    /// Prints a message above any progress bar.
    pub(crate) fn tell(&self, text: fmt::Arguments<'_>) {
        let text = text.to_string();
        let text = printable(&text);
        match (self.display, self.stage.as_ref().and_then(|stage| stage.bar.as_ref())) {
            (Display::Nowhere | Display::Caller, _) => {}
            (_, Some(bar)) => bar.println(format!("eigentree: {text}")),
            // Errors in writing to standard error are ignored: there is nowhere left to report them.
            (_, None) => drop(writeln!(io::stderr(), "eigentree: {text}")),
        }
    }

    /// Ends the current stage.
    pub(crate) fn end_stage(&mut self) {
        let Some(stage) = self.stage.take() else { return };
        let seconds = stage.start.elapsed().as_secs_f64();
        if let Some(bar) = &stage.bar {
            bar.finish_and_clear();
        }
        let count = match (stage.counted(seconds), stage.unit) {
            (Some(counted), _) => format!(" {counted},"),
            (None, Unit::Items) if stage.done > 0 => format!(" {},", stage.done),
            _ => String::new(),
        };
        if seconds >= WORTH_TELLING {
            self.tell(format_args!("{}:{count} {seconds:.2} s", stage.name));
        }
        match self.finished.iter_mut().find(|(name, _)| *name == stage.name) {
            Some((_, sum)) => *sum += seconds,
            None => self.finished.push((stage.name, seconds)),
        }
    }

    /// Discards the current stage after a failure.
    pub(crate) fn abandon(&mut self) {
        if let Some(bar) = self.stage.take().and_then(|stage| stage.bar) {
            bar.finish_and_clear();
        }
    }

    /// The most memory that was expected before work, in bytes beyond what was in use then; 0 if nobody said.
    pub(crate) fn expected_memory(&self) -> u64 {
        self.expected
    }

    /// Durations of the finished stages, in seconds.
    pub(crate) fn stages(&self) -> &[(String, f64)] {
        &self.finished
    }
}

impl Reporter {
    fn begin(&mut self, name: &str, total: Option<u64>, unit: Unit) {
        self.end_stage();
        if let Some(caller) = &mut self.caller {
            match unit {
                Unit::Items => caller.stage(name, total),
                Unit::Bytes => caller.stage_of_bytes(name, total),
            }
        }
        let bar = (self.display == Display::Bars).then(|| bar(name, total, unit));
        let now = Instant::now();
        let name = name.to_owned();
        self.stage =
            Some(Stage { name, unit, total, done: 0, counted: None, start: now, last_line: now, bar });
    }
}

impl Observer for Reporter {
    fn stage(&mut self, name: &str, total: Option<u64>) {
        self.begin(name, total, Unit::Items);
    }

    fn stage_of_bytes(&mut self, name: &str, total: Option<u64>) {
        self.begin(name, total, Unit::Bytes);
    }

    fn count(&mut self, things: &str, number: u64) {
        if let Some(caller) = &mut self.caller {
            caller.count(things, number);
        }
        let Some(stage) = &mut self.stage else { return };
        let counted = stage.counted.get_or_insert_with(|| (things.to_owned(), 0));
        counted.1 += number;
        if let (Some(bar), Some(counted)) = (&stage.bar, stage.counted(stage.start.elapsed().as_secs_f64())) {
            bar.set_message(format!("{}: {counted}", stage.name));
        }
    }

    fn advance(&mut self, units: u64) {
        if let Some(caller) = &mut self.caller {
            caller.advance(units);
        }
        let Some(stage) = &mut self.stage else { return };
        stage.done += units;
        if let Some(bar) = &stage.bar {
            bar.inc(units);
        }
        if self.warning == Warning::Due
            && let Some(warning) = stage.warning()
        {
            self.warning = Warning::Given;
            self.tell(format_args!("{warning}"));
            return;
        }
        if self.display == Display::Lines && stage.last_line.elapsed() >= LINE_INTERVAL {
            stage.last_line = Instant::now();
            let told = format!("{}: {}", stage.name, stage.told());
            self.tell(format_args!("{told}"));
        }
    }

    fn note(&mut self, text: fmt::Arguments<'_>) {
        match &mut self.caller {
            Some(caller) => caller.note(text),
            None => self.tell(text),
        }
    }

    fn memory(&mut self, bytes: u64, less: &str) {
        // Parts of a job may each say the same; a user hears of the largest.
        if bytes <= self.expected {
            return;
        }
        self.expected = bytes;
        if let Some(caller) = &mut self.caller {
            caller.memory(bytes, less);
            return;
        }
        let in_use = resources::memory_in_use().unwrap_or(0);
        let allowed = self.limit.map(|MaxMemory(limit)| limit.saturating_sub(in_use));
        if let Some(shortage) = shortage(bytes, allowed, less) {
            self.tell(format_args!("{shortage}"));
        }
    }

    fn cancelled(&self) -> bool {
        match &self.caller {
            Some(caller) => caller.cancelled(),
            None => interrupt::requested(),
        }
    }
}

fn bar(name: &str, total: Option<u64>, unit: Unit) -> ProgressBar {
    let template = match (total, unit) {
        (Some(_), Unit::Items) => "{msg:<14} {bar:32} {human_pos}/{human_len} {elapsed} (left: {left})",
        (Some(_), Unit::Bytes) => {
            "{msg:<14} {bar:20} {decimal_bytes}/{decimal_total_bytes} {elapsed} (left: {left})"
        }
        (None, Unit::Items) => "{msg:<14} {spinner} {human_pos} {elapsed}",
        (None, Unit::Bytes) => "{msg:<14} {spinner} {decimal_bytes} {elapsed}",
    };
    let bar = total.map_or_else(ProgressBar::new_spinner, ProgressBar::new);
    // A template that does not parse affects only the looks.
    if let Ok(style) = ProgressStyle::with_template(template) {
        // From the rate so far. That of the last moments, which the usual key takes, told of no time and of ages on a busy machine.
        let left = |state: &ProgressState, text: &mut dyn fmt::Write| {
            let left = seconds_left(state.pos(), state.len().unwrap_or(0), state.elapsed().as_secs_f64());
            let _ = text.write_str(&left.map_or_else(|| "?".to_owned(), duration));
        };
        bar.set_style(style.with_key("left", left).progress_chars("━━╌"));
    }
    bar.set_message(name.to_owned());
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stage_of_bytes_tells_words_rate_bytes_and_time() {
        let start = Instant::now().checked_sub(Duration::from_secs(10)).expect("the clock runs");
        let mut stage = Stage {
            name: "annotate".to_owned(),
            unit: Unit::Bytes,
            total: Some(4_000_000),
            done: 1_000_000,
            counted: Some(("word".to_owned(), 200_000)),
            start,
            last_line: start,
            bar: None,
        };
        assert_eq!(seconds_left(0, 10, 5.0), None, "nobody knows yet");
        assert_eq!(seconds_left(2, 10, 5.0), Some(20.0));
        let told = stage.told();
        assert!(told.starts_with("200000 words, "), "{told}");
        assert!(told.contains(" words/s, 1.0 of 4.0 MB, about 30 s left"), "{told}");
        stage.total = None;
        assert!(stage.told().ends_with(", 1.0 MB so far"), "{}", stage.told());
        assert_eq!(stage.warning(), None);
        stage.total = Some(1_080_000_000);
        assert_eq!(stage.warning().as_deref(), Some("this will take about 3.0 h; Ctrl-C stops it"));
        stage.start = Instant::now();
        assert_eq!(stage.warning(), None, "too early to tell");
        assert_eq!(duration(7200.0), "2.0 h");
        assert_eq!(duration(300.0), "5 min");
    }
}

//! Progress on standard error: bars on a terminal, plain lines elsewhere, nothing with `--quiet`. A program that calls a
//! command listens itself. Also times the stages.

use std::fmt;
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use eigentree::learn::Observer;
use indicatif::{ProgressBar, ProgressStyle};

use crate::interrupt;

/// Minimum interval between two plain lines about the same stage.
const LINE_INTERVAL: Duration = Duration::from_secs(5);

/// Stages shorter than this many seconds are not reported.
const WORTH_TELLING: f64 = 0.1;

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
}

struct Stage {
    name: String,
    total: Option<u64>,
    done: u64,
    start: Instant,
    last_line: Instant,
    bar: Option<ProgressBar>,
}

impl Reporter {
    pub(crate) fn new(quiet: bool) -> Self {
        let display = match (quiet, io::stderr().is_terminal()) {
            (true, _) => Display::Nowhere,
            (false, true) => Display::Bars,
            (false, false) => Display::Lines,
        };
        Self { display, caller: None, stage: None, finished: Vec::new() }
    }

    /// Reports to the program that called the command, and shows nothing.
    pub(crate) fn to_caller(caller: Box<dyn Observer>) -> Self {
        Self { display: Display::Caller, caller: Some(caller), stage: None, finished: Vec::new() }
    }

    /// Whether nothing is shown.
    #[cfg(feature = "serve")]
    pub(crate) fn is_quiet(&self) -> bool {
        self.display == Display::Nowhere
    }

    /// Prints a message above any progress bar.
    pub(crate) fn tell(&self, text: fmt::Arguments<'_>) {
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
        let count = if stage.done > 0 { format!(" {},", stage.done) } else { String::new() };
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

    /// Durations of the finished stages, in seconds.
    pub(crate) fn stages(&self) -> &[(String, f64)] {
        &self.finished
    }
}

impl Observer for Reporter {
    fn stage(&mut self, name: &str, total: Option<u64>) {
        self.end_stage();
        if let Some(caller) = &mut self.caller {
            caller.stage(name, total);
        }
        let bar = (self.display == Display::Bars).then(|| bar(name, total));
        let now = Instant::now();
        self.stage = Some(Stage { name: name.to_owned(), total, done: 0, start: now, last_line: now, bar });
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
        if self.display == Display::Lines && stage.last_line.elapsed() >= LINE_INTERVAL {
            stage.last_line = Instant::now();
            let (name, done) = (stage.name.clone(), stage.done);
            let elapsed = stage.start.elapsed().as_secs_f64();
            match stage.total {
                Some(total) => {
                    // Estimate the remaining time from the progress so far.
                    let left = elapsed * total.saturating_sub(done) as f64 / done.max(1) as f64;
                    self.tell(format_args!("{name}: {done} of {total}, about {left:.0} s left"));
                }
                None => self.tell(format_args!("{name}: {done} so far")),
            }
        }
    }

    fn note(&mut self, text: fmt::Arguments<'_>) {
        match &mut self.caller {
            Some(caller) => caller.note(text),
            None => self.tell(text),
        }
    }

    fn cancelled(&self) -> bool {
        match &self.caller {
            Some(caller) => caller.cancelled(),
            None => interrupt::requested(),
        }
    }
}

fn bar(name: &str, total: Option<u64>) -> ProgressBar {
    let (bar, template) = match total {
        Some(total) => {
            (ProgressBar::new(total), "{msg:<14} {bar:32} {human_pos}/{human_len} {elapsed} (left: {eta})")
        }
        None => (ProgressBar::new_spinner(), "{msg:<14} {spinner} {human_pos} {elapsed}"),
    };
    // A template that does not parse affects only the looks.
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style.progress_chars("━━╌"));
    }
    bar.set_message(name.to_owned());
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

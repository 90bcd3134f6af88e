//! What all commands share: global options, progress, and the final summary.

use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use eigentree::corpus::error::SyntaxError;
use eigentree::files::{Output, STANDARD_STREAM};
use eigentree::learn::Observer;
use serde_json::{Map, Value, json};

use crate::args::Global;
use crate::progress::Reporter;
use crate::resources::{self, Clock, ProcessMeter};

/// Number of skipped places to print; the JSON summary has all of them.
const PLACES_SHOWN: usize = 3;

/// Where the summary goes, as one JSON object on the last line.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Summary {
    /// Standard output.
    Stdout,
    /// Standard error, since standard output has data.
    Stderr,
    File(PathBuf),
    Nowhere,
}

/// One run of the program.
pub(crate) struct Session {
    /// Random seed.
    pub(crate) seed: u64,
    /// Shows progress and times the stages.
    pub(crate) progress: Reporter,
    summary: Summary,
    fields: Map<String, Value>,
    /// Places in the input files that were skipped.
    skipped: Vec<String>,
    /// Measures what parts of the run cost.
    pub(crate) meter: ProcessMeter,
}

impl Session {
    /// Starts the thread pool and the clock.
    pub(crate) fn begin(global: &Global) -> anyhow::Result<Self> {
        let clock = Clock::start();
        // 0 means one thread per core.
        rayon::ThreadPoolBuilder::new()
            .num_threads(usize::from(global.threads))
            .build_global()
            .with_context(|| {
                format!("cannot start {} threads; give a smaller number with --threads", global.threads)
            })?;
        Ok(Self {
            seed: global.seed,
            progress: Reporter::new(global.quiet, global.max_memory),
            summary: match (&global.summary, global.json) {
                (Some(path), _) => Summary::File(path.clone()),
                (None, true) => Summary::Stdout,
                (None, false) => Summary::Nowhere,
            },
            fields: Map::new(),
            skipped: Vec::new(),
            meter: ProcessMeter { clock },
        })
    }

    /// Starts the clock of a command that another program calls. The caller chooses the threads.
    pub(crate) fn called(global: &Global, caller: Box<dyn Observer>) -> Self {
        Self {
            seed: global.seed,
            progress: Reporter::to_caller(caller),
            summary: Summary::Nowhere,
            fields: Map::new(),
            skipped: Vec::new(),
            meter: ProcessMeter { clock: Clock::start() },
        }
    }

    /// Notes where the data of this run go: a summary must not follow them on standard output.
    pub(crate) fn data_to(&mut self, output: &Path) {
        if output == Path::new(STANDARD_STREAM) && self.summary == Summary::Stdout {
            self.summary = Summary::Stderr;
        }
    }

    /// Prints a message on standard error, unless `--quiet` was given.
    pub(crate) fn tell(&self, text: fmt::Arguments<'_>) {
        self.progress.tell(text);
    }

    /// Whether `--quiet` was given.
    #[cfg(feature = "serve")]
    pub(crate) fn is_quiet(&self) -> bool {
        self.progress.is_quiet()
    }

    /// Adds a field to the summary.
    pub(crate) fn field(&mut self, name: &str, value: impl Into<Value>) {
        self.fields.insert(name.to_owned(), value.into());
    }

    /// Adds all fields of an object to the summary.
    pub(crate) fn fields(&mut self, object: Value) {
        if let Value::Object(fields) = object {
            self.fields.extend(fields);
        }
    }

    /// Reports what was skipped in one file, or in several files that were read together.
    pub(crate) fn skipped(&mut self, skipped: &[SyntaxError]) {
        if !skipped.is_empty() {
            self.progress.end_stage();
            self.tell(format_args!("skipped {}:", count(skipped.len(), "unreadable sentence")));
            for place in skipped.iter().take(PLACES_SHOWN) {
                self.tell(format_args!("  {place}"));
            }
            if skipped.len() > PLACES_SHOWN {
                let rest = skipped.len() - PLACES_SHOWN;
                self.tell(format_args!("  and {rest} more; --json lists them all"));
            }
        }
        self.skipped.extend(skipped.iter().map(ToString::to_string));
        let (number, places) = (self.skipped.len(), self.skipped.clone());
        self.field("skipped", json!({ "count": number, "places": places }));
    }

    /// Ends the run, and prints the summary if it was requested.
    pub(crate) fn finish(&mut self) -> anyhow::Result<()> {
        self.progress.end_stage();
        if self.summary == Summary::Nowhere {
            return Ok(());
        }
        let line = Value::Object(self.summary());
        let mut output = match &self.summary {
            Summary::File(path) => Output::create(path)?,
            Summary::Stderr => {
                // Nowhere is left to report an error in writing to standard error.
                let _ = writeln!(io::stderr(), "{line}");
                return Ok(());
            }
            Summary::Stdout | Summary::Nowhere => Output::stdout(),
        };
        writeln!(output, "{line}").map_err(|error| output.error(error))?;
        output.finish()?;
        Ok(())
    }

    /// Ends the run and returns its summary.
    pub(crate) fn summary(&mut self) -> Map<String, Value> {
        self.progress.end_stage();
        let usage = resources::usage();
        let stages: Map<String, Value> =
            self.progress.stages().iter().map(|(name, seconds)| (name.clone(), json!(seconds))).collect();
        self.fields(json!({
            "seconds": self.meter.clock.seconds(),
            "cpu_seconds": usage.cpu_seconds,
            "peak_rss_mb": usage.peak_rss_mb,
            "stages": stages,
        }));
        if let expected @ 1.. = self.progress.expected_memory() {
            self.field("expected_memory_mb", expected as f64 / 1e6);
        }
        std::mem::take(&mut self.fields)
    }

    /// Removes progress bars from the screen after a failure.
    pub(crate) fn abandon(&mut self) {
        self.progress.abandon();
    }
}

/// `1 sentence`, `2 sentences`.
pub(crate) fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

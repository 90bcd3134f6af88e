//! What all commands share: the global options, progress, and the summary at the end.

use std::fmt;
use std::io::Write;

use anyhow::Context;
use eigentree::corpus::error::SyntaxError;
use eigentree::files::Output;
use serde_json::{Map, Value, json};

use crate::args::Global;
use crate::progress::Reporter;
use crate::resources::{self, Clock, ProcessMeter};

/// How many places of bad input are shown; the summary has them all.
const PLACES_SHOWN: usize = 3;

/// Whether the last line on standard output is a JSON object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Summary {
    Json,
    None,
}

/// One run of the program.
pub(crate) struct Session {
    /// The seed of everything random.
    pub(crate) seed: u64,
    /// Shows progress and takes the times.
    pub(crate) progress: Reporter,
    summary: Summary,
    fields: Map<String, Value>,
    /// Places of the input that could not be read, of all files.
    skipped: Vec<String>,
    clock: Clock,
}

impl Session {
    /// Sets up the threads and the clock.
    pub(crate) fn begin(global: &Global) -> anyhow::Result<Self> {
        let clock = Clock::start();
        // 0 means one thread a core.
        rayon::ThreadPoolBuilder::new()
            .num_threads(usize::from(global.threads))
            .build_global()
            .with_context(|| {
                format!("cannot start {} threads; give a smaller number with --threads", global.threads)
            })?;
        Ok(Self {
            seed: global.seed,
            progress: Reporter::new(global.quiet),
            summary: if global.json { Summary::Json } else { Summary::None },
            fields: Map::new(),
            skipped: Vec::new(),
            clock,
        })
    }

    /// Measures what parts of the run cost.
    pub(crate) fn meter(&self) -> ProcessMeter {
        ProcessMeter { clock: self.clock }
    }

    /// Tells the user something on standard error, unless quiet.
    pub(crate) fn tell(&self, text: fmt::Arguments<'_>) {
        self.progress.tell(text);
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

    /// Reports what could not be read of one file, or of several that were read together.
    pub(crate) fn skipped(&mut self, skipped: &[SyntaxError]) {
        if !skipped.is_empty() {
            self.progress.end_stage();
            let told = if skipped.len() == 1 { "as it" } else { "as they" };
            self.tell(format_args!(
                "{} left out, {told} could not be read:",
                count(skipped.len(), "sentence")
            ));
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

    /// Ends the run, with the summary if it was asked for.
    pub(crate) fn finish(&mut self) -> anyhow::Result<()> {
        self.progress.end_stage();
        if self.summary == Summary::None {
            return Ok(());
        }
        let usage = resources::usage();
        let stages: Map<String, Value> =
            self.progress.stages().iter().map(|(name, seconds)| (name.clone(), json!(seconds))).collect();
        self.fields(json!({
            "seconds": self.clock.seconds(),
            "cpu_seconds": usage.cpu_seconds,
            "peak_rss_mb": usage.peak_rss_mb,
            "stages": stages,
        }));
        let mut output = Output::stdout();
        let line = Value::Object(std::mem::take(&mut self.fields));
        writeln!(output, "{line}").map_err(|error| output.error(error))?;
        output.finish()?;
        Ok(())
    }

    /// Clears the screen of progress, for a failure.
    pub(crate) fn abandon(&mut self) {
        self.progress.abandon();
    }
}

/// A figure for the summary: a count is a whole number there.
pub(crate) fn figure(value: f64) -> Value {
    // Above, not all whole numbers are told apart.
    const EXACT: f64 = 9e15;
    if value.fract() == 0.0 && value.abs() < EXACT { json!(value as i64) } else { json!(value) }
}

/// `1 sentence`, `2 sentences`.
pub(crate) fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

//! What stops a program before its end: Ctrl-C and the other signals that ask for it, and too much memory.
//!
//! The first signal asks the work to stop at the next step. If it has not stopped after a grace period, or at the
//! second signal, the program exits at once, as it does when it uses more memory than allowed. In each case unfinished files
//! are removed and finished ones are complete.
//!
//! A thread looks for both, many times per second. Handlers that may run only code that is safe in a signal set a flag for
//! it; the crate `ctrlc` does the same with a pipe and a thread, but links Apple's Foundation, without which wheels for macOS
//! could only be built on a Mac.

use std::io::{self, Write};
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context;
use eigentree::files;
use signal_hook::{consts, flag};

use crate::{failure, resources};

/// Exit code of an interrupted program: 128 + SIGINT.
pub(crate) const EXIT_CODE: u8 = 130;

/// The final message of an interrupted run.
pub(crate) const MESSAGE: &str = "eigentree: interrupted; unfinished files were removed";

/// Signals that ask a program to stop.
#[cfg(unix)]
const SIGNALS: [i32; 3] = [consts::SIGINT, consts::SIGTERM, consts::SIGHUP];
#[cfg(not(unix))]
const SIGNALS: [i32; 2] = [consts::SIGINT, consts::SIGTERM];

/// How often the thread looks.
const INTERVAL: Duration = Duration::from_millis(20);

/// Grace period in milliseconds. A step such as reading from a terminal may never end.
static GRACE_MILLIS: AtomicU64 = AtomicU64::new(2000);

/// Gives commands that finish their work before they stop, such as services, a longer grace period.
#[cfg(feature = "serve")]
pub(crate) fn set_grace(grace: Duration) {
    GRACE_MILLIS.store(grace.as_millis() as u64, Ordering::Relaxed);
}

static REQUESTED: AtomicBool = AtomicBool::new(false);

/// Whether the program was asked to stop.
pub(crate) fn requested() -> bool {
    REQUESTED.load(Ordering::Relaxed)
}

/// Most memory that the program may use, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct MaxMemory(pub(crate) u64);

/// Starts to look for signals, and at the memory in use if that is limited.
pub(crate) fn install(limit: Option<MaxMemory>) -> anyhow::Result<()> {
    if limit.is_some() && resources::memory_in_use().is_none() {
        anyhow::bail!(
            "--max-memory is not available on this system: it does not say how much memory is in use"
        );
    }
    let signalled = Arc::new(AtomicBool::new(false));
    for signal in SIGNALS {
        // Without its handler a signal still ends the program but may leave unfinished files. That is no reason to refuse work.
        let _ = flag::register(signal, Arc::clone(&signalled));
    }
    let thread = thread::Builder::new().name("interrupt".to_owned());
    thread.spawn(move || watch(&signalled, limit)).context("cannot start a thread")?;
    Ok(())
}

fn watch(signalled: &AtomicBool, limit: Option<MaxMemory>) {
    let mut asked: Option<Instant> = None;
    loop {
        thread::sleep(INTERVAL);
        let again = signalled.swap(false, Ordering::Relaxed);
        match asked {
            None if again => {
                REQUESTED.store(true, Ordering::Relaxed);
                asked = Some(Instant::now());
            }
            Some(since) if again || since.elapsed() >= grace() => end(MESSAGE, EXIT_CODE),
            _ => {}
        }
        if let Some(MaxMemory(limit)) = limit
            && resources::memory_in_use().is_some_and(|bytes| bytes > limit)
        {
            let allowed = limit as f64 / 1e6;
            let message = format!(
                "eigentree: error: this needs more than the {allowed:.0} MB that --max-memory allows; unfinished files \
                 were removed"
            );
            end(&message, 1);
        }
    }
}

fn grace() -> Duration {
    Duration::from_millis(GRACE_MILLIS.load(Ordering::Relaxed))
}

fn end(message: &str, code: u8) -> ! {
    let missing = failure::missing(&files::remove_unfinished());
    // Errors in writing to standard error are ignored: there is nowhere left to report them.
    let _ = writeln!(io::stderr(), "{message}");
    if let Some(line) = missing {
        let _ = writeln!(io::stderr(), "{line}");
    }
    process::exit(i32::from(code))
}

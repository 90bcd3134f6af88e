//! Ctrl-C and the other signals that ask a program to terminate.
//!
//! The first signal asks the work to stop at the next step. If it has not stopped after a grace period, or at the
//! second signal, the program exits at once. Either way unfinished files are removed and finished ones are complete.

use std::io::{self, Write};
use std::process;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use eigentree::files;

/// Exit code of an interrupted program: 128 + SIGINT.
pub(crate) const EXIT_CODE: u8 = 130;

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

/// Installs the signal handler.
pub(crate) fn install() {
    // Without a handler Ctrl-C still ends the program but may leave unfinished files. That is no reason to refuse work.
    let _ = ctrlc::set_handler(|| {
        if REQUESTED.swap(true, Ordering::Relaxed) {
            end();
        }
        thread::spawn(|| {
            thread::sleep(Duration::from_millis(GRACE_MILLIS.load(Ordering::Relaxed)));
            end();
        });
    });
}

/// The final message of an interrupted run.
pub(crate) const MESSAGE: &str = "eigentree: interrupted; unfinished files were removed";

fn end() -> ! {
    files::remove_unfinished();
    // Errors in writing to standard error are ignored: there is nowhere left to report them.
    let _ = writeln!(io::stderr(), "{MESSAGE}");
    process::exit(i32::from(EXIT_CODE))
}

//! Ctrl-C, and the signals by which a system asks a program to end.
//!
//! The first asks the work to stop, which it notices between two steps. If it has not stopped after a while, or at the second
//! request, the program ends at once. Either way unfinished files are removed, and finished ones are whole.

use std::io::{self, Write};
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use eigentree::files;

/// The code of programs that were interrupted: 128 + SIGINT.
pub(crate) const EXIT_CODE: u8 = 130;

/// How long the work has to notice. A step such as reading from a terminal may never end.
const GRACE: Duration = Duration::from_secs(2);

static REQUESTED: AtomicBool = AtomicBool::new(false);

/// Whether someone asked for an end.
pub(crate) fn requested() -> bool {
    REQUESTED.load(Ordering::Relaxed)
}

/// Begins to listen.
pub(crate) fn install() {
    // Without a handler Ctrl-C still ends the program; only unfinished files would stay. No reason to refuse work.
    let _ = ctrlc::set_handler(|| {
        if REQUESTED.swap(true, Ordering::Relaxed) {
            end();
        }
        thread::spawn(|| {
            thread::sleep(GRACE);
            end();
        });
    });
}

/// What is told at the end.
pub(crate) const MESSAGE: &str = "eigentree: interrupted; unfinished files were removed";

fn end() -> ! {
    files::remove_unfinished();
    // If standard error is gone there is nobody to tell.
    let _ = writeln!(io::stderr(), "{MESSAGE}");
    process::exit(i32::from(EXIT_CODE))
}

//! Panics that reach the edge of the program: memory that came to an end, and defects.
//!
//! The standard library ends the program when it gets no memory. The matrix library panics instead, and so does whoever starts a
//! thread that the system refuses. These are failures of the run and not of the program, and are told as such.

use std::any::Any;
use std::io::{self, Write};
use std::panic::{self, AssertUnwindSafe};
use std::process::{self, ExitCode};
use std::sync::atomic::{AtomicBool, Ordering};

use eigentree::files;

use crate::failure;

/// Exit code of a program in Rust that panicked.
const DEFECT: u8 = 101;

/// What panics say that mean: no memory (faer, dyn-stack), or no thread (the standard library, rayon), for which there is none either.
const EXHAUSTED: [&str; 4] = ["AllocError", "failed to spawn thread", "ThreadPoolBuildError", NO_STACK];

/// What the standard library says in a thread that cannot begin. It aborts the program then, or, where a backtrace is asked for and
/// memory ends within it, waits for ever for a lock that the same thread holds.
const NO_STACK: &str = "failed to allocate an alternative stack";

/// Exit code of a run that failed.
const FAILURE: u8 = 1;

const NO_MEMORY: &str = "eigentree: error: memory does not suffice, or the system allows no more threads";

const REPORT: &str = "eigentree: error: this is a defect of the program, whatever the input is; please report it with the lines \
                      above and the command";

/// Whether the lack of memory was told.
static TOLD: AtomicBool = AtomicBool::new(false);

/// Runs the program, and turns a panic into a message and an exit code.
pub(crate) fn guard(program: impl FnOnce() -> ExitCode) -> ExitCode {
    let usual = panic::take_hook();
    panic::set_hook(Box::new(move |panic| {
        let told = message(panic.payload());
        if !is_exhaustion(told) {
            usual(panic);
            return;
        }
        if !TOLD.swap(true, Ordering::Relaxed) {
            say(NO_MEMORY);
        }
        if told.contains(NO_STACK) {
            files::remove_unfinished();
            process::exit(i32::from(FAILURE));
        }
    }));
    // Nothing of what the panic left half done is looked at again.
    panic::catch_unwind(AssertUnwindSafe(program)).unwrap_or_else(|payload| {
        let missing = failure::missing(&files::remove_unfinished());
        let code = if is_exhaustion(message(&*payload)) {
            FAILURE
        } else {
            say(REPORT);
            DEFECT
        };
        if let Some(line) = missing {
            say(&line);
        }
        ExitCode::from(code)
    })
}

/// What a panic says.
fn message(payload: &(dyn Any + Send)) -> &str {
    let text = payload.downcast_ref::<&str>().copied();
    text.or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or_default()
}

fn is_exhaustion(told: &str) -> bool {
    EXHAUSTED.iter().any(|sign| told.contains(sign))
}

fn say(line: &str) {
    // Errors in writing to standard error are ignored: there is nowhere left to report them.
    let _ = writeln!(io::stderr(), "{line}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lack_of_memory_is_a_failure_and_the_rest_a_defect() {
        let code = |message: &'static str| guard(move || panic::panic_any(message.to_owned()));
        let same =
            |code: ExitCode, number: u8| format!("{code:?}") == format!("{:?}", ExitCode::from(number));
        let lack = "called `Result::unwrap()` on an `Err` value: AllocError { layout: Layout { size: 8 } }";
        assert!(same(code(lack), FAILURE));
        assert!(same(guard(|| panic!("failed to spawn thread: Os {{ code: 11 }}")), FAILURE));
        assert!(same(code("index out of bounds"), DEFECT));
        assert!(same(guard(|| ExitCode::from(7)), 7));
    }
}

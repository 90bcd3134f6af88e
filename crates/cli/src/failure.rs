//! Failures: messages and exit codes.

use std::fmt;
use std::io::{self, Write};
use std::process::ExitCode;

use eigentree::files::{self, Unfinished};
use eigentree::training::OptionError;

use crate::interrupt;
use crate::printable::printable;

/// Options that contradict each other or do not apply to the input.
#[derive(Debug)]
pub(crate) struct UsageError(pub(crate) String);

impl fmt::Display for UsageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for UsageError {}

impl From<OptionError> for UsageError {
    fn from(error: OptionError) -> Self {
        Self(format!("--{} {}", error.option(), error.reason()))
    }
}

/// Reasons for ending without success.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The options make no sense.
    Usage(anyhow::Error),
    /// The work failed.
    Job(anyhow::Error),
    /// The user or the system asked the program to stop.
    Interrupted,
    /// The reader of the output closed the pipe, as `head` does.
    ReaderGone,
}

impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Self {
        let facade = error.downcast_ref::<eigentree::Error>();
        if facade.is_some_and(eigentree::Error::is_cancelled) {
            return Failure::Interrupted;
        }
        let gone = facade.is_some_and(eigentree::Error::is_broken_pipe)
            || error.downcast_ref::<files::FileError>().is_some_and(files::FileError::is_broken_pipe)
            || error.chain().any(|cause| {
                cause
                    .downcast_ref::<io::Error>()
                    .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
            });
        if gone {
            Failure::ReaderGone
        } else if error.is::<UsageError>() {
            Failure::Usage(error)
        } else {
            Failure::Job(error)
        }
    }
}

impl Failure {
    /// Reports the failure on standard error and returns the exit code.
    pub(crate) fn report(self) -> ExitCode {
        // Leave no unfinished files behind, whatever happened.
        let missing = missing(&files::remove_unfinished());
        // Errors in writing to standard error are ignored: there is nowhere left to report them.
        let code = match self {
            Failure::ReaderGone => ExitCode::SUCCESS,
            Failure::Interrupted => {
                let _ = writeln!(io::stderr(), "{}", interrupt::MESSAGE);
                ExitCode::from(interrupt::EXIT_CODE)
            }
            Failure::Usage(error) => {
                let _ = writeln!(io::stderr(), "eigentree: error: {}", printable(&message(&error)));
                let _ = writeln!(io::stderr(), "For more information, try '--help'.");
                ExitCode::from(2)
            }
            Failure::Job(error) => {
                let _ = writeln!(io::stderr(), "eigentree: error: {}", printable(&message(&error)));
                if let Some(hint) = error.downcast_ref::<eigentree::Error>().and_then(hint) {
                    let _ = writeln!(io::stderr(), "eigentree: hint: {hint}");
                }
                ExitCode::from(1)
            }
        };
        if let Some(line) = missing {
            let _ = writeln!(io::stderr(), "{line}");
        }
        code
    }
}

/// Says which outputs are not there, if there were to be several.
pub(crate) fn missing(files: &Unfinished) -> Option<String> {
    let several = files.not_written.len() + files.written > 1;
    let names = files.not_written.join(", ");
    (several && !names.is_empty()).then(|| format!("eigentree: not written: {}", printable(&names)))
}

/// Suggests what to do about a sentence that cannot be read.
fn hint(error: &eigentree::Error) -> Option<&'static str> {
    if let eigentree::Error::Table(error) = error {
        let is_text = !error.as_syntax()?.expected.contains("UTF-8");
        return (!is_text).then_some(
            "convert text in another encoding first, for example with `iconv -f LATIN1 -t UTF-8`",
        );
    }
    Some(match error.syntax()? {
        _ if matches!(error, eigentree::Error::Count(_)) => {
            "convert text in another encoding first, for example with `iconv -f LATIN1 -t UTF-8`; --lossy replaces invalid \
             bytes"
        }
        syntax if syntax.expected.contains("UTF-8") => {
            "convert text in another encoding first, for example with `iconv -f LATIN1 -t UTF-8`; --skip-bad skips the \
             sentences that are not valid UTF-8"
        }
        _ => "--skip-bad skips what cannot be read and reports where it was",
    })
}

/// The error with its causes, omitting causes that the preceding message already contains. Errors of the library
/// include their causes themselves.
pub(crate) fn message(error: &anyhow::Error) -> String {
    let mut text = String::new();
    for cause in error.chain() {
        let told = cause.to_string();
        if !text.contains(&told) {
            if !text.is_empty() {
                text.push_str(": ");
            }
            text.push_str(&told);
        }
        if cause.is::<eigentree::Error>() || cause.is::<files::FileError>() {
            break;
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn causes_are_told_once() {
        let error =
            anyhow::Error::new(io::Error::other("disk on fire")).context("cannot write x: disk on fire");
        assert_eq!(message(&error), "cannot write x: disk on fire");
        let error = anyhow::Error::new(io::Error::other("disk on fire")).context("cannot write x");
        assert_eq!(message(&error), "cannot write x: disk on fire");
    }

    #[test]
    fn kinds_are_told_apart() {
        let of = |error: anyhow::Error| Failure::from(error);
        assert!(matches!(of(UsageError("x".to_owned()).into()), Failure::Usage(_)));
        assert!(matches!(of(eigentree::Error::Cancelled.into()), Failure::Interrupted));
        assert!(matches!(of(io::Error::from(io::ErrorKind::BrokenPipe).into()), Failure::ReaderGone));
        assert!(matches!(of(anyhow::anyhow!("x")), Failure::Job(_)));
    }
}

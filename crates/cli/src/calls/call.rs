//! One call of a command.

use std::ffi::OsStr;
use std::iter;

use clap::{CommandFactory, FromArgMatches};
use eigentree::files::FileError;
use eigentree::learn::{LearnError, Observer};
use serde_json::{Map, Value};

use crate::args::{Cli, collision};
use crate::commands;
use crate::failure::{UsageError, message};
use crate::session::Session;

/// Why a call failed.
#[derive(Debug)]
pub enum CallError {
    /// The options make no sense. The message names them as on the command line, such as `--em-steps`.
    Usage(String),
    /// The work failed.
    Job(eigentree::Error),
    /// The work failed, for a reason of the command itself.
    Other(String),
}

impl std::fmt::Display for CallError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            CallError::Usage(message) | CallError::Other(message) => f.write_str(message),
            CallError::Job(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for CallError {}

/// Runs a command, given by the arguments after the name of the program, and returns the summary that it prints with
/// `--json`. Runs on the rayon pool of the caller, whatever `--threads` says. A command writes to standard output if its
/// arguments name no output file.
pub fn call(arguments: &[&OsStr], observer: Box<dyn Observer>) -> Result<Map<String, Value>, CallError> {
    let line = iter::once(OsStr::new("eigentree")).chain(arguments.iter().copied());
    let usage = |error: clap::Error| CallError::Usage(first_paragraph(&error));
    let mut matches = Cli::command().try_get_matches_from(line).map_err(usage)?;
    if let Some(told) = collision(&matches) {
        return Err(CallError::Usage(told));
    }
    let cli = Cli::from_arg_matches_mut(&mut matches).map_err(usage)?;
    let mut session = Session::called(&cli.global, observer);
    commands::run(cli.command, &mut session)?;
    Ok(session.summary())
}

/// What is wrong, without the advice to ask for help.
fn first_paragraph(error: &clap::Error) -> String {
    let text = error.to_string();
    let text = text.strip_prefix("error: ").unwrap_or(&text);
    let lines = text.lines().map(str::trim).take_while(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join(" ")
}

impl From<anyhow::Error> for CallError {
    fn from(error: anyhow::Error) -> Self {
        let error = match error.downcast::<UsageError>() {
            Ok(UsageError(message)) => return CallError::Usage(message),
            Err(error) => error,
        };
        let error = match error.downcast::<FileError>() {
            Ok(error) => return CallError::Job(error.into()),
            Err(error) => error,
        };
        let error = match error.downcast::<LearnError>() {
            Ok(error) => return CallError::Job(error.into()),
            Err(error) => error,
        };
        match error.downcast::<eigentree::Error>() {
            Ok(error) => CallError::Job(error),
            Err(error) => CallError::Other(message(&error)),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::rc::Rc;

    use eigentree::learn::Silent;

    use super::*;

    fn called(arguments: &[&str], observer: Box<dyn Observer>) -> Result<Map<String, Value>, CallError> {
        call(&arguments.iter().map(OsStr::new).collect::<Vec<_>>(), observer)
    }

    #[test]
    fn wrong_options_are_told_without_the_help() {
        let error =
            called(&["train", "lpcfg", "x", "-o", "y", "--states", "999"], Box::new(Silent)).unwrap_err();
        assert_eq!(error.to_string(), "invalid value '999' for '--states <M>': 999 is not in 1..=256");
        let wrong = ["train", "lpcfg", "x", "-o", "y", "--learner", "pcfg", "--states", "3"];
        let error = called(&wrong, Box::new(Silent)).unwrap_err();
        assert!(matches!(&error, CallError::Usage(message) if message.starts_with("--states")), "{error}");
        let error =
            called(&["train", "pcfg", "no-such-file.ptb", "-o", "no-such-folder/y"], Box::new(Silent));
        assert!(matches!(error, Err(CallError::Job(eigentree::Error::File(_)))));
        let twice = called(&["cluster", "x", "-o", "y.txt", "--model", "./y.txt"], Box::new(Silent));
        assert!(matches!(twice, Err(CallError::Usage(told)) if told.contains("two outputs")));
    }

    #[test]
    fn the_caller_hears_the_stages_and_can_stop() {
        #[derive(Clone, Default)]
        struct Heard(Rc<RefCell<Vec<String>>>);
        impl Observer for Heard {
            fn stage(&mut self, name: &str, _: Option<u64>) {
                self.0.borrow_mut().push(name.to_owned());
            }
            fn cancelled(&self) -> bool {
                self.0.borrow().iter().any(|name| name == "count rules")
            }
        }
        let folder = tempfile::tempdir().unwrap();
        let trees = folder.path().join("a.ptb");
        std::fs::write(&trees, "(S (NP (NN time)) (VP (VBZ flies)))\n").unwrap();
        let model = folder.path().join("a.eig");
        let (trees, model) = (trees.to_str().unwrap(), model.to_str().unwrap());
        let heard = Heard::default();
        let ended = called(&["train", "pcfg", trees, "-o", model], Box::new(heard.clone()));
        let stages = heard.0.borrow();
        assert!(!stages.is_empty());
        assert!(matches!(ended, Err(CallError::Job(error)) if error.is_cancelled()), "{stages:?}");
        assert!(!std::path::Path::new(model).exists());
    }
}

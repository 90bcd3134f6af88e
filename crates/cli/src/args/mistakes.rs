//! Reads the arguments of the process; numbers that are none get a message that says what is due.

use std::error::Error as _;
use std::num::{IntErrorKind, ParseFloatError, ParseIntError};

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, CommandFactory, Error, FromArgMatches};

use super::Cli;
use super::collisions::collision;

/// The options and the command of the process.
pub(crate) fn parse() -> Result<Cli, Error> {
    let mut command = with_negative_numbers(Cli::command());
    let mut matches = match command.try_get_matches_from_mut(std::env::args_os()) {
        Ok(matches) => matches,
        Err(error) => return Err(explained(error, &mut command)),
    };
    if let Some(told) = collision(&matches) {
        return Err(Error::raw(ErrorKind::ArgumentConflict, told).format(&mut command));
    }
    Cli::from_arg_matches_mut(&mut matches).map_err(|error| explained(error, &mut command))
}

/// Takes `-1` after an option as its value: that it is out of range says more than that there is no option `-1`.
fn with_negative_numbers(command: Command) -> Command {
    command
        .mut_args(|arg| {
            if arg.get_long().is_some() && arg.get_action().takes_values() {
                arg.allow_negative_numbers(true)
            } else {
                arg
            }
        })
        .mut_subcommands(with_negative_numbers)
}

/// Commands that a build can leave out.
const OPTIONAL: [&str; 2] = ["compare", "serve"];

/// The error in words that say what is due, if it is about a number or about a command that this build leaves out.
fn explained(error: Error, command: &mut Command) -> Error {
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.clone()),
        _ => None,
    };
    let name = text(ContextKind::InvalidSubcommand);
    if let Some(name) = OPTIONAL.into_iter().find(|&optional| name.as_deref() == Some(optional)) {
        let told =
            format!("this build leaves out `{name}`; `cargo install --path crates/cli` builds all commands");
        return Error::raw(ErrorKind::InvalidSubcommand, told).format(command);
    }
    let (Some(option), Some(value), Some(source)) =
        (text(ContextKind::InvalidArg), text(ContextKind::InvalidValue), error.source())
    else {
        return error;
    };
    let integer = source.downcast_ref::<ParseIntError>().map(ParseIntError::kind);
    let reason = match (integer, source.is::<ParseFloatError>()) {
        (Some(IntErrorKind::Zero), _) => "it must be at least 1",
        (Some(_), _) | (None, true) if value.contains(',') => "one number is due here, not a list",
        (Some(_), _) if value.starts_with('-') => "it must not be negative",
        (Some(IntErrorKind::PosOverflow), _) => "it is too large",
        (Some(_), _) => "it must be a whole number",
        (None, true) => "it must be a number",
        (None, false) => return error,
    };
    let told = format!("invalid value '{value}' for '{option}': {reason}");
    Error::raw(ErrorKind::ValueValidation, told).format(command)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(line: &str) -> String {
        let mut command = with_negative_numbers(Cli::command());
        let error = command.try_get_matches_from_mut(line.split(' ')).unwrap_err();
        explained(error, &mut command).to_string()
    }

    #[test]
    fn a_command_that_a_build_leaves_out_is_known() {
        let mut build = Command::new("eigentree").subcommand(Command::new("demo"));
        for (name, told) in
            [("serve", "this build leaves out `serve`"), ("swerve", "unrecognized subcommand 'swerve'")]
        {
            let error = build.try_get_matches_from_mut(["eigentree", name]).unwrap_err();
            let text = explained(error, &mut build).to_string();
            assert!(text.contains(told), "{text}");
        }
    }

    #[test]
    fn wrong_numbers_are_told_in_words() {
        for (line, reason) in [
            ("eigentree demo --threads -1", "-1 is not in 0..=4096"),
            ("eigentree cluster a.txt --vocab 0", "it must be at least 1"),
            ("eigentree cluster a.txt --clusters 0", "0 is not in 1..=10000000"),
            ("eigentree cluster a.txt --clusters 10,20", "one number is due here, not a list"),
            ("eigentree cluster a.txt --clusters -3", "it must not be negative"),
            ("eigentree cluster a.txt --clusters ten", "it must be a whole number"),
            ("eigentree parse a.eig --max-words 99999999999999999999999", "it is too large"),
        ] {
            assert!(told(line).contains(reason), "{line}: {}", told(line));
        }
    }
}

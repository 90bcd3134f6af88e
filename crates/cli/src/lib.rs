//! The command line of Eigentree. It is a library so that it compiles in parallel with the crates it calls: a program
//! must wait until they are finished, a library only for their interfaces. `main.rs` is the program.
//!
//! `args` turns text into typed jobs, `commands` runs them through the facade crate, and `session` holds what all
//! commands share. [`calls`] runs commands for other programs, which thus have the same options with the same defaults.
//! Exit codes: 0 success, 1 the command failed, 2 wrong usage, 101 a defect of the program, 130 interrupted.

mod args;
pub mod calls;
mod commands;
mod failure;
mod interrupt;
mod panics;
mod printable;
mod progress;
mod resources;
mod session;

use std::io::{self, Write};
use std::process::ExitCode;

use failure::Failure;
use session::Session;

/// Runs the command given by the arguments of the process.
pub fn run() -> ExitCode {
    panics::guard(run_command)
}

fn run_command() -> ExitCode {
    let cli = match args::parse() {
        Ok(cli) => cli,
        Err(answer) => return told(&answer),
    };
    let begun = interrupt::install(cli.global.max_memory).and_then(|()| Session::begin(&cli.global));
    let mut session = match begun {
        Ok(session) => session,
        Err(error) => return Failure::from(error).report(),
    };
    match commands::run(cli.command, &mut session).and_then(|()| session.finish()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            session.abandon();
            Failure::from(error).report()
        }
    }
}

/// Prints what clap has to say instead of running a command: help and version, or what is wrong with the options.
fn told(answer: &clap::Error) -> ExitCode {
    let text = answer.render().to_string();
    let safe = printable::printable(&text);
    let printed = if safe == text {
        // What waits in the buffer would be written, and fail unseen, when the program ends.
        answer.print().and_then(|()| io::stdout().flush())
    } else {
        // Arguments with control characters. clap would write them as they are.
        io::stderr().write_all(safe.as_bytes())
    };
    match printed {
        // Code 2 for wrong usage, 0 for help and version.
        Ok(()) => u8::try_from(answer.exit_code()).map_or(ExitCode::FAILURE, ExitCode::from),
        Err(error) => {
            Failure::from(anyhow::Error::new(error).context("cannot write to standard output")).report()
        }
    }
}

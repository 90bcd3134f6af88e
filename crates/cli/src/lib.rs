//! The command line of Eigentree. It is a library so that it compiles in parallel with the crates it calls: a program
//! must wait until they are finished, a library only for their interfaces. `main.rs` is the program.
//!
//! `args` turns text into typed jobs, `commands` runs them through the facade crate, and `session` holds what all
//! commands share. [`calls`] runs commands for other programs, which thus have the same options with the same defaults.
//! Exit codes: 0 success, 1 the command failed, 2 wrong usage, 130 interrupted.

mod args;
pub mod calls;
mod commands;
mod failure;
mod interrupt;
mod printable;
mod progress;
mod resources;
mod session;

use std::process::ExitCode;

use failure::Failure;
use session::Session;

/// Runs the command given by the arguments of the process.
pub fn run() -> ExitCode {
    // Exits with code 2 on wrong usage, and with 0 for help and version.
    let cli = args::parse().unwrap_or_else(|error| error.exit());
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

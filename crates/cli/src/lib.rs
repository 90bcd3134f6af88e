//! The command line of Eigentree, as a library so that it compiles beside the crates it calls: a program must wait for all of
//! them to be finished, a library only for their interfaces. `main.rs` is the program.
//!
//! `args` turns text into typed jobs, `commands` runs them through the facade crate, `session` holds what all of them share.
//! Exit codes: 0 done, 1 the job failed, 2 wrong usage, 130 interrupted.

mod args;
mod commands;
mod failure;
mod interrupt;
mod progress;
mod resources;
mod session;

use std::process::ExitCode;

use clap::Parser;

use args::Cli;
use failure::Failure;
use session::Session;

/// Runs the command that the arguments of the process name.
pub fn run() -> ExitCode {
    // On wrong usage this exits with code 2, for help and version with 0.
    let cli = Cli::parse();
    interrupt::install();
    let mut session = match Session::begin(&cli.global) {
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

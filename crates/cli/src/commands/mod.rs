//! One file a command: open, call, write.

mod completions;
mod convert;
mod eval;

use crate::args::Command;
use crate::session::Session;

/// Runs a command.
pub(crate) fn run(command: Command, session: &mut Session) -> anyhow::Result<()> {
    match command {
        Command::Eval(args) => eval::run(args, session),
        Command::Convert(args) => convert::run(args, session),
        Command::Completions(args) => completions::run(&args),
    }
}

//! `reference`: every command and option as one Markdown page, read off the definitions that `--help` shows.

mod markdown;
mod page;

use std::io::Write;

use clap::CommandFactory;
use eigentree::files::Output;

use crate::args::Cli;

pub(super) fn run() -> anyhow::Result<()> {
    let mut program = Cli::command().disable_help_subcommand(true);
    // Usage lines and the options of every command are filled in here.
    program.build();
    let mut output = Output::stdout();
    output.write_all(page::render(&program).as_bytes()).map_err(|error| output.error(error))?;
    Ok(output.finish()?)
}

//! `completions`.

use std::io::Write;

use clap::CommandFactory;
use eigentree::files::Output;

use crate::args::{Cli, CompletionsArgs};

pub(super) fn run(args: &CompletionsArgs) -> anyhow::Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "eigentree", &mut script);
    let mut output = Output::stdout();
    output.write_all(&script).map_err(|error| output.error(error))?;
    Ok(output.finish()?)
}

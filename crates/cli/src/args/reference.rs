//! `reference`: no options of its own.

use clap::Args;

/// Write the reference of all commands as Markdown to standard output
///
/// `cargo xtask reference` keeps docs/reference/commands.md with it.
#[derive(Debug, Args)]
#[command(hide = true)]
pub(crate) struct ReferenceArgs {}

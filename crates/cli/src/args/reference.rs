//! Options of `reference`: none of its own.

use clap::Args;

/// Write a reference of all commands to standard output, as Markdown
///
/// `cargo xtask reference` keeps docs/reference/commands.md up to date with it.
#[derive(Debug, Args)]
#[command(hide = true)]
pub(crate) struct ReferenceArgs {}

//! Options of `man`.

use std::path::PathBuf;

use clap::Args;

/// Write the manual pages, one file per command
#[derive(Debug, Args)]
#[command(after_help = "\
EXAMPLES
  eigentree man --dir ~/.local/share/man/man1
  man eigentree-parse")]
pub(crate) struct ManArgs {
    /// Folder for the pages; created if missing
    #[arg(long, value_name = "DIR")]
    pub(crate) dir: PathBuf,
}

//! `man`: the folder for the manual pages.

use std::path::PathBuf;

use clap::Args;

/// Write the manual pages, one file per command
#[derive(Debug, Args)]
#[command(after_help = "\
EXAMPLES
  eigentree man --dir ~/.local/share/man/man1
  man eigentree-parse")]
pub(crate) struct ManArgs {
    /// Folder for the pages; it is created if it does not exist
    #[arg(long, value_name = "DIR")]
    pub(crate) dir: PathBuf,
}

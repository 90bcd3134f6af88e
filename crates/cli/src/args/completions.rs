//! Options of `completions`.

use clap::Args;
use clap_complete::Shell;

/// Write a shell completion script to standard output
#[derive(Debug, Args)]
#[command(after_help = "\
EXAMPLES
  eigentree completions bash > ~/.local/share/bash-completion/completions/eigentree
  eigentree completions zsh > ~/.zfunc/_eigentree
  eigentree completions fish > ~/.config/fish/completions/eigentree.fish")]
pub(crate) struct CompletionsArgs {
    /// The shell
    pub(crate) shell: Shell,
}

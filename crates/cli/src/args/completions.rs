//! `completions`: which shell.

use clap::Args;
use clap_complete::Shell;

/// Write the completions of a shell to standard output
#[derive(Debug, Args)]
#[command(after_help = "\
EXAMPLES
  eigentree completions bash > ~/.local/share/bash-completion/completions/eigentree
  eigentree completions zsh > ~/.zfunc/_eigentree
  eigentree completions fish > ~/.config/fish/completions/eigentree.fish")]
pub(crate) struct CompletionsArgs {
    /// Which shell
    pub(crate) shell: Shell,
}

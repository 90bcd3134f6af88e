//! `inspect`: options and what they mean.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;
use eigentree::reading::{BadItems, Format};

use super::formats::{ReadFormat, bad_items};

const TOP: usize = 15;

/// There are many states, and what matters of each is soon said.
const TOP_OF_STATES: usize = 6;

/// Show what is in a corpus or a model
///
/// Of a corpus: sizes, labels, lengths, unary chains, projectivity. Of a model: its family, its history, its sections; of a
/// grammar also the rules of a symbol and the words of a tag, and what its latent states stand for.
#[derive(Debug, Args)]
#[command(after_help = "\
EXAMPLES
  eigentree inspect train.ptb
  eigentree inspect dev.ptb --train train.ptb
  eigentree inspect dev.conllu --top 40
  eigentree inspect en.eig
  eigentree inspect en.eig --symbol NP --symbol VBZ
  eigentree inspect latent.eig --symbol NP --member 1 --top 10")]
pub(crate) struct InspectArgs {
    /// A corpus of any format, or a model
    file: PathBuf,
    /// The format of a corpus [default: detected]
    #[arg(long, value_enum, value_name = "FORMAT")]
    format: Option<ReadFormat>,
    /// A corpus to count unknown words against
    #[arg(long, value_name = "FILE")]
    train: Option<PathBuf>,
    /// Show the rules of a phrase, or the words of a tag, of a grammar, and its latent states if it has any
    #[arg(long, value_name = "LABEL")]
    symbol: Vec<String>,
    /// Show the latent states of this member of an ensemble [default: 1]
    #[arg(long, value_name = "N")]
    member: Option<NonZeroUsize>,
    /// Length of the lists [default: 15, and 6 for latent states]
    #[arg(long, value_name = "N")]
    top: Option<usize>,
    /// Go on after sentences that cannot be read, and report them
    #[arg(long)]
    skip_bad: bool,
}

/// What is to be done.
pub(crate) struct InspectJob {
    pub(crate) file: PathBuf,
    pub(crate) format: Option<Format>,
    pub(crate) train: Option<PathBuf>,
    pub(crate) symbols: Vec<String>,
    /// Numbered from 1, if one was chosen.
    pub(crate) member: Option<NonZeroUsize>,
    pub(crate) top: usize,
    /// For each latent state.
    pub(crate) top_of_states: usize,
    pub(crate) bad_items: BadItems,
}

impl InspectArgs {
    pub(crate) fn build(self) -> InspectJob {
        InspectJob {
            file: self.file,
            format: self.format.map(Format::from),
            train: self.train,
            symbols: self.symbol,
            member: self.member,
            top: self.top.unwrap_or(TOP),
            top_of_states: self.top.unwrap_or(TOP_OF_STATES),
            bad_items: bad_items(self.skip_bad),
        }
    }
}

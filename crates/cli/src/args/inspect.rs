//! `inspect`: options and what they mean.

use std::path::PathBuf;

use clap::Args;
use eigentree::reading::{BadItems, Format};

use super::formats::{ReadFormat, bad_items};

/// Show what is in a corpus or a model
///
/// Of a corpus: sizes, labels, lengths, unary chains, projectivity. Of a model: its family, its history, its sections; of a
/// grammar also the rules of a symbol and the words of a tag.
#[derive(Debug, Args)]
#[command(after_help = "\
EXAMPLES
  eigentree inspect train.ptb
  eigentree inspect dev.ptb --train train.ptb
  eigentree inspect dev.conllu --top 40
  eigentree inspect en.eig
  eigentree inspect en.eig --symbol NP --symbol VBZ")]
pub(crate) struct InspectArgs {
    /// A corpus of any format, or a model
    file: PathBuf,
    /// The format of a corpus [default: detected]
    #[arg(long, value_enum, value_name = "FORMAT")]
    format: Option<ReadFormat>,
    /// A corpus to count unknown words against
    #[arg(long, value_name = "FILE")]
    train: Option<PathBuf>,
    /// Show the rules of a phrase, or the words of a tag, of a grammar
    #[arg(long, value_name = "LABEL")]
    symbol: Vec<String>,
    /// Length of the lists
    #[arg(long, value_name = "N", default_value_t = 15)]
    top: usize,
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
    pub(crate) top: usize,
    pub(crate) bad_items: BadItems,
}

impl InspectArgs {
    pub(crate) fn build(self) -> InspectJob {
        InspectJob {
            file: self.file,
            format: self.format.map(Format::from),
            train: self.train,
            symbols: self.symbol,
            top: self.top,
            bad_items: bad_items(self.skip_bad),
        }
    }
}

//! `train`: options and what they mean, one file a family; `data` and `grammar` are what families share.

mod data;
mod grammar;
mod lpcfg;
mod pcfg;
mod sequence;

use clap::{Args, Subcommand};

pub(super) use data::StripArg;
pub(crate) use data::TrainData;
pub(super) use grammar::GrammarArgs;
pub(crate) use lpcfg::{Learning, TrainLpcfgArgs};
pub(super) use lpcfg::{MAX_STATES, SmoothingArg};
pub(crate) use pcfg::TrainPcfgArgs;
pub(crate) use sequence::{SequenceKind, TrainSequenceArgs};

/// Learn a model from data
#[derive(Debug, Args)]
#[command(after_help = "\
EXAMPLES
  eigentree train lpcfg train.ptb --dev dev.ptb -o en.eig
  eigentree train pcfg train.ptb --dev dev.ptb -o en.eig
  eigentree train automaton sequences.txt -o sequences.eig
  eigentree train lpcfg --help")]
pub(crate) struct TrainArgs {
    #[command(subcommand)]
    pub(crate) family: TrainFamily,
}

/// The families of models.
#[derive(Debug, Subcommand)]
pub(crate) enum TrainFamily {
    Lpcfg(Box<TrainLpcfgArgs>),
    Pcfg(Box<TrainPcfgArgs>),
    Automaton(Box<TrainSequenceArgs>),
    /// Learn a hidden Markov model of sequences in its fully reduced form
    Hmm(Box<TrainSequenceArgs>),
}

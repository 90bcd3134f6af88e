//! `train`: options and what they mean, one file a family; `data` and `grammar` are what families share.

mod data;
mod grammar;
mod lpcfg;
mod mst;
mod pcfg;
mod shag;

use clap::{Args, Subcommand};

pub(super) use data::StripArg;
pub(crate) use data::TrainData;
pub(super) use grammar::GrammarArgs;
pub(crate) use lpcfg::{Learning, TrainLpcfgArgs};
pub(super) use lpcfg::{MAX_STATES, SmoothingArg};
pub(crate) use mst::TrainMstArgs;
pub(crate) use pcfg::TrainPcfgArgs;
pub(in crate::args) use shag::AlphabetArg;
pub(crate) use shag::{TrainShagArgs, WeightChoice};

/// Learn a model from data
#[derive(Debug, Args)]
#[command(after_help = "\
EXAMPLES
  eigentree train lpcfg train.ptb --dev dev.ptb -o en.eig
  eigentree train pcfg train.ptb --dev dev.ptb -o en.eig
  eigentree train mst train.conllu --dev dev.conllu -o en.eig
  eigentree train shag train.conllu --dev dev.conllu -o en.eig
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
    Mst(Box<TrainMstArgs>),
    Shag(Box<TrainShagArgs>),
}

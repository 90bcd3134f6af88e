//! Options of `train`, one file per family. `data`, `treebank` and `grammar` hold options that families share.

mod data;
mod deptree;
mod grammar;
mod head_automata;
mod lpcfg;
mod mst;
mod ner;
mod numbers;
mod pcfg;
mod pipeline;
mod reranker;
mod sequence;
mod tagger;
mod treebank;

use clap::{Args, Subcommand};

#[cfg(feature = "compare")]
pub(super) use data::StripArg;
pub(crate) use data::TrainData;
pub(crate) use deptree::TrainDeptreeArgs;
#[cfg(feature = "compare")]
pub(super) use grammar::GrammarArgs;
#[cfg(feature = "compare")]
pub(in crate::args) use head_automata::AlphabetArg;
pub(crate) use head_automata::TrainHeadAutomataArgs;
pub(crate) use lpcfg::{GrammarJob, LpcfgFiles, TrainLpcfgArgs};
#[cfg(feature = "compare")]
pub(super) use lpcfg::{MAX_STATES, SmoothingArg};
pub(super) use mst::QualityArg;
pub(crate) use mst::{ClassesFile, MstFiles, TrainMstArgs};
pub(crate) use ner::TrainNerArgs;
pub(crate) use pcfg::TrainPcfgArgs;
pub(crate) use pipeline::TrainPipelineArgs;
pub(crate) use reranker::TrainRerankerArgs;
#[cfg(feature = "compare")]
pub(super) use reranker::WeightsArg;
pub(crate) use sequence::{SequenceKind, TrainSequenceArgs};
pub(crate) use tagger::{LabelJob, LabelSource, TrainTaggerArgs};
#[cfg(feature = "compare")]
pub(super) use tagger::{ObjectiveArg, columns};

pub(crate) use treebank::TreebankData;

/// Train a model
#[derive(Debug, Args)]
#[command(after_help = "\
EXAMPLES
  eigentree train lpcfg train.ptb --dev dev.ptb -o en.eig
  eigentree train pcfg train.ptb --dev dev.ptb -o en.eig
  eigentree train mst train.conllu --dev dev.conllu -o en.eig
  eigentree train tagger train.conllu --dev dev.conllu -o tagger.eig
  eigentree train head-automata train.conllu --dev dev.conllu -o en.eig
  eigentree train automaton sequences.txt -o sequences.eig
  eigentree train lpcfg --help")]
pub(crate) struct TrainArgs {
    #[command(subcommand)]
    pub(crate) family: TrainFamily,
}

/// The model families.
#[derive(Debug, Subcommand)]
pub(crate) enum TrainFamily {
    Lpcfg(Box<TrainLpcfgArgs>),
    Pcfg(Box<TrainPcfgArgs>),
    Mst(Box<TrainMstArgs>),
    Deptree(Box<TrainDeptreeArgs>),
    Reranker(Box<TrainRerankerArgs>),
    Tagger(Box<TrainTaggerArgs>),
    Ner(Box<TrainNerArgs>),
    Pipeline(Box<TrainPipelineArgs>),
    #[command(visible_alias = "shag")]
    HeadAutomata(Box<TrainHeadAutomataArgs>),
    Automaton(Box<TrainSequenceArgs>),
    /// Train a hidden Markov model of sequences in its fully reduced form
    Hmm(Box<TrainSequenceArgs>),
}

//! From command-line text to typed jobs, in two steps: clap parses the text into structures that mirror the options,
//! and each structure builds the configuration of the library or reports a usage error.

mod check;
mod cli;
mod cluster;
mod collisions;
#[cfg(feature = "compare")]
mod compare;
mod completions;
mod convert;
mod count;
mod demo;
mod eval;
mod formats;
mod heads;
mod inputs;
mod inspect;
mod man;
mod mistakes;
mod numbers;
mod overwrite;
mod parse;
mod predict;
mod reference;
mod rerank;
mod sample;
mod score;
mod select;
#[cfg(feature = "serve")]
mod serve;
mod spectrum;
mod tag;
mod train;
mod trials;

pub(crate) use check::{CheckArgs, CheckStyle, Strictness};
pub(crate) use cli::{Cli, Command, Global};
pub(crate) use cluster::ClusterArgs;
pub(crate) use collisions::collision;
#[cfg(feature = "compare")]
pub(crate) use compare::{CompareArgs, ReportArgs};
pub(crate) use completions::CompletionsArgs;
pub(crate) use convert::ConvertArgs;
pub(crate) use count::{CountArgs, MergeArgs};
pub(crate) use demo::DemoArgs;
pub(crate) use eval::{ErrorTables, ErrorsJob, EvalArgs, EvalJob, ReportStyle};
pub(crate) use inspect::{InspectArgs, InspectJob, Layout, ShowTheory, Verify};
pub(crate) use man::ManArgs;
pub(crate) use mistakes::parse;
pub(crate) use parse::{InputKnown, ParseArgs, ParseJob, Wanted, no_tags_in_words};
pub(crate) use predict::PredictArgs;
pub(crate) use reference::ReferenceArgs;
pub(crate) use rerank::RerankArgs;
pub(crate) use sample::{MAX_WORDS, SampleArgs, SampleJob, SampleWhat};
pub(crate) use score::ScoreArgs;
pub(crate) use select::{SelectArgs, SelectJob};
#[cfg(feature = "serve")]
pub(crate) use serve::{LogFormat, ServeArgs, ServeJob};
pub(crate) use tag::{TagArgs, TagJob};
pub(crate) use train::{
    ClassesFile, GrammarJob, LabelJob, LabelSource, LpcfgFiles, MstFiles, SequenceKind, TrainArgs, TrainData,
    TrainDeptreeArgs, TrainFamily, TrainHeadAutomataArgs, TrainLpcfgArgs, TrainMstArgs, TrainNerArgs,
    TrainPcfgArgs, TrainPipelineArgs, TrainRerankerArgs, TrainSequenceArgs, TrainTaggerArgs, TreebankData,
};
pub(crate) use trials::{CrossvalArgs, CurveArgs, TrialFiles};

//! From text to typed jobs, in two steps: clap reads the text into structures that mirror the options, and each of those
//! builds the configuration of the facade, or refuses.

mod cli;
mod cluster;
mod compare;
mod completions;
mod convert;
mod count;
mod demo;
mod eval;
mod formats;
mod heads;
mod inspect;
mod overwrite;
mod parse;
mod sample;
mod score;
mod train;

pub(crate) use cli::{Cli, Command, Global};
pub(crate) use cluster::{ClusterArgs, PictureFormat, VectorFormat};
pub(crate) use compare::{
    CompareArgs, CompareClustersArgs, CompareDependencyArgs, CompareFamily, CompareLpcfgArgs,
    CompareLpcfgJob, CompareShagArgs, ReportArgs,
};
pub(crate) use completions::CompletionsArgs;
pub(crate) use convert::ConvertArgs;
pub(crate) use count::{CountArgs, MergeArgs};
pub(crate) use demo::DemoArgs;
pub(crate) use eval::{EvalArgs, EvalJob, ReportStyle};
pub(crate) use inspect::{InspectArgs, InspectJob};
pub(crate) use parse::{InputKnown, ParseArgs, ParseJob, Wanted};
pub(crate) use sample::{MAX_WORDS, SampleArgs, SampleJob, SampleWhat};
pub(crate) use score::ScoreArgs;
pub(crate) use train::{
    Learning, TrainArgs, TrainData, TrainFamily, TrainLpcfgArgs, TrainMstArgs, TrainPcfgArgs, TrainShagArgs,
    WeightChoice,
};

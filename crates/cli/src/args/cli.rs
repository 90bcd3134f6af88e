//! The command line as a whole: the options shared by all commands, and the commands.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use super::{
    CheckArgs, ClusterArgs, CompletionsArgs, ConvertArgs, CountArgs, CrossvalArgs, CurveArgs, DemoArgs,
    EvalArgs, InspectArgs, ManArgs, MergeArgs, ParseArgs, PredictArgs, ReferenceArgs, RerankArgs, SampleArgs,
    ScoreArgs, SelectArgs, TagArgs, TrainArgs,
};
use crate::args::numbers::max_memory;
use crate::interrupt::MaxMemory;

/// Learn latent-variable models of language by spectral methods: train parsers on treebanks, parse text, score the
/// output
///
/// Input files may be compressed with gzip or zstd. `-` means standard input or standard output.
#[derive(Debug, Parser)]
#[command(name = "eigentree", version, arg_required_else_help = true, after_help = EXAMPLES)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXAMPLES: &str = "\
EXAMPLES
  eigentree demo
  eigentree train pcfg train.ptb --dev dev.ptb -o en.eig
  eigentree parse en.eig dev.ptb -o parsed.ptb
  eigentree eval dev.ptb parsed.ptb
  echo 'The dog barks .' | eigentree parse en.eig --format drawing

Every command has its own help with examples: eigentree parse --help

Exit codes: 0 success, 1 the command failed, 2 wrong usage.";

/// Options shared by all commands.
#[derive(Debug, Args)]
pub(crate) struct Global {
    /// Number of threads; 0 means one per core [default: 0]
    #[arg(
        long,
        global = true,
        value_name = "N",
        default_value = "0",
        hide_default_value = true,
        value_parser = clap::value_parser!(u16).range(0..=4096),
        help_heading = "General"
    )]
    pub(crate) threads: u16,
    /// Random seed; the same seed always gives the same result
    #[arg(long, global = true, value_name = "N", default_value_t = 1, help_heading = "General")]
    pub(crate) seed: u64,
    /// Print errors only, no progress and no notes
    #[arg(long, short, global = true, help_heading = "General")]
    pub(crate) quiet: bool,
    /// Print a summary as one JSON object on the last line of standard output, or of standard error if standard output
    /// has the data
    #[arg(long, global = true, help_heading = "General")]
    pub(crate) json: bool,
    /// Write that summary to a file
    #[arg(long, global = true, value_name = "FILE", help_heading = "General")]
    pub(crate) summary: Option<PathBuf>,
    /// End with an error if more memory is needed than this, such as 4G; mapped models are not counted
    #[arg(long, global = true, value_name = "SIZE", value_parser = max_memory, help_heading = "General")]
    pub(crate) max_memory: Option<MaxMemory>,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Demo(DemoArgs),
    Train(TrainArgs),
    Parse(ParseArgs),
    Tag(TagArgs),
    Eval(EvalArgs),
    Check(CheckArgs),
    Select(SelectArgs),
    Curve(CurveArgs),
    Crossval(CrossvalArgs),
    #[cfg(feature = "compare")]
    Compare(super::CompareArgs),
    Convert(ConvertArgs),
    Cluster(Box<ClusterArgs>),
    Count(CountArgs),
    Merge(MergeArgs),
    Rerank(RerankArgs),
    Score(ScoreArgs),
    Predict(PredictArgs),
    Sample(SampleArgs),
    Inspect(InspectArgs),
    #[cfg(feature = "serve")]
    Serve(Box<super::ServeArgs>),
    Completions(CompletionsArgs),
    Man(ManArgs),
    Reference(ReferenceArgs),
}

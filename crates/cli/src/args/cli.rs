//! The whole command line: options of every command, and the commands.

use clap::{Args, Parser, Subcommand};

use super::{
    ClusterArgs, CompareArgs, CompletionsArgs, ConvertArgs, CountArgs, DemoArgs, EvalArgs, InspectArgs,
    ManArgs, MergeArgs, ParseArgs, PredictArgs, ReferenceArgs, RerankArgs, SampleArgs, ScoreArgs, TagArgs,
    TrainArgs,
};

/// Learns latent-variable models of language by spectral methods: train parsers on treebanks, parse, and score.
///
/// Files may be packed with gzip or zstd; `-` is standard input or output.
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

Each command explains itself with examples: eigentree parse --help

Exit codes: 0 done, 1 the job failed, 2 wrong usage.";

/// Options of every command.
#[derive(Debug, Args)]
pub(crate) struct Global {
    /// How many threads work [0: one for each core]
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
    /// The seed of everything random: the same seed gives the same result
    #[arg(long, global = true, value_name = "N", default_value_t = 1, help_heading = "General")]
    pub(crate) seed: u64,
    /// Show no progress and no notes; errors only
    #[arg(long, short, global = true, help_heading = "General")]
    pub(crate) quiet: bool,
    /// Print a summary as one JSON object, the last line on standard output
    #[arg(long, global = true, help_heading = "General")]
    pub(crate) json: bool,
}

/// What can be done.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Demo(DemoArgs),
    Train(TrainArgs),
    Parse(ParseArgs),
    Tag(TagArgs),
    Eval(EvalArgs),
    Compare(CompareArgs),
    Convert(ConvertArgs),
    Cluster(Box<ClusterArgs>),
    Count(CountArgs),
    Merge(MergeArgs),
    Rerank(RerankArgs),
    Score(ScoreArgs),
    Predict(PredictArgs),
    Sample(SampleArgs),
    Inspect(InspectArgs),
    Completions(CompletionsArgs),
    Man(ManArgs),
    Reference(ReferenceArgs),
}

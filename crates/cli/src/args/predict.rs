//! Options of `predict`.

use std::path::PathBuf;

use clap::Args;
use eigentree::sequences::SequenceFormat;

use super::formats::sequence_formats;
use super::overwrite::refuse_overwriting;
use crate::failure::UsageError;

/// Rank the possible next symbols after prefixes of sequences
///
/// Writes one line per prefix: the most probable next symbols with their probabilities, best first. `-1` is the end of
/// the sequence.
#[derive(Debug, Args)]
#[command(after_help = "\
EXAMPLES
  eigentree train automaton train.txt -o text.eig
  echo 'the old' | eigentree predict text.eig -
  A problem of the SPiCe competition, with its score:
    eigentree train automaton 4.spice.train.gz -o 4.eig
    eigentree predict 4.eig 4.spice.prefix.public.gz --targets 4.spice.target.public.gz -o ranked.txt")]
pub(crate) struct PredictArgs {
    /// Model written by `train automaton` or `train hmm`
    pub(crate) model: PathBuf,
    /// Prefixes; `-` is standard input
    #[arg(default_value = "-")]
    pub(crate) prefixes: PathBuf,
    /// Number of symbols to list
    #[arg(long, short, value_name = "K", default_value_t = 5)]
    pub(crate) k: usize,
    /// Output file for the rankings
    #[arg(long, short, value_name = "FILE", default_value = "-")]
    pub(crate) output: PathBuf,
    /// Format of the prefixes
    #[arg(long, value_parser = sequence_formats(), value_name = "FORMAT", default_value = "detect")]
    pub(crate) input: SequenceFormat,
    /// Targets of each prefix in SPiCe format; reports the normalised discounted cumulative gain over five symbols
    #[arg(long, value_name = "FILE")]
    pub(crate) targets: Option<PathBuf>,
}

impl PredictArgs {
    pub(crate) fn check(&self) -> Result<(), UsageError> {
        let inputs = [&self.model, &self.prefixes].into_iter().chain(&self.targets);
        refuse_overwriting(&self.output, inputs.map(PathBuf::as_path))
    }
}

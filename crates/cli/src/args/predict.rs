//! `predict`: options and what they mean.

use std::path::PathBuf;

use clap::Args;

use super::overwrite::refuse_overwriting;
use super::sequences::SequenceInput;
use crate::failure::UsageError;

/// Rank the next symbols after prefixes of sequences
///
/// Writes a line for each prefix: the most probable next symbols with their probabilities, best first; `-1` is the end of the
/// sequence.
#[derive(Debug, Args)]
#[command(after_help = "\
EXAMPLES
  eigentree train automaton train.txt -o text.eig
  echo 'the old' | eigentree predict text.eig -
  A problem of the competition SPiCe, with its score:
    eigentree train automaton 4.spice.train.gz -o 4.eig
    eigentree predict 4.eig 4.spice.prefix.public.gz --targets 4.spice.target.public.gz -o ranked.txt")]
pub(crate) struct PredictArgs {
    /// A model that `train automaton` or `train hmm` saved
    pub(crate) model: PathBuf,
    /// Prefixes; `-` is standard input
    #[arg(default_value = "-")]
    pub(crate) prefixes: PathBuf,
    /// How many symbols are told
    #[arg(long, short, value_name = "K", default_value_t = 5)]
    pub(crate) k: usize,
    /// Where the rankings go
    #[arg(long, short, value_name = "FILE", default_value = "-")]
    pub(crate) output: PathBuf,
    /// How prefixes are written
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "detect")]
    pub(crate) input: SequenceInput,
    /// What may follow each prefix, as SPiCe gives it: tells the normalised discounted cumulative gain of five symbols
    #[arg(long, value_name = "FILE")]
    pub(crate) targets: Option<PathBuf>,
}

impl PredictArgs {
    pub(crate) fn check(&self) -> Result<(), UsageError> {
        let inputs = [&self.model, &self.prefixes].into_iter().chain(&self.targets);
        refuse_overwriting(&self.output, inputs.map(PathBuf::as_path))
    }
}

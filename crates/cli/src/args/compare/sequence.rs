//! Options of `compare sequence`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;
use compare::sequence::{Config, SequenceExperiment};
use eigentree::models::sequence::SequenceConfig;
use eigentree::sequences::SequenceFormat;

use super::super::formats::sequence_formats;
use super::super::overwrite::refuse_overwriting;
use super::command::CompareJob;
use super::report::ReportArgs;
use crate::failure::UsageError;

/// Compare sequence learners: held-out perplexity and time by number of states
///
/// Compares n-grams, spectral automata, and automata learnt by EM at several numbers of steps, as in Figures 1 and
/// 2 of Luque et al. (2012).
#[derive(Debug, Args)]
#[command(after_help = "\
EXAMPLES
  eigentree compare sequence train.txt
  eigentree compare sequence train.txt --held-out test.txt --ranks 2,4,8 --em-steps 5,20")]
pub(super) struct CompareSequenceArgs {
    /// Sequences: one per line with tokens separated by spaces, or a PAutomaC or SPiCe file
    #[arg(value_name = "SEQUENCES")]
    data: PathBuf,
    /// Held-out sequences to score [default: a tenth of the input, which is not used for learning]
    #[arg(long, value_name = "SEQUENCES")]
    held_out: Option<PathBuf>,
    /// Format of the sequences
    #[arg(long, value_parser = sequence_formats(), value_name = "FORMAT", default_value = "detect")]
    input: SequenceFormat,
    #[command(flatten)]
    report: ReportArgs,
    /// Numbers of states, separated by commas
    #[arg(
        long,
        value_name = "N,…",
        value_delimiter = ',',
        default_value = "1,2,4,8,16,32",
        help_heading = "Comparison"
    )]
    ranks: Vec<NonZeroUsize>,
    /// EM steps after which to score, separated by commas
    #[arg(
        long,
        alias = "iterations",
        value_name = "N,…",
        value_delimiter = ',',
        default_value = "10,50",
        help_heading = "Comparison"
    )]
    em_steps: Vec<NonZeroUsize>,
}

impl CompareSequenceArgs {
    pub(super) fn build(self, seed: u64) -> Result<CompareJob, UsageError> {
        let inputs = [&self.data].into_iter().chain(&self.held_out);
        refuse_overwriting(&self.report.output, inputs.map(PathBuf::as_path))?;
        let numbers = |list: Vec<NonZeroUsize>| list.into_iter().map(NonZeroUsize::get).collect();
        let config = Config {
            ranks: numbers(self.ranks),
            em_steps: numbers(self.em_steps),
            learning: SequenceConfig { seed, ..SequenceConfig::default() },
        };
        let format = self.input;
        let experiment = SequenceExperiment { data: self.data, held_out: self.held_out, format, config };
        Ok(CompareJob::new(self.report, experiment))
    }
}

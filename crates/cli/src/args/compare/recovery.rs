//! Options of `compare recovery`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;
use compare::recovery::{Config, RecoveryExperiment};

use super::command::CompareJob;
use super::report::ReportArgs;

/// Compare learners by how well they recover a known grammar with latent states
///
/// Draws samples of growing size from the grammar and measures how far the probabilities of new trees are from the true
/// ones: for the spectral learner without smoothing, and for EM with several starts. The spectral learner is consistent
/// (Cohen et al. 2012, theorem 3); EM finds local optima.
#[derive(Debug, Args)]
#[command(after_help = "\
EXAMPLES
  eigentree compare recovery english --sizes 300,1000 --restarts 2 --em-steps 20
  eigentree compare recovery mine.grammar --states 2 --plots plots --format markdown -o recovery.md")]
pub(super) struct CompareRecoveryArgs {
    /// `english`, or a file with a grammar (see `sample --show-grammar`)
    grammar: PathBuf,
    #[command(flatten)]
    report: ReportArgs,
    /// Sizes of the samples in trees, separated by commas
    #[arg(
        long,
        value_name = "N,…",
        value_delimiter = ',',
        default_value = "300,1000,3000,10000,30000",
        help_heading = "Comparison"
    )]
    sizes: Vec<NonZeroUsize>,
    /// Number of samples of each size
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..=100), help_heading = "Comparison")]
    repeats: u16,
    /// Number of hidden states per symbol
    #[arg(long, value_name = "M", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=64), help_heading = "Comparison")]
    states: u16,
    /// Number of random starts of EM
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..=100), help_heading = "Comparison")]
    restarts: u16,
    /// Number of EM steps
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u16).range(1..=10_000), help_heading = "Comparison")]
    em_steps: u16,
}

impl CompareRecoveryArgs {
    pub(super) fn build(self, seed: u64) -> CompareJob {
        let config = Config {
            sizes: self.sizes.into_iter().map(NonZeroUsize::get).collect(),
            repeats: usize::from(self.repeats),
            states: usize::from(self.states),
            restarts: usize::from(self.restarts),
            em_steps: usize::from(self.em_steps),
            seed,
            ..Config::default()
        };
        CompareJob::new(self.report, RecoveryExperiment { grammar: self.grammar, config })
    }
}

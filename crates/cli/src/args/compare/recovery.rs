//! Options of `compare recovery`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;
use compare::recovery::{Config, RecoveryExperiment};
use eigentree::sampling::CYCLE;

use super::command::CompareJob;
use super::report::ReportArgs;

/// Compare learners by how well they recover a known grammar with latent states
///
/// Draws samples of growing size from the grammar and measures how far the probabilities of new trees are from the true
/// ones: for the spectral learner and for EM with several starts, both without smoothing. The spectral learner is
/// consistent (Cohen et al. 2012, theorem 3) if it has the hidden states of the grammar; EM finds local optima.
#[derive(Debug, Args)]
#[command(after_help = "\
EXAMPLES
  eigentree compare recovery --sizes 300,1000,3000 --restarts 3 --em-steps 100
  eigentree compare recovery mine.grammar --plots plots --format markdown -o recovery.md
  Fewer states than the grammar has: the error stops falling
    eigentree compare recovery cycle --states 4 --sizes 300,3000 --restarts 1 --em-steps 20")]
pub(super) struct CompareRecoveryArgs {
    /// `cycle`, `english`, or a file with a grammar (see `sample --show-grammar`)
    #[arg(default_value = CYCLE)]
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
    /// Number of hidden states per symbol [default: those of the grammar, at most 16]
    #[arg(long, value_name = "M", value_parser = clap::value_parser!(u16).range(1..=64), help_heading = "Comparison")]
    states: Option<u16>,
    /// Number of random starts of EM
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..=100), help_heading = "Comparison")]
    restarts: u16,
    /// Number of EM steps
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = clap::value_parser!(u16).range(1..=10_000), help_heading = "Comparison")]
    em_steps: u16,
    /// Draw sentences with more words again. The sample then no longer follows the grammar: the default is no limit in practice
    #[arg(long, value_name = "WORDS", default_value_t = Config::default().max_words, help_heading = "Comparison")]
    max_words: usize,
}

impl CompareRecoveryArgs {
    pub(super) fn build(self, seed: u64) -> CompareJob {
        let config = Config {
            sizes: self.sizes.into_iter().map(NonZeroUsize::get).collect(),
            repeats: usize::from(self.repeats),
            states: self.states.map(usize::from),
            restarts: usize::from(self.restarts),
            em_steps: usize::from(self.em_steps),
            max_words: self.max_words,
            seed,
            ..Config::default()
        };
        CompareJob::new(self.report, RecoveryExperiment { grammar: self.grammar, config })
    }
}

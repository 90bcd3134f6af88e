//! Options of `compare select`.

use std::path::PathBuf;

use clap::Args;
use compare::Folder;
use compare::select::{Config, SelectExperiment};

use super::command::CompareJob;
use super::folders::PartArg;
use super::report::ReportArgs;

/// Simulate active learning on dependency treebanks, against random choice
///
/// A treebank is a folder with train, dev and test files in CoNLL-U, plain or compressed. The simulation begins with a
/// few random sentences and buys annotation round by round, chosen as `select` does or at random. It reports the
/// accuracy for the same number of annotated words, and the share of annotation that choosing saves.
#[derive(Debug, Args)]
#[command(after_help = "\
EXAMPLES
  eigentree compare select treebanks/wo_wtb treebanks/mt_mudt --plots plots
  eigentree compare select treebanks/te_mtg --first-words 500 --rounds 4 --repeats 5")]
pub(super) struct CompareSelectArgs {
    /// Treebank folders
    #[arg(required = true, value_name = "TREEBANK")]
    folders: Vec<PathBuf>,
    /// The part to score on
    #[arg(long, value_enum, value_name = "PART", default_value = "dev", help_heading = "Comparison")]
    on: PartArg,
    /// Words of the first, random sentences
    #[arg(long, value_name = "WORDS", default_value_t = Config::default().first, help_heading = "Comparison")]
    first_words: usize,
    /// Factor by which the annotated words grow in each round
    #[arg(long, value_name = "FACTOR", default_value_t = Config::default().growth, help_heading = "Comparison")]
    growth: f64,
    /// Number of rounds
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u16).range(2..=50),
        help_heading = "Comparison")]
    rounds: u16,
    /// Number of repeats with other first sentences
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..=100),
        help_heading = "Comparison")]
    repeats: u16,
    #[command(flatten)]
    report: ReportArgs,
}

impl CompareSelectArgs {
    pub(super) fn build(self, seed: u64) -> anyhow::Result<CompareJob> {
        if self.growth.is_nan() || self.growth <= 1.0 {
            return Err(crate::failure::UsageError(
                "--growth must be a number above 1, such as 1.5".to_owned(),
            )
            .into());
        }
        let find = |folder: &PathBuf| Folder::find(folder, self.on.part(), &Folder::TREEBANKS);
        let treebanks = self.folders.iter().map(find).collect::<Result<Vec<_>, _>>()?;
        let config = Config {
            first: self.first_words.max(1),
            growth: self.growth,
            rounds: usize::from(self.rounds),
            repeats: usize::from(self.repeats),
            seed,
            ..Config::default()
        };
        Ok(CompareJob::new(self.report, SelectExperiment { treebanks, config }))
    }
}

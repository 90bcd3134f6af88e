//! Options of `compare dependency`.

use clap::Args;
use compare::dependency::{DependencyExperiment, Setup};
use eigentree::models::mst::{MstConfig, Order, Quality, Structure};

use super::command::CompareJob;
use super::folders::{FolderArgs, OrderArg};
use super::report::ReportArgs;

/// Compare treatments of crossing arcs on dependency treebanks: accuracy and time
///
/// A treebank is a folder with train, dev and test files in CoNLL-U, plain or compressed. For each treebank the command
/// trains a projective, a pseudo-projective and a non-projective parser. One table relates their accuracy to the share
/// of sentences with crossing arcs.
#[derive(Debug, Args)]
#[command(after_help = "\
EXAMPLES
  eigentree compare dependency treebanks/en_ewt treebanks/nl_lassysmall
  eigentree compare dependency treebanks/en_ewt --on test --format markdown -o table.md")]
pub(super) struct CompareDependencyArgs {
    #[command(flatten)]
    folders: FolderArgs,
    #[command(flatten)]
    report: ReportArgs,
}

impl CompareDependencyArgs {
    pub(super) fn build(self, seed: u64) -> anyhow::Result<CompareJob> {
        let experiment = DependencyExperiment { setups: self.setups(seed), treebanks: self.folders.find()? };
        Ok(CompareJob::new(self.report, experiment))
    }

    /// The parsers to compare.
    fn setups(&self, seed: u64) -> Vec<Setup> {
        let orders = self.folders.parsers.or([OrderArg::First, OrderArg::Second]);
        let mut setups = Vec::new();
        let mut add = |quality: Quality, structures: &[Structure]| {
            let config = MstConfig { seed, ..MstConfig::quality(quality) };
            setups.extend(structures.iter().map(|&structure| Setup::new(&config, structure)));
        };
        debug_assert_eq!(MstConfig::quality(Quality::Fast).order, Order::First);
        let all = [Structure::Projective, Structure::PseudoProjective, Structure::NonProjective];
        if orders.contains(&OrderArg::First) {
            add(Quality::Fast, &all);
        }
        if orders.contains(&OrderArg::Second) {
            add(Quality::Balanced, &all);
        }
        if orders.contains(&OrderArg::Siblings) {
            let config = MstConfig { seed, order: Order::Siblings, ..MstConfig::quality(Quality::Balanced) };
            setups.extend(all.iter().map(|&structure| Setup::new(&config, structure)));
        }
        setups
    }
}

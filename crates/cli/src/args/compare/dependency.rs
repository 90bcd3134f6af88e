//! Options of `compare dependency`.

use clap::Args;
use eigentree::comparison::dependency::Setup;
use eigentree::models::mst::{MstConfig, Order, Quality, Structure};

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
pub(crate) struct CompareDependencyArgs {
    #[command(flatten)]
    pub(crate) folders: FolderArgs,
    #[command(flatten)]
    pub(crate) report: ReportArgs,
}

impl CompareDependencyArgs {
    /// The parsers to compare.
    pub(crate) fn setups(&self, seed: u64) -> Vec<Setup> {
        let mut setups = Vec::new();
        let mut add = |quality: Quality, structures: &[Structure]| {
            let config = MstConfig { seed, ..MstConfig::quality(quality) };
            setups.extend(structures.iter().map(|&structure| Setup::new(&config, structure)));
        };
        debug_assert_eq!(MstConfig::quality(Quality::Fast).order, Order::First);
        let all = [Structure::Projective, Structure::PseudoProjective, Structure::NonProjective];
        if self.folders.orders.contains(&OrderArg::First) {
            add(Quality::Fast, &all);
        }
        if self.folders.orders.contains(&OrderArg::Second) {
            add(Quality::Balanced, &all);
        }
        setups
    }
}

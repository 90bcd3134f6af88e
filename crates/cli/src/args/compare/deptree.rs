//! Options of `compare deptree`.

use clap::Args;
use eigentree::comparison::deptree::RerankingPlan;
use eigentree::models::mst::Order;

use super::folders::{FolderArgs, OrderArg};
use super::report::ReportArgs;

/// Compare ways of choosing among the n-best trees of a dependency parser
///
/// Reproduces Table 1 of Dhillon et al. (2012) on your own treebanks, given as folders with train, dev and test files
/// in CoNLL-U. It compares first- and second-order parsers alone, re-ranked by parser scores and tag triples, and
/// re-ranked with spectral or EM latent trees as well.
#[derive(Debug, Args)]
#[command(after_help = "\
EXAMPLES
  eigentree compare deptree treebanks/en_ewt
  eigentree compare deptree treebanks/en_ewt treebanks/fr_sequoia --orders first -o table.txt")]
pub(crate) struct CompareDeptreeArgs {
    #[command(flatten)]
    pub(crate) folders: FolderArgs,
    #[command(flatten)]
    pub(crate) report: ReportArgs,
    /// Number of trees per list
    #[arg(long, value_name = "K", default_value_t = 50, value_parser = clap::value_parser!(u16).range(2..=1000), help_heading = "Comparison")]
    nbest: u16,
    /// Number of hidden states
    #[arg(long, value_name = "K", default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=200), help_heading = "Comparison")]
    states: u16,
}

impl CompareDeptreeArgs {
    /// The comparison to run.
    pub(crate) fn plan(&self, seed: u64) -> RerankingPlan {
        let mut plan = RerankingPlan::new(seed);
        plan.parsers.retain(|parser| {
            let order = match parser.order {
                Order::First => OrderArg::First,
                Order::Second => OrderArg::Second,
            };
            self.folders.orders.contains(&order)
        });
        plan.trees = usize::from(self.nbest);
        plan.latent.dimension = usize::from(self.states);
        plan.em.states = usize::from(self.states);
        plan
    }
}

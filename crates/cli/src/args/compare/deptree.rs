//! `compare deptree`: options and what they mean.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use eigentree::comparison::deptree::RerankingPlan;
use eigentree::models::mst::Order;

use super::PartArg;
use super::report::ReportArgs;

/// Compare ways of choosing among the best trees of a dependency parser
///
/// Reruns Table 1 of Dhillon et al. (2012) on one's own treebanks, folders with train, dev and test in CoNLL-U: parsers of first and second order alone, re-ranked by their scores and
/// triples of tags, and by latent trees besides, spectral ones and such of EM.
#[derive(Debug, Args)]
#[command(after_help = "\
EXAMPLES
  eigentree compare deptree treebanks/en_ewt
  eigentree compare deptree treebanks/en_ewt treebanks/fr_sequoia --orders first -o table.txt")]
pub(crate) struct CompareDeptreeArgs {
    /// Folders of treebanks
    #[arg(required = true, value_name = "TREEBANK")]
    pub(crate) folders: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) report: ReportArgs,
    /// The part that is parsed
    #[arg(long, value_enum, value_name = "PART", default_value = "dev", help_heading = "Comparison")]
    pub(crate) on: PartArg,
    /// Orders of the parsers, between commas
    #[arg(
        long,
        value_enum,
        value_name = "ORDERS",
        value_delimiter = ',',
        default_value = "first,second",
        help_heading = "Comparison"
    )]
    orders: Vec<ParserOrderArg>,
    /// How many trees lists have
    #[arg(long, value_name = "K", default_value_t = 50, value_parser = clap::value_parser!(u16).range(2..=1000), help_heading = "Comparison")]
    nbest: u16,
    /// How many hidden states
    #[arg(long, value_name = "K", default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=200), help_heading = "Comparison")]
    states: u16,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum ParserOrderArg {
    /// Arcs one by one
    First,
    /// Arcs with their neighbours
    Second,
}

impl CompareDeptreeArgs {
    /// What is compared.
    pub(crate) fn plan(&self, seed: u64) -> RerankingPlan {
        let mut plan = RerankingPlan::new(seed);
        plan.parsers.retain(|parser| {
            let order = match parser.order {
                Order::First => ParserOrderArg::First,
                Order::Second => ParserOrderArg::Second,
            };
            self.orders.contains(&order)
        });
        plan.trees = usize::from(self.nbest);
        plan.latent.dimension = usize::from(self.states);
        plan.em.states = usize::from(self.states);
        plan
    }
}

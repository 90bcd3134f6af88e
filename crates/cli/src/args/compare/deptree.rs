//! Options of `compare deptree`.

use std::path::PathBuf;

use clap::Args;
use compare::deptree::{Config, DeptreeExperiment};
use compare::{FolderParts, Part};
use eigentree::Error;
use eigentree::models::deptree::{DeptreeConfig, StateChoice};
use eigentree::models::mst::Order;
use eigentree::models::reranker::RerankMethod;
use eigentree::training::Preset;

use super::command::CompareJob;
use super::folders::{OrderArg, ParserOrders, PartArg};
use super::report::ReportArgs;
use crate::args::train::WeightsArg;

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
pub(super) struct CompareDeptreeArgs {
    /// Treebank folders
    #[arg(required = true, value_name = "TREEBANK")]
    folders: Vec<PathBuf>,
    /// The parts to parse and score, separated by commas
    #[arg(
        long,
        value_enum,
        value_name = "PART",
        value_delimiter = ',',
        default_value = "dev",
        help_heading = "Comparison"
    )]
    on: Vec<PartArg>,
    #[command(flatten)]
    parsers: ParserOrders,
    #[command(flatten)]
    report: ReportArgs,
    /// Number of networks of the parsers; the paper's have none
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=16), help_heading = "Comparison")]
    networks: u16,
    /// Number of trees per list
    #[arg(long, value_name = "K", default_value_t = 50, value_parser = clap::value_parser!(u16).range(2..=1000), help_heading = "Comparison")]
    nbest: u16,
    /// Number of hidden states
    #[arg(long, value_name = "K", default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=200), help_heading = "Comparison")]
    states: u16,
    /// Exactly --states hidden states; otherwise held-out trees may choose fewer
    #[arg(long, help_heading = "Comparison")]
    exact_states: bool,
    /// Number of hidden states of both kinds of EM [default: --states, and 60 from the spectral start]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u16).range(1..=200), help_heading = "Comparison")]
    em_states: Option<u16>,
    /// Learner of the weights of the re-ranker
    #[arg(
        long,
        value_enum,
        value_name = "METHOD",
        default_value = "log-linear",
        help_heading = "Comparison"
    )]
    weights: WeightsArg,
    /// Only the spectral learner and the re-ranker of Dhillon et al. (2012), and their table with the paper's numbers beside
    /// ours
    #[arg(long, conflicts_with_all = ["exact_states", "em_states", "weights"], help_heading = "Comparison")]
    paper: bool,
}

impl CompareDeptreeArgs {
    pub(super) fn build(self, seed: u64) -> anyhow::Result<CompareJob> {
        let experiment = DeptreeExperiment { config: self.config(seed), treebanks: self.treebanks()? };
        Ok(CompareJob::new(self.report, experiment))
    }

    fn treebanks(&self) -> Result<Vec<FolderParts>, Error> {
        let parts: Vec<Part> = self.on.iter().map(|part| part.part()).collect();
        self.folders.iter().map(|folder| FolderParts::find(folder, &parts)).collect()
    }

    fn config(&self, seed: u64) -> Config {
        let mut config = Config::new(seed, usize::from(self.networks));
        config.parsers.retain(|parser| {
            let order = match parser.order {
                Order::First => OrderArg::First,
                Order::Second => OrderArg::Second,
            };
            self.parsers.orders.contains(&order)
        });
        config.trees = usize::from(self.nbest);
        config.latent.dimension = usize::from(self.states);
        config.em.states = usize::from(self.states);
        if self.paper {
            config.latent = DeptreeConfig { dimension: usize::from(self.states), ..DeptreeConfig::paper() };
            config.reranker.method = RerankMethod::Perceptron;
            config.preset = Preset::Paper;
        }
        if self.exact_states {
            config.latent.states = StateChoice::Exactly;
        }
        if let Some(states) = self.em_states {
            (config.em.states, config.spectral_em.states) = (usize::from(states), usize::from(states));
        }
        if self.weights == WeightsArg::Perceptron {
            config.reranker.method = RerankMethod::Perceptron;
        }
        config
    }
}

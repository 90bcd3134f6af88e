//! Options of `compare deptree`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use compare::deptree::{Config, DeptreeExperiment, Punctuation, Tags};
use compare::{FolderParts, Part};
use eigentree::Error;
use eigentree::models::deptree::{DeptreeConfig, Neighbours, StateChoice};
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
    /// Vectors of words for the spectral learner, such as those that `cluster --vectors` writes for a larger text
    #[arg(long, value_name = "FILE", help_heading = "Comparison")]
    vectors: Option<PathBuf>,
    /// Punctuation of the treebanks [default: keep; remove with --paper]
    #[arg(long, value_enum, value_name = "WHAT", help_heading = "Comparison")]
    punctuation: Option<PunctuationArg>,
    /// Whose tags parsers and re-rankers see [default: given; jackknifed with --paper]
    #[arg(long, value_enum, value_name = "TAGS", help_heading = "Comparison")]
    tags: Option<TagsArg>,
    /// Only the spectral learner and the re-ranker of Dhillon et al. (2012), and their table with the paper's numbers beside
    /// ours
    #[arg(long, conflicts_with_all = ["exact_states", "em_states", "weights"], help_heading = "Comparison")]
    paper: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum PunctuationArg {
    /// Words like others
    Keep,
    /// Taken out of all trees first
    Remove,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum TagsArg {
    /// Those of the treebank
    Given,
    /// Those of a tagger; in the training trees, of ten taggers each learnt from the other parts
    Jackknifed,
}

impl CompareDeptreeArgs {
    pub(super) fn build(mut self, seed: u64) -> anyhow::Result<CompareJob> {
        let vectors = self.vectors.take();
        let experiment = DeptreeExperiment {
            config: self.config(seed, vectors.is_some()),
            treebanks: self.treebanks()?,
            vectors,
        };
        Ok(CompareJob::new(self.report, experiment))
    }

    fn treebanks(&self) -> Result<Vec<FolderParts>, Error> {
        let parts: Vec<Part> = self.on.iter().map(|part| part.part()).collect();
        self.folders.iter().map(|folder| FolderParts::find(folder, &parts)).collect()
    }

    fn config(&self, seed: u64, vectors: bool) -> Config {
        let orders = match self.paper {
            true => self.parsers.or([OrderArg::First, OrderArg::Siblings]),
            false => self.parsers.or([OrderArg::First, OrderArg::Second]),
        };
        let all = [
            (OrderArg::First, Order::First),
            (OrderArg::Siblings, Order::Siblings),
            (OrderArg::Second, Order::Second),
        ];
        let asked = all.iter().filter(|(order, _)| orders.contains(order)).map(|&(_, order)| order);
        let mut config = Config::new(asked, seed, usize::from(self.networks));
        config.trees = usize::from(self.nbest);
        config.latent.dimension = usize::from(self.states);
        config.em.states = usize::from(self.states);
        if self.paper {
            let neighbours = Neighbours::Sentences;
            config.latent =
                DeptreeConfig { dimension: usize::from(self.states), neighbours, ..DeptreeConfig::paper() };
            config.reranker.method = RerankMethod::Perceptron;
            config.preset = Preset::Paper;
        }
        if vectors {
            config.latent.neighbours = Neighbours::Given;
        }
        config.punctuation = match (self.punctuation, self.paper) {
            (Some(PunctuationArg::Keep), _) | (None, false) => Punctuation::Keep,
            (Some(PunctuationArg::Remove), _) | (None, true) => Punctuation::Remove,
        };
        config.tags = match (self.tags, self.paper) {
            (Some(TagsArg::Given), _) | (None, false) => Tags::Given,
            (Some(TagsArg::Jackknifed), _) | (None, true) => Tags::Jackknifed,
        };
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

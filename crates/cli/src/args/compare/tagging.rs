//! Options of `compare tagging`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;
use compare::tagging::{Config, TaggingExperiment};
use compare::{FolderParts, Part};
use eigentree::models::clusters::{Context, Method};
use eigentree::models::tagger::Objective;
use eigentree::training::Preset;

use super::super::overwrite::refuse_overwriting;
use super::super::spectrum::kappa;
use super::super::train::{ObjectiveArg, columns};
use super::clusterings::{ClusteringArgs, without_repetition};
use super::command::CompareJob;
use super::folders::PartArg;
use super::report::ReportArgs;

/// Compare word clusters by what they add to taggers: tag accuracy, entity F1, and the gain with its interval
///
/// Reproduces Table 1 of Stratos et al. (2014) on your own data. A corpus is a folder with train, dev and test files,
/// in CoNLL-U for tags or in two columns (.bio) for entities. The command trains taggers without clusters, and with the
/// clusters of each method, vocabulary size, context, κ and number of clusters.
#[derive(Debug, Args)]
#[command(after_help = "\
EXAMPLES
  eigentree compare tagging treebanks/en_ewt ner/wnut17 --text news.txt
  F1 by the number of clusters and by κ, with the paper's numbers beside ours:
    eigentree compare tagging ner/wnut17 --text news.txt --paper --clusters 200,1000 --kappa 50,200
  eigentree compare tagging ner/wnut17 --text news.txt.zst --vocab 10000,50000 --contexts lr1,lr2 --format markdown -o table.md")]
pub(super) struct CompareTaggingArgs {
    /// Corpus folders
    #[arg(required = true, value_name = "CORPUS")]
    corpora: Vec<PathBuf>,
    /// Texts to learn the clusters from, plain or compressed; may be repeated
    #[arg(long, required = true, value_name = "TEXT")]
    text: Vec<PathBuf>,
    #[command(flatten)]
    report: ReportArgs,

    /// The part to score
    #[arg(long, value_enum, value_name = "PART", default_value = "dev", help_heading = "Comparison")]
    on: PartArg,
    /// CoNLL-U columns to learn, separated by commas
    #[arg(
        long,
        value_name = "COLUMNS",
        value_delimiter = ',',
        default_value = "upos,xpos",
        help_heading = "Comparison"
    )]
    columns: Vec<String>,
    #[command(flatten)]
    clusterings: ClusteringArgs,
    /// Contexts of the spectral methods, separated by commas
    #[arg(
        long,
        value_name = "CONTEXTS",
        value_delimiter = ',',
        default_value = "lr2",
        help_heading = "Comparison"
    )]
    contexts: Vec<Context>,
    /// Pseudo-counts of the spectral methods, separated by commas; every combination with --contexts is compared [default:
    /// 200]
    #[arg(long, value_name = "KAPPA,…", value_delimiter = ',', value_parser = kappa, help_heading = "Comparison")]
    kappa: Vec<f64>,
    /// Numbers of clusters, separated by commas
    #[arg(
        long,
        value_name = "M,…",
        value_delimiter = ',',
        default_value = "1000",
        help_heading = "Comparison"
    )]
    clusters: Vec<NonZeroUsize>,
    /// Training objective of the taggers [default: likelihood; greedy with --paper]
    #[arg(long, value_enum, value_name = "OBJECTIVE", help_heading = "Comparison")]
    objective: Option<ObjectiveArg>,
    /// Exactly the clusters of Stratos et al. (2014) beside Brown's, the greedy perceptron, and their tables with the paper's
    /// numbers beside ours
    #[arg(long, conflicts_with = "methods", help_heading = "Comparison")]
    paper: bool,
}

impl CompareTaggingArgs {
    pub(super) fn build(self, seed: u64) -> anyhow::Result<CompareJob> {
        refuse_overwriting(&self.report.output, self.text.iter().map(PathBuf::as_path))?;
        let mut config = Config { seed, ..Config::default() };
        config.clusters = without_repetition(self.clusters.into_iter().map(NonZeroUsize::get));
        config.kappas = without_repetition(self.kappa);
        config.methods = self.clusterings.methods();
        if self.paper {
            (config.preset, config.methods) = (Preset::Paper, vec![Method::Brown, Method::Spectral]);
            config.objective = Objective::Greedy;
        }
        config.objective = self.objective.map_or(config.objective, ObjectiveArg::objective);
        config.contexts = without_repetition(self.contexts);
        config.vocab = self.clusterings.vocab();
        let columns = columns(&self.columns)?;
        let find = |folder: &PathBuf| {
            let find = |parts: &[Part]| FolderParts::find_ending(folder, parts, &TaggingExperiment::CORPORA);
            match (self.paper, self.on.part()) {
                // The paper has a test column; a corpus without a test set does without.
                (true, Part::Dev) => find(&[Part::Dev, Part::Test]).or_else(|_| find(&[Part::Dev])),
                (_, part) => find(&[part]),
            }
        };
        let corpora = self.corpora.iter().map(find).collect::<Result<_, _>>()?;
        let experiment = TaggingExperiment { corpora, texts: self.text, columns, config };
        Ok(CompareJob::new(self.report, experiment))
    }
}

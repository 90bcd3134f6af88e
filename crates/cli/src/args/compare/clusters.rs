//! Options of `compare clusters`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;
use compare::clusters::{ClustersExperiment, Config};
use eigentree::corpus::cooccurrence::{Encoding, UNKNOWN};
use eigentree::files::STANDARD_STREAM;
use eigentree::models::clusters::{Context, CountTransform, Method, SpectralConfig};
use eigentree::training::Preset;

use super::super::cluster::WardArg;
use super::super::count::BoundariesArg;
use super::super::overwrite::refuse_overwriting;
use super::super::spectrum::{kappa, transform};
use super::clusterings::ClusteringArgs;
use super::command::CompareJob;
use super::report::ReportArgs;
use crate::failure::UsageError;

/// Compare word clustering algorithms: mutual information, held-out perplexity, time per stage
///
/// Reproduces Tables 2 and 3 of Stratos et al. (2014) on any text, for several numbers of clusters and vocabulary
/// sizes.
#[derive(Debug, Args)]
#[command(after_help = "\
EXAMPLES
  eigentree compare clusters news.txt
  eigentree compare clusters news.txt --methods brown,spectral --clusters 50,100 --vocab 1000,5000
  Figure 6 of the paper: every context with every κ:
    eigentree compare clusters news.txt --methods brown,spectral --clusters 50 --context r1,lr1,lr2 --kappa 5,50,200
  Tables 2 and 3 of the paper, with its numbers beside ours:
    eigentree compare clusters news.txt --paper --clusters 200,400 --vocab 50000 --kappa 200,5000
  With a separate held-out text, as Markdown with plots:
    eigentree compare clusters news.txt --held-out test.txt --format markdown -o r.md --plots plots")]
pub(super) struct CompareClustersArgs {
    /// Text files, plain or compressed; `-` is standard input
    #[arg(required = true, value_name = "TEXT")]
    texts: Vec<PathBuf>,
    /// Held-out text for the perplexity [default: the last tenth of the lines, which is not used for learning]
    #[arg(long, value_name = "TEXT")]
    held_out: Option<PathBuf>,
    #[command(flatten)]
    report: ReportArgs,

    /// Exactly the method of Stratos et al. (2014) beside Brown's, and their tables with the paper's numbers beside ours
    #[arg(long, conflicts_with_all = ["methods", "transform", "ward", "rank"], help_heading = "Comparison")]
    paper: bool,
    #[command(flatten)]
    clusterings: ClusteringArgs,
    /// Numbers of clusters, separated by commas
    #[arg(
        long,
        value_name = "M,…",
        value_delimiter = ',',
        default_value = "50,100,200",
        help_heading = "Comparison"
    )]
    clusters: Vec<NonZeroUsize>,
    /// Name of the class of all other words
    #[arg(long, value_name = "NAME", default_value = UNKNOWN, help_heading = "Comparison")]
    unknown: String,
    /// Where a sequence of words ends
    #[arg(long, value_enum, value_name = "BOUNDARY", default_value = "lines", help_heading = "Comparison")]
    boundaries: BoundariesArg,
    /// Replace bytes that are not valid UTF-8 instead of stopping with an error
    #[arg(long, help_heading = "Comparison")]
    lossy: bool,

    /// Contexts that describe a word, separated by commas: rK for the K words after it, lrK for K words on each side
    #[arg(
        long,
        value_name = "CONTEXT,…",
        value_delimiter = ',',
        default_value = "lr2",
        help_heading = "Spectral methods"
    )]
    context: Vec<Context>,
    /// Pseudo-counts added where counts are scaled, separated by commas; every combination with --context is compared for
    /// the method `spectral`, the first with all methods
    #[arg(long, value_name = "KAPPA,…", value_delimiter = ',', default_value = "200", value_parser = kappa, help_heading = "Spectral methods")]
    kappa: Vec<f64>,
    /// Numbers of singular vectors, separated by commas; every combination with --context and --kappa is compared for the
    /// method `spectral` [default: one per cluster]
    #[arg(long, value_name = "RANK,…", value_delimiter = ',', help_heading = "Spectral methods")]
    rank: Vec<NonZeroUsize>,
    /// Transform applied to counts before scaling: none, sqrt, or a power between 0 and 1 [default: none]
    #[arg(long, value_name = "TRANSFORM", value_parser = transform, help_heading = "Spectral methods")]
    transform: Option<CountTransform>,
    /// Weight of each word in the method `spectral`
    #[arg(
        long,
        value_enum,
        value_name = "WEIGHTING",
        default_value = "plain",
        help_heading = "Spectral methods"
    )]
    ward: WardArg,
}

impl CompareClustersArgs {
    pub(super) fn build(self) -> Result<CompareJob, UsageError> {
        let inputs = || self.texts.iter().chain(&self.held_out);
        refuse_overwriting(&self.report.output, inputs().map(PathBuf::as_path))?;
        if inputs().filter(|path| path.as_os_str() == STANDARD_STREAM).count() > 1 {
            return Err(UsageError("standard input can be read once only; give files instead".to_owned()));
        }
        if self.unknown.is_empty() || self.unknown.contains(char::is_whitespace) {
            return Err(UsageError(
                "the name given with --unknown must be one word without spaces".to_owned(),
            ));
        }
        let usual = SpectralConfig::of(Method::Spectral);
        let ranks: Vec<Option<usize>> = match self.rank.is_empty() {
            true => vec![usual.rank],
            false => self.rank.iter().map(|rank| Some(rank.get())).collect(),
        };
        let base = SpectralConfig {
            transform: self.transform.unwrap_or(usual.transform),
            ward: self.ward.ward(),
            ..usual
        };
        let mut settings = Vec::new();
        for &context in &self.context {
            for &kappa in &self.kappa {
                settings.extend(ranks.iter().map(|&rank| SpectralConfig {
                    context,
                    kappa,
                    rank,
                    ..base.clone()
                }));
            }
        }
        let (spectral, sweep) = match settings.split_first() {
            Some((first, rest)) => (first.clone(), rest.to_vec()),
            None => (base, Vec::new()),
        };
        let methods = match self.paper {
            true => vec![Method::Brown, Method::Spectral],
            false => self.clusterings.methods(),
        };
        let config = Config {
            methods,
            clusters: self.clusters.into_iter().map(NonZeroUsize::get).collect(),
            vocab: self.clusterings.vocab(),
            unknown: self.unknown,
            boundaries: self.boundaries.boundaries(),
            encoding: if self.lossy { Encoding::Lossy } else { Encoding::Strict },
            spectral,
            sweep,
            preset: if self.paper { Preset::Paper } else { Preset::Own },
        };
        let experiment = ClustersExperiment { texts: self.texts, held_out: self.held_out, config };
        Ok(CompareJob::new(self.report, experiment))
    }
}

//! Options of `curve` and `crossval`.

use std::path::PathBuf;

use clap::Args;
use eigentree::config::Quality;
use eigentree::reading::BadItems;
use eigentree::trials::{CrossValidationConfig, CurveConfig, TrialFamily};

use super::eval::ReportStyle;
use super::formats::{bad_items, qualities, trial_families};
use super::overwrite::refuse_overwriting;
use crate::failure::UsageError;

/// Show how accuracy grows with the amount of data, and what more data would bring
///
/// Trains on growing random parts of the data, scores each model on held-out sentences, fits a power law to the scores
/// and extrapolates it, with an interval. As a test, the law is also fitted without the largest part and compared with
/// the score there.
#[derive(Debug, Args)]
#[command(after_help = "\
EXAMPLES
  How much more must I annotate?
    eigentree curve mst train.conllu --dev dev.conllu --plot curve.svg
  A tagger, on sizes of your choice:
    eigentree curve tagger train.conllu --dev dev.conllu --sizes 250,500,1000,2000
  Trees, with a tenth of the data held out:
    eigentree curve pcfg train.ptb --report markdown")]
pub(crate) struct CurveArgs {
    /// Family to train, as for `train`
    #[arg(value_parser = trial_families())]
    family: TrialFamily,
    /// Training data
    data: PathBuf,
    /// Held-out data [default: a tenth of the training data]
    #[arg(long, value_name = "FILE")]
    dev: Option<PathBuf>,
    /// Numbers of sentences to train on, separated by commas [default: all, half, a quarter …]
    #[arg(long, value_name = "N,N", value_delimiter = ',')]
    sizes: Vec<usize>,
    /// Number of sizes, each twice the one before
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u16).range(1..=20),
        conflicts_with = "sizes")]
    points: u16,
    /// Random parts per size
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..=100))]
    repeats: u16,
    #[command(flatten)]
    trial: TrialArgs,
    /// Write the curve as SVG
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
}

/// Score a model by cross-validation: train on all parts of the data but one, score on that one, in turn
///
/// Where CoNLL-U marks documents with `# newdoc`, each document stays in one part.
#[derive(Debug, Args)]
#[command(after_help = "\
EXAMPLES
  Ten parts:
    eigentree crossval mst treebank.conllu
  Five parts, quickly, as Markdown:
    eigentree crossval tagger treebank.conllu --folds 5 --report markdown")]
pub(crate) struct CrossvalArgs {
    /// Family to train, as for `train`
    #[arg(value_parser = trial_families())]
    family: TrialFamily,
    /// The data
    data: PathBuf,
    /// Number of parts
    #[arg(long, short = 'k', value_name = "K", default_value_t = 10, value_parser = clap::value_parser!(u16).range(2..=1000))]
    folds: u16,
    #[command(flatten)]
    trial: TrialArgs,
}

/// Options that both commands have.
#[derive(Debug, Args)]
struct TrialArgs {
    /// Training effort, for lpcfg, mst and pipeline
    #[arg(long, value_parser = qualities(), value_name = "LEVEL", default_value = "balanced")]
    quality: Quality,
    /// Skip sentences that cannot be read, and report them
    #[arg(long)]
    skip_bad: bool,
    /// Report style
    #[arg(long, value_enum, value_name = "STYLE", default_value = "text")]
    report: ReportStyle,
    /// Output file for the report
    #[arg(long, short, value_name = "FILE", default_value = "-")]
    output: PathBuf,
}

/// Validated options of `curve`.
pub(crate) struct CurveJob {
    pub(crate) config: CurveConfig,
    pub(crate) files: TrialFiles,
    pub(crate) dev: Option<PathBuf>,
    pub(crate) plot: Option<PathBuf>,
}

/// Validated options of `crossval`.
pub(crate) struct CrossvalJob {
    pub(crate) config: CrossValidationConfig,
    pub(crate) files: TrialFiles,
}

/// Files of a trial.
pub(crate) struct TrialFiles {
    pub(crate) data: PathBuf,
    pub(crate) bad_items: BadItems,
    pub(crate) report: ReportStyle,
    pub(crate) output: PathBuf,
}

impl TrialArgs {
    fn files(self, data: PathBuf) -> Result<TrialFiles, UsageError> {
        refuse_overwriting(&self.output, [data.as_path()])?;
        Ok(TrialFiles { data, bad_items: bad_items(self.skip_bad), report: self.report, output: self.output })
    }
}

impl CurveArgs {
    pub(crate) fn build(self, seed: u64) -> Result<CurveJob, UsageError> {
        if let Some(plot) = &self.plot {
            refuse_overwriting(
                plot,
                [Some(&self.data), self.dev.as_ref()].into_iter().flatten().map(PathBuf::as_path),
            )?;
        }
        if self.sizes.contains(&0) {
            return Err(UsageError("--sizes must be positive numbers of sentences".to_owned()));
        }
        let config = CurveConfig {
            quality: self.trial.quality,
            sizes: self.sizes,
            points: usize::from(self.points),
            repeats: usize::from(self.repeats),
            seed,
            ..CurveConfig::new(self.family)
        };
        Ok(CurveJob { config, files: self.trial.files(self.data)?, dev: self.dev, plot: self.plot })
    }
}

impl CrossvalArgs {
    pub(crate) fn build(self, seed: u64) -> Result<CrossvalJob, UsageError> {
        let config = CrossValidationConfig {
            family: self.family,
            quality: self.trial.quality,
            folds: usize::from(self.folds),
            seed,
        };
        Ok(CrossvalJob { config, files: self.trial.files(self.data)? })
    }
}

//! Options of `train reranker`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use eigentree::models::mst::MstConfig;
use eigentree::models::reranker::{FeatureSet, RerankConfig, RerankMethod};
use eigentree::training::{Preset, RerankerJob};

use super::QualityArg;
use super::deptree::{LatentArgs, LearnerArg};
use super::treebank::{TreebankData, TreebankFiles};
use crate::args::numbers::{MAX_STEPS, numbers};
use crate::failure::UsageError;

/// Train a reranker that chooses among the n-best trees of a dependency parser
///
/// The treebank is cut into parts, and each part is parsed by a parser trained on the others. A model then learns
/// which tree of each list is best from the parser score, tag triples, and the probability under a latent tree model
/// (Dhillon et al. 2012). Use it on lists from a parser of the same quality.
#[derive(Debug, Args)]
#[command(after_help = "\
EXAMPLES
  eigentree train mst train.conllu -o parser.eig
  eigentree train reranker train.conllu -o reranker.eig
  eigentree parse parser.eig test.conllu --nbest 50 -o lists.conllu
  eigentree rerank reranker.eig lists.conllu -o best.conllu
  As many hidden states as re-rank held-out lists best:
    eigentree train reranker train.conllu --states 6 --tune-states -o reranker.eig")]
pub(crate) struct TrainRerankerArgs {
    #[command(flatten)]
    data: TreebankFiles,
    /// Quality level of the parser whose lists will be re-ranked
    #[arg(long, value_enum, value_name = "LEVEL", default_value = "fast")]
    quality: QualityArg,
    /// Number of parts of the treebank
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u16).range(2..=100), help_heading = "Lists")]
    folds: u16,
    /// Number of trees per list
    #[arg(long, value_name = "K", default_value_t = 50, value_parser = clap::value_parser!(u16).range(2..=1000), help_heading = "Lists")]
    nbest: u16,
    /// Features besides the parser score
    #[arg(long, value_enum, value_name = "FEATURES", default_value = "both", help_heading = "Choice")]
    features: FeaturesArg,
    /// Learner of the weights [default: log-linear; perceptron with --paper]
    #[arg(long, value_enum, value_name = "METHOD", help_heading = "Choice")]
    weights: Option<WeightsArg>,
    /// Passes over the lists
    #[arg(long, value_name = "N", default_value_t = RerankConfig::default().epochs, value_parser = numbers(0..=MAX_STEPS), help_heading = "Choice")]
    epochs: usize,
    /// Choose the number of hidden states by re-ranking held-out lists: a sixth, a third, two thirds or all of --states
    #[arg(long, conflicts_with = "paper", help_heading = "Latent trees")]
    tune_states: bool,
    #[command(flatten)]
    latent: LatentArgs,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum FeaturesArg {
    /// Tag triples
    Tags,
    /// Latent tree model
    Latent,
    /// Both
    Both,
}

/// Learner of the weights of a re-ranker.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(in crate::args) enum WeightsArg {
    /// Log-linear model with an L2 penalty, chosen on held-out lists
    LogLinear,
    /// Averaged perceptron, as in Dhillon et al. (2012)
    Perceptron,
}

impl TrainRerankerArgs {
    /// The data, the job, and the file with vectors of words.
    pub(crate) fn build(self, seed: u64) -> Result<(TreebankData, RerankerJob, Option<PathBuf>), UsageError> {
        let features = match self.features {
            FeaturesArg::Tags => FeatureSet::Tags,
            FeaturesArg::Latent => FeatureSet::Latent,
            FeaturesArg::Both => FeatureSet::Both,
        };
        let preset = self.latent.preset();
        let mut job = RerankerJob::default();
        job.preset = preset;
        job.config = RerankConfig {
            features,
            method: match (self.weights, preset) {
                (Some(WeightsArg::LogLinear), _) | (None, Preset::Own) => RerankMethod::LogLinear,
                (Some(WeightsArg::Perceptron), _) | (None, Preset::Paper) => RerankMethod::Perceptron,
            },
            epochs: self.epochs,
            seed,
            ..job.config
        };
        job.parser = MstConfig { seed, ..MstConfig::quality(self.quality.into()) };
        (job.folds, job.trees) = (usize::from(self.folds), usize::from(self.nbest));
        job.latent = self.latent.build(seed, LearnerArg::SpectralEm)?;
        match (self.tune_states, features.has_latent()) {
            (true, false) => {
                let text = "--tune-states chooses among latent trees, which --features tags does without";
                return Err(UsageError(text.to_owned()));
            }
            (true, true) => job.tune_states(),
            (false, _) => {}
        }
        let vectors = self.latent.vectors;
        Ok((self.data.build(vectors.as_deref())?, job, vectors))
    }
}

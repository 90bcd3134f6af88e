//! Options of `train deptree`.

use clap::{Args, ValueEnum};
use eigentree::models::deptree::{DeptreeConfig, EmConfig, Observe, Shrinkage};
use eigentree::training::{DeptreeJob, LatentLearner};

use super::treebank::{TreebankArgs, TreebankData};
use crate::failure::UsageError;

/// Train a latent dependency tree model on a treebank in CoNLL-U
///
/// Every word of a tree has a hidden state that depends on the state of its head. The model gives the probability of
/// the words of any tree (Dhillon et al. 2012). It does not parse by itself: `score` reports how probable trees are,
/// and `train reranker` uses that to choose among the trees of a parser.
#[derive(Debug, Args)]
#[command(after_help = "\
EXAMPLES
  eigentree train deptree train.conllu -o deptree.eig
  eigentree score deptree.eig dev.conllu --totals
  The same with EM, for comparison:
    eigentree train deptree train.conllu --learner em --em-steps 30 -o em.eig")]
pub(crate) struct TrainDeptreeArgs {
    #[command(flatten)]
    data: TreebankArgs,
    #[command(flatten)]
    latent: LatentArgs,
}

/// Options of the latent tree model.
#[derive(Debug, Args)]
pub(super) struct LatentArgs {
    /// Learner of the hidden states
    #[arg(
        long,
        value_enum,
        value_name = "LEARNER",
        default_value = "spectral",
        help_heading = "Latent trees"
    )]
    learner: LearnerArg,
    /// Number of hidden states
    #[arg(long, value_name = "K", default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=200), help_heading = "Latent trees")]
    states: u16,
    /// Observations: what is visible of each word
    #[arg(long, value_enum, value_name = "VIEW", default_value = "both", help_heading = "Latent trees")]
    observe: ObserveArg,
    /// Words with fewer occurrences are represented by their tag
    #[arg(long, value_name = "N", default_value_t = DeptreeConfig::default().min_count, help_heading = "Latent trees")]
    min_count: u64,
    /// Regularisation of small singular values, as a fraction of the largest one [default: chosen on held-out trees,
    /// together with a number of states up to --states]
    #[arg(long, value_name = "FRACTION", help_heading = "Latent trees")]
    shrinkage: Option<f64>,
    /// Pseudo-count added to counts when words are embedded
    #[arg(long, value_name = "KAPPA", default_value_t = DeptreeConfig::default().kappa, help_heading = "Latent trees")]
    kappa: f64,
    /// Number of EM steps
    #[arg(long, value_name = "N", default_value_t = EmConfig::default().steps, help_heading = "Latent trees")]
    em_steps: usize,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum LearnerArg {
    /// Singular vectors, in one pass
    Spectral,
    /// Expectation–maximisation from a random start
    Em,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum ObserveArg {
    /// The word form, or the tag of a rare word
    Words,
    /// The tag
    Tags,
    /// Tag and form, or only the tag of a rare word
    Both,
}

impl LatentArgs {
    pub(super) fn build(&self, seed: u64) -> LatentLearner {
        let observe = match self.observe {
            ObserveArg::Words => Observe::Words,
            ObserveArg::Tags => Observe::Tags,
            ObserveArg::Both => Observe::Both,
        };
        let (min_count, states) = (self.min_count, usize::from(self.states));
        match self.learner {
            LearnerArg::Spectral => LatentLearner::Spectral(DeptreeConfig {
                observe,
                min_count,
                dimension: states,
                kappa: self.kappa,
                shrinkage: self.shrinkage.map_or(Shrinkage::HeldOut, Shrinkage::Part),
            }),
            LearnerArg::Em => {
                LatentLearner::Em(EmConfig { observe, min_count, states, steps: self.em_steps, seed })
            }
        }
    }
}

impl TrainDeptreeArgs {
    pub(crate) fn build(self, seed: u64) -> Result<(TreebankData, DeptreeJob), UsageError> {
        Ok((self.data.build(None)?, DeptreeJob::new(self.latent.build(seed))))
    }
}

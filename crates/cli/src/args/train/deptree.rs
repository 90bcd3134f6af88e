//! `train deptree`: options and what they mean.

use clap::{Args, ValueEnum};
use eigentree::models::deptree::{DeptreeConfig, EmConfig, EmLearner, Observe, Shrinkage, SpectralLearner};

use super::treebank::{TreebankArgs, TreebankData};
use crate::failure::UsageError;

/// Learn latent dependency trees from a treebank in CoNLL-U
///
/// Every word of a tree has a hidden state that depends on that of its head; the model gives the probability of the words of any tree (Dhillon et al. 2012). By
/// itself it parses nothing: `score` tells how probable trees are, `train reranker` uses that to choose among the trees of a parser.
#[derive(Debug, Args)]
#[command(after_help = "\
EXAMPLES
  eigentree train deptree train.conllu -o deptree.eig
  eigentree score deptree.eig dev.conllu --totals
  The same by EM, for comparison:
    eigentree train deptree train.conllu --learner em --em-steps 30 -o em.eig")]
pub(crate) struct TrainDeptreeArgs {
    #[command(flatten)]
    data: TreebankArgs,
    #[command(flatten)]
    latent: LatentArgs,
}

/// What can be said of latent trees.
#[derive(Debug, Args)]
pub(super) struct LatentArgs {
    /// How the hidden states are found
    #[arg(
        long,
        value_enum,
        value_name = "LEARNER",
        default_value = "spectral",
        help_heading = "Latent trees"
    )]
    learner: LearnerArg,
    /// How many hidden states
    #[arg(long, value_name = "K", default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=200), help_heading = "Latent trees")]
    states: u16,
    /// What words show of themselves
    #[arg(long, value_enum, value_name = "WHAT", default_value = "both", help_heading = "Latent trees")]
    observe: ObserveArg,
    /// Forms that occur less often show their tag
    #[arg(long, value_name = "N", default_value_t = DeptreeConfig::default().min_count, help_heading = "Latent trees")]
    min_count: u64,
    /// How much inverses of small singular values are shrunk, as a part of the largest one [default: it is chosen, with the number of states up to --states, by
    /// held-out trees]
    #[arg(long, value_name = "PART", help_heading = "Latent trees")]
    shrinkage: Option<f64>,
    /// What is added to counts when words are embedded
    #[arg(long, value_name = "KAPPA", default_value_t = DeptreeConfig::default().kappa, help_heading = "Latent trees")]
    kappa: f64,
    /// Steps of EM
    #[arg(long, value_name = "N", default_value_t = EmConfig::default().steps, help_heading = "Latent trees")]
    em_steps: usize,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum LearnerArg {
    /// By singular vectors, in one pass
    Spectral,
    /// By expectation maximisation from a random beginning
    Em,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum ObserveArg {
    /// The form; rare ones the tag
    Words,
    /// The tag
    Tags,
    /// Tag and form; rare ones the tag
    Both,
}

/// The learner that was chosen.
#[derive(Debug)]
pub(crate) enum LatentLearner {
    Spectral(SpectralLearner),
    Em(EmLearner),
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
            LearnerArg::Spectral => LatentLearner::Spectral(SpectralLearner {
                config: DeptreeConfig {
                    observe,
                    min_count,
                    dimension: states,
                    kappa: self.kappa,
                    shrinkage: self.shrinkage.map_or(Shrinkage::HeldOut, Shrinkage::Part),
                },
            }),
            LearnerArg::Em => LatentLearner::Em(EmLearner {
                config: EmConfig { observe, min_count, states, steps: self.em_steps, seed },
            }),
        }
    }
}

/// What is to be done.
pub(crate) struct TrainDeptreeJob {
    pub(crate) data: TreebankData,
    pub(crate) learner: LatentLearner,
}

impl TrainDeptreeArgs {
    pub(crate) fn build(self, seed: u64) -> Result<TrainDeptreeJob, UsageError> {
        let data = self.data.build(None)?;
        Ok(TrainDeptreeJob { learner: self.latent.build(seed), data })
    }
}

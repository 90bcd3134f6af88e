//! Options of `train deptree`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use eigentree::models::deptree::{
    Children, DeptreeConfig, EmConfig, EmStart, Neighbours, Observe, Shrinkage, StateChoice, Triples,
};
use eigentree::training::{DeptreeJob, LatentLearner, Preset};

use super::super::numbers::numbers;
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
  EM from a spectral start, and exactly the published method:
    eigentree train deptree train.conllu --learner spectral+em -o start.eig
    eigentree train deptree train.conllu --paper -o paper.eig
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
    /// Learner of the hidden states [default: spectral; spectral+em for re-rankers]
    #[arg(long, value_enum, value_name = "LEARNER", help_heading = "Latent trees")]
    learner: Option<LearnerArg>,
    /// Number of hidden states; the maximum if held-out trees choose [default: 10, also with --paper; 60 for spectral+em]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u16).range(1..=200), help_heading = "Latent trees")]
    states: Option<u16>,
    /// Exactly --states hidden states: held-out trees choose only the regularisation
    #[arg(long, help_heading = "Latent trees")]
    exact_states: bool,
    /// Exactly the method of Dhillon et al. (2012), without our extensions; the report names all constants
    #[arg(long, conflicts_with_all = ["observe", "min_count", "shrinkage", "kappa", "exact_states", "embed", "em_steps", "learner"], help_heading = "Latent trees")]
    paper: bool,
    /// Neighbours by which words are embedded
    #[arg(
        long,
        value_enum,
        value_name = "NEIGHBOURS",
        default_value = "trees",
        help_heading = "Latent trees"
    )]
    embed: EmbedArg,
    /// Vectors of words instead of an embedding, such as those that `cluster --vectors` writes for a larger text
    #[arg(long, value_name = "FILE", conflicts_with_all = ["embed", "kappa"], help_heading = "Latent trees")]
    pub(super) vectors: Option<PathBuf>,
    /// Triples of words that the operators are estimated from
    #[arg(
        long,
        value_enum,
        value_name = "TRIPLES",
        default_value = "siblings",
        conflicts_with = "paper",
        help_heading = "Latent trees"
    )]
    triples: TriplesArg,
    /// Observations: what is visible of each word
    #[arg(long, value_enum, value_name = "VIEW", default_value = "both", help_heading = "Latent trees")]
    observe: ObserveArg,
    /// Words with fewer occurrences are represented by their tag [default: 20; 2 for spectral+em]
    #[arg(long, value_name = "N", help_heading = "Latent trees")]
    min_count: Option<u64>,
    /// Regularisation of small singular values, as a fraction of the largest one [default: chosen on held-out trees,
    /// together with a number of states up to --states]
    #[arg(long, value_name = "FRACTION", help_heading = "Latent trees")]
    shrinkage: Option<f64>,
    /// Pseudo-count added to counts when words are embedded
    #[arg(long, value_name = "KAPPA", default_value_t = DeptreeConfig::default().kappa, help_heading = "Latent trees")]
    kappa: f64,
    /// Number of EM steps [default: 30; 20 for spectral+em]
    #[arg(long, value_name = "N", help_heading = "Latent trees", value_parser = numbers(0..=1_000_000))]
    em_steps: Option<usize>,
    /// Numbers of children of words; the learner must be em or spectral+em to count them [default: given; counted for
    /// spectral+em]
    #[arg(
        long,
        value_enum,
        value_name = "CHILDREN",
        conflicts_with = "paper",
        help_heading = "Latent trees"
    )]
    children: Option<ChildrenArg>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum ChildrenArg {
    /// Given with the tree: the probability is that of the words
    Given,
    /// Part of the probability, which is that of words and tree
    Counted,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(super) enum LearnerArg {
    /// Singular vectors, in one pass
    Spectral,
    /// Expectation–maximisation from a random start
    Em,
    /// Expectation–maximisation that starts from clusters of the words' singular vectors
    #[value(name = "spectral+em")]
    SpectralEm,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum EmbedArg {
    /// Heads and children in the trees
    Trees,
    /// The words before and after
    Sentences,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum TriplesArg {
    /// Heads with a child on each side
    Siblings,
    /// And words with a child and a head
    Both,
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
    /// Whose method is asked for.
    pub(super) fn preset(&self) -> Preset {
        if self.paper { Preset::Paper } else { Preset::Own }
    }

    /// The learner, which is `usual` unless another is asked for.
    pub(super) fn build(&self, seed: u64, usual: LearnerArg) -> Result<LatentLearner, UsageError> {
        let learner = self.learner.unwrap_or(usual);
        if learner == LearnerArg::Spectral && self.children == Some(ChildrenArg::Counted) {
            return Err(UsageError("--children counted needs --learner em or spectral+em".to_owned()));
        }
        let observe = match self.observe {
            ObserveArg::Words => Observe::Words,
            ObserveArg::Tags => Observe::Tags,
            ObserveArg::Both => Observe::Both,
        };
        let states = self.states.map(usize::from);
        if self.paper {
            let paper = DeptreeConfig::paper();
            let dimension = states.unwrap_or(paper.dimension);
            // The paper has vectors of a larger text; without any, neighbours in the sentences come nearest.
            let neighbours = if self.vectors.is_some() { Neighbours::Given } else { Neighbours::Sentences };
            return Ok(LatentLearner::Spectral(DeptreeConfig { dimension, neighbours, ..paper }));
        }
        if self.vectors.is_some() && learner != LearnerArg::Spectral {
            return Err(UsageError("--vectors needs --learner spectral or --paper".to_owned()));
        }
        let em = |usual: EmConfig| {
            let (states, steps) = (states.unwrap_or(usual.states), self.em_steps.unwrap_or(usual.steps));
            let children = match self.children {
                None => usual.children,
                Some(ChildrenArg::Given) => Children::Given,
                Some(ChildrenArg::Counted) => Children::Counted,
            };
            let min_count = self.min_count.unwrap_or(usual.min_count);
            LatentLearner::Em(EmConfig { observe, min_count, states, steps, children, seed, ..usual })
        };
        Ok(match learner {
            LearnerArg::Spectral => {
                let usual = DeptreeConfig::default();
                LatentLearner::Spectral(DeptreeConfig {
                    observe,
                    min_count: self.min_count.unwrap_or(usual.min_count),
                    dimension: states.unwrap_or(usual.dimension),
                    states: if self.exact_states { StateChoice::Exactly } else { StateChoice::UpTo },
                    neighbours: match (&self.vectors, self.embed) {
                        (Some(_), _) => Neighbours::Given,
                        (None, EmbedArg::Trees) => Neighbours::Trees,
                        (None, EmbedArg::Sentences) => Neighbours::Sentences,
                    },
                    triples: match self.triples {
                        TriplesArg::Siblings => Triples::Siblings,
                        TriplesArg::Both => Triples::Both,
                    },
                    kappa: self.kappa,
                    shrinkage: self.shrinkage.map_or(Shrinkage::HeldOut, Shrinkage::Part),
                    ..usual
                })
            }
            LearnerArg::Em => em(EmConfig::default()),
            LearnerArg::SpectralEm => {
                em(EmConfig { start: EmStart::Spectral { kappa: self.kappa }, ..EmConfig::from_spectral() })
            }
        })
    }
}

impl TrainDeptreeArgs {
    /// The data, the job, and the file with vectors of words.
    pub(crate) fn build(self, seed: u64) -> Result<(TreebankData, DeptreeJob, Option<PathBuf>), UsageError> {
        let job = DeptreeJob::new(self.latent.build(seed, LearnerArg::Spectral)?);
        Ok((self.data.build(self.latent.vectors.as_deref())?, job, self.latent.vectors))
    }
}

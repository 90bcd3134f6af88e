//! Training of latent dependency trees.

use corpus::format::conllu::Sentence;
use dependency::deptree::{Deptree, DeptreeConfig, EmConfig, EmLearner, SpectralLearner, TreeWords};
use models::constants::Constants;
use models::learn::{Learned, Learner, Observer};
use models::persist::ModelFile;
use models::representations::VectorTable;

use super::{DevScores, Finding, Job, Measure, Paper, Protocol, Trained};
use crate::Error;
use crate::inspection::Theory;
use crate::reranking::{score_trees, tree_words};

/// Training of latent dependency trees.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct DeptreeJob {
    /// The learner.
    pub learner: LatentLearner,
    /// Vectors of words for a spectral learner that [takes them](dependency::deptree::Neighbours::Given).
    pub vectors: Option<VectorTable>,
}

/// The learner of the hidden states of trees.
#[derive(Clone, PartialEq, Debug)]
pub enum LatentLearner {
    /// By singular vectors, in one pass.
    Spectral(DeptreeConfig),
    /// By expectation–maximisation, from a random start or from clusters of the embedding.
    Em(EmConfig),
}

impl Default for LatentLearner {
    fn default() -> Self {
        LatentLearner::Spectral(DeptreeConfig::default())
    }
}

impl LatentLearner {
    /// All constants.
    pub(super) fn constants(&self) -> Constants {
        match self {
            LatentLearner::Spectral(config) => config.constants(),
            LatentLearner::Em(config) => config.constants(),
        }
    }

    /// The number of states, or the most that held-out trees may choose.
    pub(super) fn states(&self) -> usize {
        match self {
            LatentLearner::Spectral(config) => config.dimension,
            LatentLearner::Em(config) => config.states,
        }
    }

    /// The same learner with another number of states.
    pub(super) fn with_states(&self, states: usize) -> Self {
        match self {
            LatentLearner::Spectral(config) => {
                LatentLearner::Spectral(DeptreeConfig { dimension: states, ..config.clone() })
            }
            LatentLearner::Em(config) => LatentLearner::Em(EmConfig { states, ..config.clone() }),
        }
    }

    /// All constants, beside the paper's.
    fn protocol(&self) -> Protocol {
        let constants = self.constants();
        let departures = constants.departures(&DeptreeConfig::paper().constants());
        Protocol::new(Paper::LatentTrees, constants, departures)
    }

    pub(super) fn learn(
        &self,
        trees: &[TreeWords],
        vectors: Option<&VectorTable>,
        observer: &mut dyn Observer,
    ) -> Result<Learned<Deptree>, Error> {
        Ok(match self {
            LatentLearner::Spectral(config) => {
                SpectralLearner { config: config.clone(), vectors: vectors.cloned() }
                    .learn(trees, observer)?
            }
            LatentLearner::Em(config) => EmLearner { config: config.clone() }.learn(trees, observer)?,
        })
    }
}

impl DeptreeJob {
    /// A job with this learner.
    pub fn new(learner: LatentLearner) -> Self {
        Self { learner, vectors: None }
    }
}

impl Job for DeptreeJob {
    type Data = [Sentence];
    type Dev = [Sentence];
    type Model = Deptree;

    fn learn(
        &self,
        sentences: &[Sentence],
        _dev: Option<&[Sentence]>,
        observer: &mut dyn Observer,
    ) -> Result<Trained<Deptree>, Error> {
        let trees = tree_words(sentences);
        if trees.without_tree > 0 {
            observer.note(format_args!("{} sentences without a tree were skipped", trees.without_tree));
        }
        let learned = self.learner.learn(&trees.trees, self.vectors.as_ref(), observer)?;
        let protocol = self.learner.protocol();
        protocol.tell(observer);
        let metadata = learned
            .model
            .metadata()
            .with_note("sentences", trees.trees.len())
            .with_note("protocol", protocol.to_json());
        let conditioning = learned.model.conditioning();
        // Nothing was inverted if no head has children on both sides.
        let finding = (conditioning.triples > 0.0).then_some(conditioning);
        if let Some(found) = finding {
            observer.note(format_args!(
                "condition numbers: Σ_L {:.1}, Σ_R {:.1}, E_L {:.1}, E_R {:.1}",
                found.sigma_left, found.sigma_right, found.step_left, found.step_right
            ));
        }
        let theory = Theory::of_trees(&learned.model).map(Finding::Theory);
        let trained = Trained::new(learned.model, metadata, learned.report);
        Ok(trained
            .with_finding(theory)
            .with_finding(finding.map(Finding::Conditioning))
            .with_finding(Some(Finding::Protocol(protocol))))
    }

    fn score(
        &self,
        model: &Deptree,
        dev: &[Sentence],
        observer: &mut dyn Observer,
    ) -> Result<DevScores, Error> {
        observer.stage("score dev", Some(dev.len() as u64));
        let scores = score_trees(model, dev.iter().cloned().map(Ok), observer, |_| Ok(()))?;
        Ok(DevScores::one("dev", Measure::LatentTrees(scores)))
    }
}

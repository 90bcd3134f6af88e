//! Runs several learners on the same treebank: shared work is done once, and EM can be run step by step.
//!
//! [`LpcfgLearner`] learns a whole model. Comparisons of learners use this module: it times the learners alone, and one
//! run of EM gives the models of all its steps.

use corpus::tree::Tree;

use super::config::{LpcfgConfig, Method, SmoothingConfig};
use super::em::EmTrainer;
use super::learner::{LpcfgLearner, rule_probabilities};
use super::model::{Lpcfg, Refined};
use super::parameters::Parameters;
use super::treebank::NumberedTreebank;
use crate::pcfg::Pcfg;
use models::learn::{LearnError, Learned, Observer, Progress};

/// The grammar without states and the numbered nodes of the treebank, which all learners share.
///
/// ```
/// use corpus::{synthetic::{english, sample_treebank}, tree::Tree};
/// use models::learn::Silent;
/// use eigentree_grammars::lpcfg::{Groundwork, LpcfgConfig, Method, SmoothingConfig, SpectralConfig};
/// let trees = sample_treebank(english(), 200, 1).expect("the embedded grammar is sound");
/// let work = Groundwork::new(LpcfgConfig::default(), &trees, &mut Silent)?.model;
/// let spectral = Method::Spectral(SpectralConfig { states: 2, ..SpectralConfig::default() });
/// let one = work.learn(&spectral, SmoothingConfig::default(), &mut Silent)?.model;
/// let mut em = work.begin_em(&Method::Em { states: 2, steps: 0, seed: 1 }, SmoothingConfig::none(), &mut Silent)?;
/// // Each step makes the treebank more probable, except the first: its start is not normalised.
/// let probabilities = [em.step(), em.step(), em.step(), em.step()];
/// assert!(probabilities[1..].is_sorted(), "{probabilities:?}");
/// assert_eq!((one.states(), em.model().states()), (2, 2));
/// # Ok::<(), models::learn::LearnError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Groundwork {
    learner: LpcfgLearner,
    grammar: Pcfg,
    bank: NumberedTreebank,
}

impl Groundwork {
    /// Counts rules and words and numbers the nodes. Only the grammar and the head rules of the configuration are used.
    pub fn new(
        config: LpcfgConfig,
        trees: &[Tree],
        observer: &mut dyn Observer,
    ) -> Result<Learned<Self>, LearnError> {
        let learner = LpcfgLearner { config };
        let base = learner.base(&learner.config.grammar, None, trees, observer)?;
        Ok(base.map(|(grammar, bank)| Self { learner, grammar, bank }))
    }

    /// The grammar without states.
    pub fn grammar(&self) -> &Pcfg {
        &self.grammar
    }

    /// Learns one model.
    pub fn learn(
        &self,
        method: &Method,
        smoothing: SmoothingConfig,
        observer: &mut dyn Observer,
    ) -> Result<Learned<Lpcfg>, LearnError> {
        let mut progress = Progress::new(observer);
        let parameters = self.parameters(method, smoothing, &mut progress)?;
        Ok(progress.finish(self.model(parameters)))
    }

    /// Starts EM from the result of `method`; without steps of its own that is a clustering or a random start. Spectral
    /// parameters are refused, because they are not probabilities.
    pub fn begin_em(
        &self,
        method: &Method,
        smoothing: SmoothingConfig,
        observer: &mut dyn Observer,
    ) -> Result<EmRun<'_>, LearnError> {
        if let Method::Spectral(_) = method {
            return Err(LearnError::bad_config(
                "EM cannot start from a spectral model; start from clusters or at random",
            ));
        }
        let mut progress = Progress::new(observer);
        let start = self.parameters(method, smoothing, &mut progress)?;
        progress.stage("share subtrees", None)?;
        let probabilities = rule_probabilities(&self.grammar);
        let trainer = EmTrainer::new(&self.bank, &self.grammar, start, probabilities, smoothing);
        Ok(EmRun { work: self, trainer })
    }

    fn parameters(
        &self,
        method: &Method,
        smoothing: SmoothingConfig,
        progress: &mut Progress<'_>,
    ) -> Result<Parameters<f32>, LearnError> {
        let mut learner = self.learner.clone();
        learner.config.smoothing = smoothing;
        learner.member_in_stages(&self.bank, &self.grammar, method, progress)
    }

    fn model(&self, parameters: Parameters<f32>) -> Lpcfg {
        Lpcfg {
            grammars: vec![Refined::new(self.grammar.clone(), vec![parameters], None, None)],
            spans: None,
        }
    }
}

/// A run of EM.
#[derive(Clone, Debug)]
pub struct EmRun<'w> {
    work: &'w Groundwork,
    trainer: EmTrainer<'w>,
}

impl EmRun<'_> {
    /// Runs one step; returns the log-likelihood of all trees before it.
    pub fn step(&mut self) -> f64 {
        self.trainer.step()
    }

    /// The current model.
    pub fn model(&self) -> Lpcfg {
        self.work.model(self.trainer.parameters().clone())
    }
}

//! Training of rerankers.

use std::convert::Infallible;

use corpus::format::conllu::Sentence;
use dependency::deptree::{DeptreeConfig, EmConfig};
use dependency::mst::{MstConfig, Order, Quality};
use dependency::reranker::{
    FeatureSet, GoldList, RIGHT, RerankConfig, RerankLearner, RerankMethod, Reranker,
};
use models::constants::Constants;
use models::learn::{Learned, Learner, Observer};
use models::persist::ModelFile;
use models::representations::VectorTable;

use super::{DevScores, Finding, Job, LatentLearner, Paper, Preset, Protocol, Trained};
use crate::Error;
use crate::inspection::Theory;
use crate::reranking::{JackknifeConfig, jackknife, jackknife_latent, tree_words};

/// Training of a reranker. Each part of the treebank is parsed by a parser learnt from the others, and the reranker learns from
/// these n-best lists. It takes no development data: scoring needs the n-best lists of a parser.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RerankerJob {
    /// Configuration of the learner.
    pub config: RerankConfig,
    /// Configuration of the parsers; as that of the parser whose lists will be reranked.
    pub parser: MstConfig,
    /// Number of parts of the treebank.
    pub folds: usize,
    /// Number of trees per list.
    pub trees: usize,
    /// The learner of latent trees, if the features need them.
    pub latent: LatentLearner,
    /// Numbers of states of latent trees to choose from, by the words that are right in held-out lists. If there are none,
    /// `latent` says how many.
    pub states: Vec<usize>,
    /// Vectors of words for latent trees that [take them](dependency::deptree::Neighbours::Given).
    pub vectors: Option<VectorTable>,
    /// Whose method it is: in the paper's, the latent trees that score training lists are learnt from all parts.
    pub preset: Preset,
}

impl Default for RerankerJob {
    fn default() -> Self {
        Self {
            config: RerankConfig::default(),
            parser: MstConfig::quality(Quality::Fast),
            folds: 3,
            trees: 50,
            latent: LatentLearner::Em(EmConfig::from_spectral()),
            states: Vec::new(),
            vectors: None,
            preset: Preset::Own,
        }
    }
}

impl RerankerJob {
    /// All constants, beside the paper's.
    fn protocol(&self) -> Protocol {
        let paper = Self {
            config: RerankConfig { method: RerankMethod::Perceptron, ..RerankConfig::default() },
            latent: LatentLearner::Spectral(DeptreeConfig::paper()),
            preset: Preset::Paper,
            ..Self::default()
        };
        let constants = self.constants();
        let departures = constants.departures(&paper.constants());
        Protocol::new(Paper::LatentTrees, constants, departures)
    }

    fn constants(&self) -> Constants {
        let features = match self.config.features {
            FeatureSet::Tags => "parser, tags",
            FeatureSet::Latent => "parser, log p",
            FeatureSet::Both => "parser, tags, log p",
        };
        let weights = match self.config.method {
            RerankMethod::LogLinear => "log-linear",
            RerankMethod::Perceptron => "averaged perceptron",
        };
        let latent = if self.preset == Preset::Own { "of the other parts" } else { "of all parts" };
        let order = match self.parser.order {
            Order::First => "first",
            Order::Siblings => "second, siblings",
            Order::Second => "second, siblings and grandparents",
        };
        let own = Constants::default()
            .chosen("order of the parser", order)
            .chosen("parts", self.folds)
            .chosen("trees per list", self.trees)
            .fixed("features", features)
            .fixed("weights", weights)
            .chosen("passes", self.config.epochs)
            .fixed("latent trees for training lists", latent);
        match self.config.features.has_latent() {
            true => own.and(self.latent.constants()),
            false => own,
        }
    }
}

/// What the theorem says of latent trees, and the reranker that uses them.
type LearnedReranker = (Option<Theory>, Learned<Reranker>);

impl RerankerJob {
    /// Lets held-out lists choose the number of states: a sixth, a third, two thirds or all of what `latent` has.
    pub fn tune_states(&mut self) {
        let most = self.latent.states();
        self.states = [1, 2, 4, 6].map(|share| (share * most / 6).max(1)).to_vec();
        self.states.dedup();
    }

    /// Learns latent trees and how to choose among lists with them.
    fn choose(
        &self,
        sentences: &[Sentence],
        lists: &[GoldList],
        observer: &mut dyn Observer,
    ) -> Result<LearnedReranker, Error> {
        let has_latent = self.config.features.has_latent();
        let vectors = self.vectors.as_ref();
        let deptree = match has_latent {
            true => Some(self.latent.learn(&tree_words(sentences).trees, vectors, observer)?.model),
            false => None,
        };
        let theory = deptree.as_ref().and_then(Theory::of_trees);
        let parts = match has_latent && self.preset == Preset::Own {
            true => jackknife_latent(sentences, self.folds, |trees| {
                Ok(self.latent.learn(trees, vectors, observer)?.model)
            })?,
            false => Vec::new(),
        };
        let learner = RerankLearner { config: self.config.clone(), deptree, parts };
        Ok((theory, learner.learn(lists, observer)?))
    }

    /// Learns with each number of states; gives the learner with which most words are right in held-out lists, the first of
    /// equals, and what was learnt with it.
    fn choose_states(
        &self,
        numbers: &[usize],
        sentences: &[Sentence],
        lists: &[GoldList],
        observer: &mut dyn Observer,
    ) -> Result<(LatentLearner, LearnedReranker), Error> {
        let mut best = None;
        for &states in numbers {
            let trial = Self { latent: self.latent.with_states(states), ..self.clone() };
            let learned = trial.choose(sentences, lists, observer)?;
            let Some(right) = learned.1.report.figure(RIGHT) else {
                return Err(Error::Data(
                    "numbers of states are compared on held-out lists, which only log-linear weights from five or more \
                     sentences have"
                        .to_owned(),
                ));
            };
            observer.note(format_args!("{states} states: {right} words are right in held-out lists"));
            if best.as_ref().is_none_or(|&(_, most, _)| right > most) {
                best = Some((trial.latent, right, learned));
            }
        }
        let (latent, _, learned) =
            best.ok_or_else(|| Error::Data("no number of states to choose from".to_owned()))?;
        observer.note(format_args!("chosen by held-out lists: {} states", latent.states()));
        Ok((latent, learned))
    }
}

impl Job for RerankerJob {
    type Data = [Sentence];
    type Dev = Infallible;
    type Model = Reranker;

    fn learn(
        &self,
        sentences: &[Sentence],
        _dev: Option<&Infallible>,
        observer: &mut dyn Observer,
    ) -> Result<Trained<Reranker>, Error> {
        let (folds, trees, parser) = (self.folds, self.trees, self.parser.clone());
        let lists =
            jackknife(sentences, &JackknifeConfig { folds, trees, parser, clusters: None }, observer)?;
        let (latent, (theory, learned)) = match &self.states[..] {
            [] => (self.latent.clone(), self.choose(sentences, &lists, observer)?),
            numbers => self.choose_states(numbers, sentences, &lists, observer)?,
        };
        let chosen = Self { latent, ..self.clone() };
        let [parser, latent, negative] = learned.model.real_weights();
        observer.note(format_args!(
            "weights: the parser {parser:.2}, log p {latent:.2}, negative p {negative:.2}"
        ));
        let protocol = chosen.protocol();
        protocol.tell(observer);
        let metadata = learned
            .model
            .metadata()
            .with_note("sentences", lists.len())
            .with_note("protocol", protocol.to_json());
        let finding = Finding::RerankWeights { parser, latent, negative };
        Ok(Trained::new(learned.model, metadata, learned.report)
            .with_finding(theory.map(Finding::Theory))
            .with_finding(Some(finding))
            .with_finding(Some(Finding::Protocol(protocol))))
    }

    fn score(
        &self,
        _model: &Reranker,
        dev: &Infallible,
        _observer: &mut dyn Observer,
    ) -> Result<DevScores, Error> {
        match *dev {}
    }
}

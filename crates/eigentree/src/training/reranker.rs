//! Training of rerankers.

use std::convert::Infallible;

use corpus::format::conllu::Sentence;
use dependency::deptree::EmConfig;
use dependency::mst::{MstConfig, Quality};
use dependency::reranker::{RerankConfig, RerankLearner, Reranker};
use models::learn::{Learner, Observer};
use models::persist::ModelFile;

use super::{DevScores, Finding, Job, LatentLearner, Preset, Trained};
use crate::Error;
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
            preset: Preset::Own,
        }
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
        let latent = self.config.features.has_latent();
        let deptree = match latent {
            true => Some(self.latent.learn(&tree_words(sentences).trees, observer)?.model),
            false => None,
        };
        let parts = match latent && self.preset == Preset::Own {
            true => jackknife_latent(sentences, self.folds, |trees| {
                Ok(self.latent.learn(trees, observer)?.model)
            })?,
            false => Vec::new(),
        };
        let (folds, trees, parser) = (self.folds, self.trees, self.parser.clone());
        let lists =
            jackknife(sentences, &JackknifeConfig { folds, trees, parser, clusters: None }, observer)?;
        let learner = RerankLearner { config: self.config.clone(), deptree, parts };
        let learned = learner.learn(&lists, observer)?;
        let [parser, latent, negative] = learned.model.real_weights();
        observer.note(format_args!(
            "weights: the parser {parser:.2}, log p {latent:.2}, negative p {negative:.2}"
        ));
        let metadata = learned.model.metadata().with_note("sentences", lists.len());
        let finding = Finding::RerankWeights { parser, latent, negative };
        Ok(Trained::new(learned.model, metadata, learned.report).with_finding(Some(finding)))
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

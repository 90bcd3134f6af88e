//! Training of head automata.

use corpus::format::conllu::Sentence;
use dependency::head_automata::{
    HeadAutomata, HeadAutomataConfig, HeadAutomataLearner, Parser, ParserConfig, tune_lexical_weights,
};
use models::learn::{Learner, Observer};
use models::persist::ModelFile;

use super::attachment::score_attachment;
use super::{DevScores, Finding, Job, Paper, Protocol, Trained};
use crate::Error;
use crate::inspection::Theory;

/// Training of head automata.
#[derive(Clone, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct HeadAutomataJob {
    /// Configuration of the learner.
    pub config: HeadAutomataConfig,
    /// The choice of the weight of words relative to tags.
    pub lexical_weight: LexicalWeight,
}

/// The choice of the weight of words relative to tags.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum LexicalWeight {
    /// As configured.
    #[default]
    Fixed,
    /// The weight with the best heads on the development sentences, if there are any.
    ByDev,
}

impl HeadAutomataJob {
    /// A job with this configuration and its weight of words.
    pub fn new(config: HeadAutomataConfig) -> Self {
        Self { config, lexical_weight: LexicalWeight::Fixed }
    }
}

impl Job for HeadAutomataJob {
    type Data = [Sentence];
    type Dev = [Sentence];
    type Model = HeadAutomata;

    fn learn(
        &self,
        sentences: &[Sentence],
        dev: Option<&[Sentence]>,
        observer: &mut dyn Observer,
    ) -> Result<Trained<HeadAutomata>, Error> {
        let learner = HeadAutomataLearner { config: self.config.clone() };
        let mut learned = learner.learn(sentences, observer)?;
        let mut chosen = None;
        if let (LexicalWeight::ByDev, Some(dev)) = (self.lexical_weight, dev) {
            observer.stage("weigh words", None);
            chosen = tune_lexical_weights(&mut learned.model, dev).map(|(weights, _)| weights);
        }
        if let Some(weights) = chosen {
            observer.note(format_args!(
                "weights chosen on the development set: words {:.3}, tags by words {:.3}, places {:.3}, clusters {:.3}, \
                 neighbours {:.3}",
                weights.words, weights.tags, weights.places, weights.clusters, weights.neighbours
            ));
        }
        let metadata = learned
            .model
            .metadata()
            .with_note("sentences", sentences.len())
            .with_note("alphabet", self.config.alphabet.name());
        let protocol = Protocol::new(Paper::HeadAutomata, self.config.constants(), self.config.departures());
        protocol.tell(observer);
        let metadata = metadata.with_note("protocol", protocol.to_json());
        let theory = Theory::of_automata(&learned.model).map(Finding::Theory);
        let trained = Trained::new(learned.model, metadata, learned.report);
        Ok(trained
            .with_finding(theory)
            .with_finding(chosen.map(|weights| Finding::LexicalWeight(weights.words)))
            .with_finding(chosen.map(Finding::LexicalWeights))
            .with_finding(Some(Finding::Protocol(protocol))))
    }

    fn score(
        &self,
        model: &HeadAutomata,
        dev: &[Sentence],
        observer: &mut dyn Observer,
    ) -> Result<DevScores, Error> {
        let parser = Parser::new(model, ParserConfig::default());
        Ok(DevScores::one("dev", score_attachment(&parser, dev, dev, observer)?))
    }
}

//! Training of grammars with latent states.

use corpus::tree::Tree;
use grammars::lpcfg::{Lpcfg, LpcfgConfig, LpcfgLearner, Method, Parser, ParserConfig, Recipe};
use models::constants::Preset;
use models::learn::{Learner, Observer};
use models::persist::ModelFile;
use serde_json::{Value, json};

use super::finding::{constants, limits_to_json};
use super::grammar::{prepared, score_brackets, with_form};
use super::{Annotation, DevScores, Finding, Job, Paper, Protocol, Trained, Tuning, tune, tune_states};
use crate::Error;
use crate::inspection::Theory;
use crate::parsing::TagUse;

/// Training of a grammar with latent states. The default is that of `eigentree train lpcfg`.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LpcfgJob {
    /// Configuration of the learner.
    pub config: LpcfgConfig,
    /// The treatment of function tags and empty elements, also in development trees.
    pub annotation: Annotation,
    /// Tuning of the smoothing constants.
    pub tuning: Tuning,
    /// Tuning of the number of states of each symbol.
    pub state_tuning: Tuning,
    /// The parser that scores development trees and the trials of tuning.
    pub parser: ParserConfig,
}

impl LpcfgJob {
    /// A job with this configuration and defaults for everything else.
    pub fn new(config: LpcfgConfig) -> Self {
        let (annotation, parser) = (Annotation::default(), ParserConfig::default());
        Self { config, annotation, tuning: Tuning::default(), state_tuning: Tuning::default(), parser }
    }
}

impl Default for LpcfgJob {
    fn default() -> Self {
        Self::from(Recipe::default())
    }
}

impl From<Recipe> for LpcfgJob {
    fn from(recipe: Recipe) -> Self {
        let parser = match recipe.preset {
            Preset::Paper => ParserConfig::paper(),
            Preset::Own => ParserConfig::default(),
        };
        Self { parser, ..Self::new(recipe.config()) }
    }
}

impl Job for LpcfgJob {
    type Data = [Tree];
    type Dev = [Tree];
    type Model = Lpcfg;

    fn learn(
        &self,
        trees: &[Tree],
        _dev: Option<&[Tree]>,
        observer: &mut dyn Observer,
    ) -> Result<Trained<Lpcfg>, Error> {
        let trees = prepared(trees, self.annotation, observer);
        let mut config = self.config.clone();
        let tuned = match self.tuning {
            Tuning::Fixed => None,
            Tuning::HeldOut { seed } => {
                let tuned = tune(&config, &self.parser, &trees, seed, observer)?;
                config.smoothing = tuned.best.smoothing;
                Some(Finding::Smoothing(tuned))
            }
        };
        let states = match self.state_tuning {
            Tuning::Fixed => None,
            Tuning::HeldOut { seed } => {
                let states = tune_states(&config, &self.parser, &trees, seed, observer)?;
                config = config.with_limits(&states.search.limits);
                Some(Finding::States(states))
            }
        };
        let learner = LpcfgLearner { config };
        let learned = learner.learn(&trees, observer)?;
        let config = &learner.config;
        let protocol = Protocol::new(Paper::LatentGrammars, config.constants(), config.departures());
        protocol.tell(observer);
        let companions = config.companions.iter().flat_map(|other| &other.members);
        let members: Vec<Value> = config.members.iter().chain(companions).map(describe).collect();
        let metadata =
            with_form(learned.model.metadata().with_note("trees", trees.len()), &config.grammar.normal_form)
                .with_note("members", members)
                .with_note("smoothing", constants(&config.smoothing))
                .with_note("spans", learned.model.spans().is_some())
                .with_note("protocol", protocol.to_json());
        let theory = Theory::of_grammar(&learned.model).map(Finding::Theory);
        let trained =
            Trained::new(learned.model, metadata, learned.report).with_finding(tuned).with_finding(states);
        Ok(trained.with_finding(Some(Finding::Protocol(protocol))).with_finding(theory))
    }

    fn score(&self, model: &Lpcfg, dev: &[Tree], observer: &mut dyn Observer) -> Result<DevScores, Error> {
        let dev = prepared(dev, self.annotation, observer);
        let parser = Parser::new(model, self.parser.clone());
        let mut scores = DevScores::default();
        for (tags, name) in [(TagUse::Given, "dev_given_tags"), (TagUse::Predicted, "dev")] {
            scores.push(name, score_brackets(&parser, &dev, tags, observer)?);
        }
        Ok(scores)
    }
}

/// A member for the notes of the model.
fn describe(method: &Method) -> Value {
    match method {
        Method::Spectral(spectral) => {
            json!({ "learner": "spectral", "states": spectral.states, "limits": limits_to_json(&spectral.limits),
                "dropout": spectral.dropout, "seed": spectral.seed })
        }
        Method::Cluster { spectral, steps } => json!({ "learner": "cluster", "states": spectral.states,
            "limits": limits_to_json(&spectral.limits), "steps": steps, "dropout": spectral.dropout, "seed": spectral.seed }),
        Method::Em { states, steps, seed } => {
            json!({ "learner": "em", "states": states, "steps": steps, "seed": seed })
        }
    }
}

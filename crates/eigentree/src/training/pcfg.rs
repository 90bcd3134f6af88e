//! Training of grammars without latent states.

use corpus::tree::Tree;
use grammars::pcfg::{Parser, ParserConfig, Pcfg, PcfgConfig, PcfgLearner};
use models::learn::{Learner, Observer};
use models::persist::ModelFile;

use super::grammar::{prepared, score_brackets, with_form};
use super::{Annotation, DevScores, Job, Trained};
use crate::Error;
use crate::parsing::TagUse;

/// Training of a treebank grammar.
///
/// ```
/// use eigentree::learn::Silent;
/// use eigentree::sampling::sample_english;
/// use eigentree::training::{Job, PcfgJob};
/// let trees = sample_english(200, 1);
/// let trained = PcfgJob::default().run(&trees, None, &mut Silent)?;
/// assert_eq!(trained.metadata.notes["trees"], 200);
/// # Ok::<(), eigentree::Error>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PcfgJob {
    /// Configuration of the learner.
    pub config: PcfgConfig,
    /// The treatment of function tags and empty elements, also in development trees.
    pub annotation: Annotation,
    /// The tags used when parsing development trees; they are scored once for each entry.
    pub scored_tags: Vec<TagUse>,
    /// The parser that scores development trees.
    pub parser: ParserConfig,
}

impl PcfgJob {
    /// A job with this configuration and defaults for everything else.
    pub fn new(config: PcfgConfig) -> Self {
        let (annotation, parser) = (Annotation::default(), ParserConfig::default());
        Self { config, annotation, scored_tags: vec![TagUse::Predicted], parser }
    }
}

impl Default for PcfgJob {
    fn default() -> Self {
        Self::new(PcfgConfig::default())
    }
}

impl Job for PcfgJob {
    type Data = [Tree];
    type Dev = [Tree];
    type Model = Pcfg;

    fn learn(
        &self,
        trees: &[Tree],
        _dev: Option<&[Tree]>,
        observer: &mut dyn Observer,
    ) -> Result<Trained<Pcfg>, Error> {
        let trees = prepared(trees, self.annotation, observer);
        let learner = PcfgLearner { config: self.config.clone() };
        let learned = learner.learn(&trees, observer)?;
        let metadata =
            with_form(learned.model.metadata().with_note("trees", trees.len()), &self.config.normal_form);
        Ok(Trained::new(learned.model, metadata, learned.report))
    }

    fn score(&self, model: &Pcfg, dev: &[Tree], observer: &mut dyn Observer) -> Result<DevScores, Error> {
        let dev = prepared(dev, self.annotation, observer);
        let parser = Parser::new(model, self.parser.clone());
        let mut scores = DevScores::default();
        for &tags in &self.scored_tags {
            let name = match tags {
                TagUse::Given if self.scored_tags.len() > 1 => "dev_given_tags",
                _ => "dev",
            };
            scores.push(name, score_brackets(&parser, &dev, tags, observer)?);
        }
        Ok(scores)
    }
}

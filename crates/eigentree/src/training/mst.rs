//! Training of discriminative dependency parsers.

use corpus::format::conllu::Sentence;
use dependency::mst::{Mst, MstConfig, MstLearner, Parser, Quality, VECTOR_SIGNS};
use models::learn::{Learner, Observer};
use models::persist::ModelFile;
use models::representations::{ClusterPaths, VectorTable};

use super::attachment::score_attachment;
use super::{DevScores, Job, Trained};
use crate::Error;

/// Training of a dependency parser. Development sentences calibrate its confidences. The default is that of
/// `eigentree train mst`.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct MstJob {
    /// Configuration of the learner.
    pub config: MstConfig,
    /// Classes of words to take features from.
    pub classes: Option<WordClasses>,
    /// Trees of other languages, which are learnt from without their words.
    pub source: Vec<Sentence>,
}

/// The source of word classes.
#[derive(Clone, Debug)]
pub enum WordClasses {
    /// Paths of clusters.
    Clusters(ClusterPaths),
    /// Vectors: the signs of their first numbers are the classes.
    Vectors(VectorTable),
}

impl WordClasses {
    fn paths(&self) -> ClusterPaths {
        match self {
            WordClasses::Clusters(paths) => paths.clone(),
            WordClasses::Vectors(vectors) => vectors.signs(VECTOR_SIGNS),
        }
    }
}

impl MstJob {
    /// A job with this configuration and defaults for everything else.
    pub fn new(config: MstConfig) -> Self {
        Self { config, ..Self::default() }
    }

    /// The recipe of this quality.
    pub fn quality(quality: Quality) -> Self {
        Self::new(MstConfig::quality(quality))
    }
}

impl Job for MstJob {
    type Data = [Sentence];
    type Dev = [Sentence];
    type Model = Mst;

    fn learn(
        &self,
        sentences: &[Sentence],
        dev: Option<&[Sentence]>,
        observer: &mut dyn Observer,
    ) -> Result<Trained<Mst>, Error> {
        let clusters = self.classes.as_ref().map(WordClasses::paths);
        let learner = MstLearner { config: self.config.clone(), clusters, source: self.source.clone() };
        let mut learned = learner.learn(sentences, observer)?;
        if let Some(dev) = dev {
            observer.stage("calibrate", None);
            learned.model.calibrate(dev);
        }
        let metadata = learned.model.metadata().with_note("sentences", sentences.len());
        Ok(Trained::new(learned.model, metadata, learned.report))
    }

    fn score(&self, model: &Mst, dev: &[Sentence], observer: &mut dyn Observer) -> Result<DevScores, Error> {
        Ok(DevScores::one("dev", score_attachment(&Parser::new(model), dev, dev, observer)?))
    }
}

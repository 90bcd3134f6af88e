//! Training of taggers and entity recognisers.

use models::learn::{Learner, Observer};
use models::persist::ModelFile;
use tagging::tagger::{TaggedSentence, Tagger, TaggerConfig, TaggerData, TaggerLearner};

use super::{DevScores, Job, Measure, Trained};
use crate::Error;
use crate::tagging::score_tagger;

/// Training of a tagger. The columns come with the data: [`column_data`](crate::tagging::column_data) makes it from
/// CoNLL-U.
///
/// ```
/// use eigentree::data::{Column, ConlluReader, Resources, Sentence};
/// use eigentree::learn::Silent;
/// use eigentree::tagging::column_data;
/// use eigentree::training::{Job, TaggerJob};
/// let text = "1\tdogs\t_\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\tbark\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n".repeat(20);
/// let sentences: Vec<Sentence> = ConlluReader::new(text.as_bytes(), "-").collect::<Result<_, _>>()?;
/// let data = column_data(&sentences, &[Column::Upos], Resources::default());
/// let tagger = TaggerJob::default().run(&data, None, &mut Silent)?.model;
/// let words = ["dogs", "bark"].map(str::to_owned);
/// let tagging = tagger.tag(&words, &mut tagger.scratch());
/// assert!(tagging.labels(0).eq(["NOUN", "VERB"]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct TaggerJob {
    /// Configuration of the learner.
    pub config: TaggerConfig,
}

impl TaggerJob {
    /// A job with this configuration.
    pub fn new(config: TaggerConfig) -> Self {
        Self { config }
    }

    /// For entities: the data has [`entity_columns`](crate::tagging::entity_columns).
    pub fn entities() -> Self {
        Self::new(TaggerConfig::entities())
    }
}

impl Job for TaggerJob {
    type Data = TaggerData;
    type Dev = [TaggedSentence];
    type Model = Tagger;

    fn learn(
        &self,
        data: &TaggerData,
        dev: Option<&[TaggedSentence]>,
        observer: &mut dyn Observer,
    ) -> Result<Trained<Tagger>, Error> {
        let mut learned = TaggerLearner { config: self.config.clone() }.learn(data, observer)?;
        if let Some(dev) = dev {
            observer.stage("calibrate", None);
            learned.model.calibrate(dev);
        }
        let metadata = learned.model.metadata().with_note("sentences", data.sentences.len());
        Ok(Trained::new(learned.model, metadata, learned.report))
    }

    fn score(
        &self,
        model: &Tagger,
        dev: &[TaggedSentence],
        observer: &mut dyn Observer,
    ) -> Result<DevScores, Error> {
        Ok(DevScores::one("dev", score_labels(model, dev, observer)?))
    }
}

/// Labels sentences, and scores the labels.
pub(super) fn score_labels(
    tagger: &Tagger,
    dev: &[TaggedSentence],
    observer: &mut dyn Observer,
) -> Result<Measure, Error> {
    observer.stage("tag dev", Some(dev.len() as u64));
    Ok(Measure::Labels(Box::new(score_tagger(tagger, dev, observer)?)))
}

//! Learns a tagger from labelled sentences.

use super::config::TaggerConfig;
use super::data::TaggerData;
use super::descent::Descent;
use super::dictionary::Dictionary;
use super::examples::Examples;
use super::labels::{self, LabelColumn};
use super::model::Tagger;
use super::vectors::VectorRows;
use models::learn::{LearnError, Learned, Learner, Observer, Progress};
use models::log_linear::SparseWeights;

/// Learns taggers.
///
/// ```
/// use models::learn::{Learner, Silent};
/// use eigentree_tagging::tagger::{ColumnKind, TaggedSentence, TaggerData, TaggerLearner};
/// let sentence = |words: &str, tags: &str| TaggedSentence {
///     words: words.split(' ').map(str::to_owned).collect(),
///     labels: vec![tags.split(' ').map(str::to_owned).collect()],
/// };
/// let data = TaggerData {
///     columns: vec![("upos".to_owned(), ColumnKind::Plain)],
///     sentences: vec![sentence("the dog barks", "DET NOUN VERB"), sentence("a cat sleeps", "DET NOUN VERB")],
///     ..TaggerData::default()
/// };
/// let mut learner = TaggerLearner::default();
/// learner.config.least_count = 1;
/// let tagger = learner.learn(&data, &mut Silent)?.model;
/// let tagging = tagger.tag(&["the", "cat", "barks"], &mut tagger.scratch());
/// let labels: Vec<&str> = tagging.labels(0).collect();
/// assert_eq!(labels, ["DET", "NOUN", "VERB"]);
/// # Ok::<(), models::learn::LearnError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct TaggerLearner {
    /// Configuration.
    pub config: TaggerConfig,
}

impl Learner for TaggerLearner {
    type Data = TaggerData;
    type Model = Tagger;

    fn learn(&self, data: &TaggerData, observer: &mut dyn Observer) -> Result<Learned<Tagger>, LearnError> {
        check(data)?;
        let mut progress = Progress::new(observer);
        let config = &self.config;
        let columns = labels::collect(&data.columns, &data.sentences)?;
        let dictionary = Dictionary::of(&data.sentences, &columns, config);
        let resources = &data.resources;
        let (examples, rows, named) =
            Examples::collect(&data.sentences, &columns, &dictionary, resources, config, &mut progress)?;
        let all = columns.last().map_or(0, |column| column.range().end);
        let scale = config.vector_scale;
        let vectors =
            resources.vectors.as_ref().map(|table| VectorRows::new(table, config.template, all, scale));
        let mut descent = Descent::new(config, &examples, &columns, &dictionary, rows, vectors);
        let passes = descent.run(&mut progress)?;
        let Descent { rows, vectors, chains, .. } = descent;
        let weights = SparseWeights::round(named.into_iter(), &rows, passes);
        let vector_weights = vectors.map(|vectors| vectors.mean(passes));
        let transitions = chains.into_iter().map(|chain| chain.mean(passes)).collect();
        progress.figure("labels", columns.iter().map(LabelColumn::len).sum::<usize>() as f64);
        progress.figure("words in the dictionary", dictionary.len() as f64);
        let model = Tagger {
            config: config.clone(),
            columns,
            dictionary,
            resources: resources.clone(),
            weights,
            vector_weights,
            transitions,
        };
        Ok(progress.finish(model))
    }
}

fn check(data: &TaggerData) -> Result<(), LearnError> {
    if data.columns.is_empty() {
        return Err(LearnError::bad_config("no column to learn; name at least one"));
    }
    if data.sentences.iter().all(|sentence| sentence.words.is_empty()) {
        return Err(LearnError::bad_data("no words to learn from; give at least one sentence"));
    }
    for (number, sentence) in data.sentences.iter().enumerate() {
        let whole = sentence.labels.len() == data.columns.len()
            && sentence.labels.iter().all(|labels| labels.len() == sentence.words.len());
        if !whole {
            return Err(LearnError::bad_data(format!(
                "sentence {} does not have one label per word and column",
                number + 1
            )));
        }
    }
    Ok(())
}

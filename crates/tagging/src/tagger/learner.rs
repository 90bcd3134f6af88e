//! Learns a tagger from labelled sentences.

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use super::calibration::default_odds;
use super::closed::ClosedWords;
use super::config::TaggerConfig;
use super::data::{Resources, TaggerData};
use super::descent::Descent;
use super::dictionary::Dictionary;
use super::examples::Examples;
use super::labels::{self, ColumnKind, LabelColumn};
use super::layer::Layer;
use super::layout::{NewBundles, layers, transitions};
use super::model::Tagger;
use super::network::{NetworkTraining, Networks};
use super::vectors::VectorRows;
use crate::lemmatizer::{Lemmatizer, LemmatizerData, LemmatizerLearner};
use models::confidence::Odds;
use models::learn::{LearnError, LearnReport, Learned, Learner, Observer, Progress};
use models::log_linear::SparseWeights;

/// Number of sentences between two calls of the observer.
const CHUNK: usize = 256;

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
        let lemmatizer = self.lemmas(data, observer)?;
        let mut progress = Progress::new(observer);
        let config = &self.config;
        let new = NewBundles::of(label_columns(data), &data.sentences, config);
        let columns = labels::collect(label_columns(data), &data.sentences, &new)?;
        let dictionary = Dictionary::of(&data.sentences, &columns, config);
        let resources = &data.resources;
        let layers = layers(&columns, &data.sentences, &new, config)?;
        let (examples, rows, named) = Examples::collect(
            &data.sentences,
            &columns,
            &layers,
            &dictionary,
            resources,
            config,
            &mut progress,
        )?;
        let all = layers.last().map_or(0, Layer::end);
        let closed = ClosedWords::of(config, &dictionary, &columns, &layers);
        let scale = config.vector_scale;
        let vectors =
            resources.vectors.as_ref().map(|table| VectorRows::new(table, config.template, all, scale));
        let mut descent =
            Descent::new(config, &examples, &layers, &closed, transitions(&columns, &layers), rows, vectors);
        let passes = descent.run(&mut progress)?;
        let networks = self.networks(&examples, &layers, &closed, &mut progress)?;
        let Descent { rows, vectors, chains, .. } = descent;
        let weights = SparseWeights::round(named.into_iter(), &rows, passes);
        let vector_weights = vectors.map(|vectors| vectors.mean(passes));
        let transitions = chains.into_iter().map(|chain| chain.mean(passes)).collect();
        progress.figure("labels", columns.iter().map(LabelColumn::len).sum::<usize>() as f64);
        progress.figure("combinations of labels", layers.iter().map(Layer::len).sum::<usize>() as f64);
        progress.figure("words in the dictionary", dictionary.len() as f64);
        let (lemmatizer, lemma_report) = lemmatizer.map(|learned| (learned.model, learned.report)).unzip();
        let odds = match networks {
            Some(_) => columns.iter().map(default_odds).collect(),
            None => vec![Odds::UNCHANGED; columns.len()],
        };
        let model = Tagger {
            config: config.clone(),
            odds,
            columns,
            dictionary,
            resources: Resources { lexicon: None, ..resources.clone() },
            weights,
            vector_weights,
            layers,
            transitions,
            closed,
            networks,
            lemmatizer,
        };
        let mut learned = progress.finish(model);
        learned.report.stages.extend(lemma_report.into_iter().flat_map(|report: LearnReport| report.stages));
        Ok(learned)
    }
}

impl TaggerLearner {
    /// Learns the networks, if there are to be any.
    fn networks(
        &self,
        examples: &Examples,
        layers: &[Layer],
        closed: &ClosedWords,
        progress: &mut Progress<'_>,
    ) -> Result<Option<Networks>, LearnError> {
        let Some(config) = self.config.network.filter(|config| config.members > 0 && !layers.is_empty())
        else {
            return Ok(None);
        };
        let mut order: Vec<usize> = (0..examples.sentences()).collect();
        let mut rng = ChaCha8Rng::seed_from_u64(self.config.seed);
        progress.stage("networks", Some((config.members * config.epochs * order.len()) as u64))?;
        let mut members = Vec::with_capacity(config.members);
        for member in 0..config.members {
            let work = (config.epochs * examples.all_words()) as u64;
            let seed = self.config.seed.wrapping_add(member as u64);
            let mut training = NetworkTraining::new(config, layers, closed, work, seed);
            for _ in 0..config.epochs {
                order.shuffle(&mut rng);
                for chunk in order.chunks(CHUNK) {
                    for &sentence in chunk {
                        training.learn(examples.inputs(), examples.lessons(sentence));
                    }
                    progress.advance(chunk.len() as u64)?;
                }
            }
            members.push(training.finish());
        }
        Ok(Some(Networks::new(members, config.weight)))
    }

    /// Learns the lemmas, if the data has them.
    fn lemmas(
        &self,
        data: &TaggerData,
        observer: &mut dyn Observer,
    ) -> Result<Option<Learned<Lemmatizer>>, LearnError> {
        let columns = label_columns(data);
        if columns.len() == data.columns.len() {
            return Ok(None);
        }
        let mut words = LemmatizerData::default();
        for sentence in &data.sentences {
            let (tags, lemmas) = sentence.labels.split_at(columns.len());
            for (at, (form, lemma)) in sentence.words.iter().zip(&lemmas[0]).enumerate() {
                words.push(form, tags.iter().map(|labels| labels[at].as_str()), lemma);
            }
        }
        for word in data.resources.lexicon.iter().flat_map(|lexicon| &lexicon.words) {
            let tag = |(name, _): &'_ (String, ColumnKind)| match name.as_str() {
                "upos" => word.upos.as_str(),
                "feats" => word.feats.as_deref().unwrap_or_default(),
                _ => "",
            };
            words.push_listed(&word.form, columns.iter().map(tag), &word.lemma);
        }
        LemmatizerLearner::default().learn(&words, observer).map(Some)
    }
}

/// The columns with labels: all but that of lemmas.
fn label_columns(data: &TaggerData) -> &[(String, ColumnKind)] {
    match data.columns.split_last() {
        Some(((_, ColumnKind::Lemmas), labels)) => labels,
        _ => &data.columns,
    }
}

fn check(data: &TaggerData) -> Result<(), LearnError> {
    if data.columns.is_empty() {
        return Err(LearnError::bad_config("no column to learn; name at least one"));
    }
    if label_columns(data).iter().any(|(_, kind)| *kind == ColumnKind::Lemmas) {
        return Err(LearnError::bad_config(
            "a column of lemmas must be the last one, and there can be only one",
        ));
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

//! Learns which scripts forms take, by AdaGrad on the likelihood of the scripts of distinct words.

use super::config::LemmatizerConfig;
use super::data::LemmatizerData;
use super::examples::Examples;
use super::model::Lemmatizer;
use super::table::Table;
use crate::passes::Passes;
use models::learn::{LearnError, Learned, Learner, Observer, Progress};
use models::log_linear::{Rows, SparseWeights};

/// Learns lemmatizers.
///
/// ```
/// use eigentree_tagging::lemmatizer::{LemmatizerData, LemmatizerLearner};
/// use models::learn::{Learner, Silent};
/// let mut data = LemmatizerData::default();
/// for (form, tag, lemma) in [("dogs", "NOUN", "dog"), ("Cats", "NOUN", "cat"), ("was", "AUX", "be"), ("is", "AUX", "be")] {
///     data.push(form, [tag], lemma);
/// }
/// let lemmatizer = LemmatizerLearner::default().learn(&data, &mut Silent)?.model;
/// let mut scratch = lemmatizer.scratch();
/// assert_eq!(lemmatizer.lemma("Whales", ["NOUN"], &mut scratch), "whale");
/// assert_eq!(lemmatizer.lemma("was", ["AUX"], &mut scratch), "be");
/// # Ok::<(), models::learn::LearnError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct LemmatizerLearner {
    /// Configuration.
    pub config: LemmatizerConfig,
}

/// Number of words processed in the order in which they are stored.
const BLOCK: usize = 16;
/// Number of words between two calls of the observer.
const CHUNK: usize = 4096;
/// Gradients below this change no weight.
const NEGLIGIBLE: f32 = 1e-4;

impl Learner for LemmatizerLearner {
    type Data = LemmatizerData;
    type Model = Lemmatizer;

    fn learn(
        &self,
        data: &LemmatizerData,
        observer: &mut dyn Observer,
    ) -> Result<Learned<Lemmatizer>, LearnError> {
        let config = &self.config;
        let mut progress = Progress::new(observer);
        let table = Table::of(data);
        let mut examples = Examples::of(&table, config);
        progress.stage("lemmas", Some((config.passes * examples.words.len()) as u64))?;
        let (mut rows, named) = examples.cases.number(config.least_count, examples.scripts.len());
        let passes = descend(&examples, config, &mut rows, &mut progress)?;
        let weights = SparseWeights::round(named.into_iter(), &rows, passes);
        let Examples { scripts, candidates, .. } = examples;
        progress.figure("edit scripts", scripts.len() as f64);
        progress.figure("words with lemmas", table.len() as f64);
        Ok(progress.finish(Lemmatizer { config: config.clone(), table, scripts, candidates, weights }))
    }
}

/// Updates the weights and returns the number of passes in their sums.
fn descend(
    examples: &Examples,
    config: &LemmatizerConfig,
    rows: &mut Rows,
    progress: &mut Progress<'_>,
) -> Result<usize, LearnError> {
    let mut step = Step { scores: vec![0.0; examples.scripts.len()], active: Vec::new() };
    let passes = Passes { passes: config.passes, certain: config.certain, block: BLOCK, chunk: CHUNK };
    passes
        .descend(examples.words.len(), rows, progress, |word, rows| step.visit(word, examples, config, rows))
}

/// Memory for one step.
struct Step {
    /// Scores of all scripts, then their gradients.
    scores: Vec<f32>,
    /// The scripts that fit, with their gradients.
    active: Vec<(u16, f32)>,
}

impl Step {
    /// Learns from one word; returns how far its script was from certain.
    fn visit(&mut self, word: usize, examples: &Examples, config: &LemmatizerConfig, rows: &mut Rows) -> f32 {
        let Self { scores, active } = self;
        let (features, right) = (examples.cases.features(word), examples.cases.label(word));
        scores.fill(0.0);
        features.iter().for_each(|&row| rows.add_weights(row, scores));
        active.clear();
        active.extend(examples.fitting(word).iter().map(|&script| (script, scores[usize::from(script)])));
        let most = active.iter().map(|own| own.1).fold(f32::NEG_INFINITY, f32::max);
        active.iter_mut().for_each(|own| own.1 = (own.1 - most).exp());
        let total: f32 = active.iter().map(|own| own.1).sum();
        let mut doubt = 1.0;
        for (script, value) in active.iter_mut() {
            *value /= total;
            if *script == right {
                doubt = 1.0 - *value;
                *value -= 1.0;
            }
        }
        if doubt > config.certain {
            active.retain(|own| own.1.abs() > NEGLIGIBLE);
            scores.fill(0.0);
            active.iter().for_each(|&(script, slope)| scores[usize::from(script)] = slope);
            features.iter().for_each(|&row| rows.descend(row, scores, active, config.rate, config.damping));
        }
        doubt
    }
}

//! Training of models of sequences.

use models::learn::Observer;
use models::persist::ModelFile;
use sequences::sequence::{Method, SequenceConfig, SequenceLearner, SequenceModel};

use super::{DevScores, Job, Trained};
use crate::Error;
use crate::sequences::SequenceFile;

/// Training of a model of sequences. The number of states and the weights are chosen by development sequences, or by a held-out
/// tenth of the data.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct SequenceJob {
    /// Configuration of the learner.
    pub config: SequenceConfig,
    /// Tokens that occur less often are one symbol.
    pub min_count: usize,
    /// The most frequent tokens that are kept apart; all others are one symbol. Numbered symbols are all kept. Memory and
    /// time grow with the number of symbols.
    pub vocabulary: usize,
}

/// Tokens kept apart unless the job says otherwise: with 60 states, their operators take 115 MB.
const VOCABULARY: usize = 4000;

impl Default for SequenceJob {
    fn default() -> Self {
        Self::new(SequenceConfig::default())
    }
}

impl SequenceJob {
    /// A job with this configuration and defaults for everything else.
    pub fn new(config: SequenceConfig) -> Self {
        Self { config, min_count: 1, vocabulary: VOCABULARY }
    }

    /// A hidden Markov model in its fully reduced form.
    pub fn hmm() -> Self {
        Self::new(SequenceConfig { method: Method::ReducedHmm, ..SequenceConfig::default() })
    }
}

impl Job for SequenceJob {
    type Data = SequenceFile;
    type Dev = SequenceFile;
    type Model = SequenceModel;

    fn learn(
        &self,
        sequences: &SequenceFile,
        dev: Option<&SequenceFile>,
        observer: &mut dyn Observer,
    ) -> Result<Trained<SequenceModel>, Error> {
        let alphabet = sequences.alphabet_of(self.min_count, self.vocabulary);
        let all = sequences.alphabet(self.min_count).len();
        if alphabet.len() < all {
            observer.note(format_args!(
                "{} of {all} different tokens are kept apart, the most frequent ones; the others are one symbol",
                self.vocabulary
            ));
        }
        let counts = sequences.counts(&alphabet, "the sequences")?;
        let dev = dev.map(|dev| dev.counts(&alphabet, "the development sequences")).transpose()?;
        let learner = SequenceLearner { config: self.config.clone() };
        let learned = learner.learn(&counts, dev.as_ref(), observer)?;
        let model = learned
            .model
            .with_alphabet(alphabet)
            .ok_or_else(|| Error::Data("the model has other symbols than the data".to_owned()))?;
        let metadata = model.metadata().with_note("sequences", sequences.len());
        Ok(Trained::new(model, metadata, learned.report))
    }

    /// Returns no scores: the development sequences have served to choose, so their likelihood would be too optimistic.
    fn score(
        &self,
        _model: &SequenceModel,
        _dev: &SequenceFile,
        _observer: &mut dyn Observer,
    ) -> Result<DevScores, Error> {
        Ok(DevScores::default())
    }
}

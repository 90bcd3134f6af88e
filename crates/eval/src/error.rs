//! Errors of scoring a prediction against the gold annotation.

use corpus::error::ReadError;

/// Why two annotations cannot be compared. Sentences are counted from 1.
#[derive(Debug, thiserror::Error)]
pub enum EvalError {
    /// The two sides have different numbers of sentences.
    #[error(
        "cannot compare: {gold} gold sentences but {predicted} predicted ones; \
         the prediction must have one entry per gold sentence, in the same order"
    )]
    SentenceCount {
        /// Number of gold sentences.
        gold: usize,
        /// Number of predicted sentences.
        predicted: usize,
    },
    /// A sentence has different numbers of words.
    #[error(
        "cannot compare sentence {sentence}: {gold} words in the gold annotation but {predicted} in the prediction; \
         check that both come from the same tokenised text"
    )]
    Length {
        /// Sentence number.
        sentence: usize,
        /// Number of gold words.
        gold: usize,
        /// Number of predicted words.
        predicted: usize,
    },
    /// A sentence has different words.
    #[error(
        "cannot compare sentence {sentence}: word {word} is `{gold}` in the gold annotation ({gold_words} words) but \
         `{predicted}` in the prediction ({predicted_words} words); check that both come from the same text"
    )]
    Word {
        /// Sentence number.
        sentence: usize,
        /// Word number, counted from 1.
        word: usize,
        /// The gold word.
        gold: String,
        /// The predicted word.
        predicted: String,
        /// Number of gold words.
        gold_words: usize,
        /// Number of predicted words.
        predicted_words: usize,
    },
    /// The gold annotation lacks something that is to be compared.
    #[error("cannot score sentence {sentence}: the gold annotation has {lacks}")]
    Gold {
        /// Sentence number.
        sentence: usize,
        /// What is wrong with the annotation.
        lacks: String,
    },
    /// Two texts differ in more than white space.
    #[error(
        "cannot align the texts: without white space they differ from character {character} on, \
         `{gold}` in the gold annotation but `{predicted}` in the prediction"
    )]
    Text {
        /// First different character, counted from 1 without white space.
        character: usize,
        /// The gold text from there on.
        gold: String,
        /// The predicted text from there on.
        predicted: String,
    },
    /// Two lists have different lengths.
    #[error("cannot compare {what}: {first} on one side but {second} on the other")]
    Unpaired {
        /// What the lists contain.
        what: &'static str,
        /// Length of the first list.
        first: usize,
        /// Length of the second list.
        second: usize,
    },
    /// An invalid setting.
    #[error("cannot use the setting {setting}: {reason}")]
    Setting {
        /// Name and value of the setting.
        setting: String,
        /// Why it is invalid.
        reason: String,
    },
    /// An input could not be read.
    #[error(transparent)]
    Read(#[from] ReadError),
}

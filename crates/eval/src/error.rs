//! Why a prediction could not be scored against the gold annotation.

use corpus::error::ReadError;

/// Why two annotations cannot be compared. Sentences are numbered from 1.
#[derive(Debug, thiserror::Error)]
pub enum EvalError {
    /// One side has more sentences.
    #[error(
        "cannot compare: {gold} gold sentences but {predicted} predicted ones; \
         the prediction must have one entry a gold sentence, in the same order"
    )]
    SentenceCount {
        /// Gold sentences.
        gold: usize,
        /// Predicted sentences.
        predicted: usize,
    },
    /// One sentence has another number of words.
    #[error(
        "cannot compare sentence {sentence}: {gold} words in the gold annotation but {predicted} in the prediction; \
         check that both come from the same tokenised text"
    )]
    Length {
        /// Which sentence.
        sentence: usize,
        /// Gold words.
        gold: usize,
        /// Predicted words.
        predicted: usize,
    },
    /// One sentence has another word.
    #[error(
        "cannot compare sentence {sentence}: word {word} is `{gold}` in the gold annotation ({gold_words} words) but \
         `{predicted}` in the prediction ({predicted_words} words); check that both come from the same text"
    )]
    Word {
        /// Which sentence.
        sentence: usize,
        /// Which word, from 1.
        word: usize,
        /// The gold word.
        gold: String,
        /// The predicted word.
        predicted: String,
        /// Gold words.
        gold_words: usize,
        /// Predicted words.
        predicted_words: usize,
    },
    /// The gold annotation lacks what is to be compared.
    #[error("cannot score sentence {sentence}: the gold annotation has {lacks}")]
    Gold {
        /// Which sentence.
        sentence: usize,
        /// What is wrong with it.
        lacks: String,
    },
    /// Two texts that should be the same but for white space are not.
    #[error(
        "cannot align the texts: without white space they differ from character {character} on, \
         `{gold}` in the gold annotation but `{predicted}` in the prediction"
    )]
    Text {
        /// Where they part, from 1, white space not counted.
        character: usize,
        /// What the gold text has from there on.
        gold: String,
        /// What the predicted text has from there on.
        predicted: String,
    },
    /// Two lists that must go together do not.
    #[error("cannot compare {what}: {first} on one side but {second} on the other")]
    Unpaired {
        /// What was counted.
        what: &'static str,
        /// How many the first has.
        first: usize,
        /// How many the second has.
        second: usize,
    },
    /// A setting that makes no sense.
    #[error("cannot use the setting {setting}: {reason}")]
    Setting {
        /// Its name and value.
        setting: String,
        /// Why not.
        reason: String,
    },
    /// An input could not be read.
    #[error(transparent)]
    Read(#[from] ReadError),
}

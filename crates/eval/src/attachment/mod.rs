//! Dependency attachment, after the evaluation of the CoNLL 2018 shared task (Zeman et al. 2018, section 5).
//!
//! Each figure is an F1 over words, 2 · correct / (gold + predicted), which is plain accuracy where both sides have the
//! same words. A word is correct for
//!
//! | figure | if these agree | over |
//! |---|---|---|
//! | UAS | the head | all words |
//! | LAS | the head and the relation | all words |
//! | CLAS | the head and the relation | content words |
//! | MLAS | head, relation, UPOS, features, and the same of all function words below it | content words |
//! | BLEX | head, relation and lemma | content words |
//! | UPOS, XPOS, UFeats, lemmas | that column | all words |
//! | AllTags | UPOS, XPOS and features | all words |
//!
//! - Relations are compared up to the first `:`; see [`Subtypes`].
//! - A content word has one of the 29 relations that are neither functional (`aux` `cop` `mark` `det` `clf` `case`
//!   `cc`) nor `punct`. The gold side counts by gold relations and the predicted side by predicted ones, so CLAS is not
//!   an accuracy.
//! - Punctuation counts. The variants `uas_no_punct` and `las_no_punct` exclude words whose gold UPOS is `PUNCT` or
//!   whose gold relation is `punct`.
//! - Only the universal features count, in any order. A gold lemma `_` matches everything.
//! - Multiword ranges and empty nodes are not words.
//!
//! [`score_sentences`] requires the same words on both sides; [`alignment`](crate::alignment) does not. Departure: the
//! script rejects a prediction that is not a tree; here a missing or invalid head is simply wrong.

mod compare;
mod config;
mod scores;
mod words;

pub(crate) use compare::{Side, compare};
pub use config::{AttachmentConfig, Subtypes};
pub(crate) use scores::check_gold;
pub use scores::{
    AttachmentCounts, AttachmentMetric, AttachmentScores, score_pair, score_readers, score_sentences,
};
pub(crate) use words::{Word, words};

//! Labelled brackets, after EVALB (Sekine and Collins) with the parameter file `COLLINS.prm`.
//!
//! A bracket is a phrase (a node that is not a preterminal) with its label and the words it spans. With `M` the
//! multiset intersection of the gold brackets `G` and the predicted brackets `P`: precision = |M| / |P|, recall = |M| /
//! |G|, F1 = 2 |M| / (|G| + |P|), all summed over sentences before dividing. A sentence matches exactly if |M| = |G| =
//! |P|. A predicted bracket crosses if it overlaps a gold bracket and neither contains the other.
//!
//! The default conventions, [`BracketConfig::collins`]:
//!
//! - Words tagged `-NONE-` are dropped from each tree by its own tags. The rest are the words of the sentence. Their
//!   number in the gold tree, punctuation included, is the length to which the limit of 40 refers.
//! - Words tagged `,` `:` ` `` ` `''` or `.` are dropped. Spans are counted over the remaining words, and phrases
//!   without remaining words are dropped.
//! - Brackets labelled `TOP` are dropped; their children stay.
//! - Labels are cut at the first `-` or `=`, and `PRT` equals `ADVP`.
//! - Tag accuracy is computed over the remaining words.
//! - A sentence without remaining words is skipped: it counts in no figure.
//!
//! Departures from EVALB, all in cases where it would report an error, skip a sentence, or count a node that is not a
//! phrase:
//!
//! - Punctuation is dropped from both trees by the *gold* tag. EVALB uses the tags of each tree, so a wrong tag on a
//!   comma is a length error and the sentence is lost. Trees with the same punctuation tags give the same scores.
//! - A sentence without a predicted tree counts with its gold brackets and no predicted ones, so that giving up does
//!   not improve the score. EVALB skips it; see [`MissingTree`].
//! - `ROOT`, `S1`, `VROOT` and the empty label are dropped like `TOP`, and so is [`FALLBACK_LABEL`].
//! - A label that begins with `-` is not cut.
//! - The length of lines, words and labels is not limited.

mod config;
mod parameters;
mod scorer;
mod scores;
mod spans;

pub use config::{BracketConfig, FunctionTags, Labelling, Mismatch, MissingTree, WordCheck};
pub use corpus::tree::FALLBACK_LABEL;
pub use scorer::{BracketScorer, score_entries, score_readers};
pub use scores::{BracketMetric, BracketScores, BracketSummary, Outcome, SentenceBrackets};
pub(crate) use spans::{Bracket, words_and_brackets};

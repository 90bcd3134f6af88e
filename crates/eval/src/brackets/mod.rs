//! Labelled brackets, after EVALB (Sekine and Collins) with the parameter file `COLLINS.prm`.
//!
//! A bracket is a phrase (a node that is not a preterminal) with its label and the words it spans. With `M` the multiset
//! intersection of the gold brackets `G` and the predicted brackets `P`: precision = |M| / |P|, recall = |M| / |G|,
//! F1 = 2 |M| / (|G| + |P|), all summed over sentences before dividing. A sentence matches exactly if |M| = |G| = |P|. A
//! predicted bracket crosses if it overlaps some gold bracket without either holding the other.
//!
//! What is compared, in the default [`BracketConfig::collins`]:
//!
//! - Words tagged `-NONE-` are dropped from each tree by its own tags; the rest are the words of the sentence, and their
//!   number in the gold tree is the length that the limit of 40 refers to, punctuation included.
//! - Words whose tag is `,` `:` ` `` ` `''` or `.` are dropped, spans are counted over the remaining words, and phrases
//!   that hold none of those are gone.
//! - Brackets labelled `TOP` are dropped; their children stay.
//! - Labels are cut at the first `-` or `=`, and `PRT` equals `ADVP`.
//! - The tag accuracy is over the remaining words.
//! - A sentence of which no words remain is skipped: it counts in no figure.
//!
//! Departures from EVALB, all where it would give an error, leave out a sentence, or count a node that is no phrase:
//!
//! - Punctuation is dropped by the *gold* tag from both trees. EVALB uses each tree's own tags, so that a wrong tag on a
//!   comma is an error of length and the sentence is lost. On trees with the same punctuation tags there is no difference.
//! - A sentence without a predicted tree counts with its gold brackets and no predicted ones: giving up is no way to a
//!   better score. EVALB skips it; see [`MissingTree`].
//! - `ROOT`, `S1`, `VROOT` and the empty label are dropped like `TOP`, and so is [`FALLBACK_LABEL`].
//! - A label that begins with `-` is not cut.
//! - There is no limit to the length of lines, words and labels.

mod config;
mod parameters;
mod scorer;
mod scores;
mod spans;

pub use config::{BracketConfig, FunctionTags, Labelling, Mismatch, MissingTree, WordCheck};
pub use corpus::tree::FALLBACK_LABEL;
pub use scorer::{BracketScorer, score_entries, score_readers};
pub use scores::{BracketMetric, BracketScores, BracketSummary, Outcome, SentenceBrackets};

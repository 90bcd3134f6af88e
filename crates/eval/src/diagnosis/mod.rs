//! Where a prediction is wrong: figures by class, length and familiarity, confusions, and a score per sentence.
//!
//! All figures come from [`Counts`] of matched, gold and predicted items, so F1 of a class whose items are the same on
//! both sides is plain accuracy. Kinds of annotation differ only in what they count:
//!
//! | annotation | figures | breakdowns |
//! |---|---|---|
//! | [`dependencies`] | `tag`, `head`, `arc` (head and relation) | relation, tag, distance of the head, length, known words |
//! | [`trees`] | `brackets`, `tags` | label, tag, length of the span and of the sentence, known words |
//! | [`entities`] | `entities`, `tags` | class, length of the entity and of the sentence, known entities |
//!
//! A word is *known* if it occurs in the training data, as it is spelt.

mod analysis;
mod breakdown;
mod confusion;
mod dependencies;
mod entities;
mod lengths;
mod trees;

use std::collections::HashSet;

pub use analysis::{Diagnosis, SentenceScore};
pub use breakdown::{Breakdown, BreakdownRow};
pub use confusion::ConfusionMatrix;
pub use dependencies::{dependencies, known_words};
pub use entities::{entities, known_entities};
pub use trees::{trees, wrong_brackets};

use crate::counts::Counts;

/// What is known from the training data.
pub type Known = HashSet<String>;

/// One item that is the same on both sides, right or wrong.
fn one(right: bool) -> Counts {
    Counts { matched: u64::from(right), gold: 1, predicted: 1 }
}

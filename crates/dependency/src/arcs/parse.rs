//! What a dependency parser makes of a sentence.

use corpus::dependency::Head;
use corpus::ids::LabelId;

/// A tree over the words of a sentence.
#[derive(Clone, PartialEq, Debug)]
pub struct DependencyParse {
    /// The head of every word.
    pub heads: Vec<Head>,
    /// The label of every word, numbered as the model numbers them.
    pub labels: Vec<LabelId>,
    /// The score by which it is better than others; a log-probability where the model has one.
    pub score: f64,
    /// How probable it is, by the model, that a word has this head and this label; empty unless that was asked for.
    pub confidences: Vec<f32>,
}

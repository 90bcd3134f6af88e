//! The output of a dependency parser.

use corpus::dependency::Head;
use corpus::ids::LabelId;

/// A tree over the words of a sentence.
#[derive(Clone, PartialEq, Debug)]
pub struct DependencyParse {
    /// The head of every word.
    pub heads: Vec<Head>,
    /// The label of every word, by its id in the model.
    pub labels: Vec<LabelId>,
    /// The score of the tree; a log-probability where the model has one.
    pub score: f64,
    /// The model's probability that a word has this head and this label; empty unless requested.
    pub confidences: Vec<f32>,
}

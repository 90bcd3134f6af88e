//! Configuration of checks.

use crate::reading::Format;

/// What counts as suspicious.
#[derive(Clone, Debug)]
pub struct CheckConfig {
    /// Format of the files; `None` detects it.
    pub format: Option<Format>,
    /// Labels that occur less often are reported.
    pub rare: usize,
    /// Shorter sentences, such as "Yes.", may occur twice.
    pub duplicate_words: usize,
    /// Number of equal words on each side of a word whose label varies. With 1, many real ambiguities are reported.
    pub context: usize,
    /// The longest context that is looked for, on each side.
    pub longest_context: usize,
}

impl Default for CheckConfig {
    fn default() -> Self {
        Self { format: None, rare: 3, duplicate_words: 5, context: 2, longest_context: 6 }
    }
}

//! Configuration of a selection.

/// How sentences are picked.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Strategy {
    /// Uncertain sentences that differ from one another.
    #[default]
    Diverse,
    /// The most uncertain sentences per word, whatever the others.
    Uncertain,
    /// At random, for comparison.
    Random,
}

impl Strategy {
    /// Its name in options and reports.
    pub fn name(self) -> &'static str {
        match self {
            Strategy::Diverse => "select",
            Strategy::Uncertain => "uncertain",
            Strategy::Random => "random",
        }
    }
}

/// Configuration of a selection.
#[derive(Clone, Copy, Debug)]
pub struct SelectConfig {
    /// Number of sentences.
    pub count: usize,
    /// Number of words after which no further sentence is picked.
    pub words: usize,
    /// How sentences are picked.
    pub strategy: Strategy,
    /// Shorter sentences are left out.
    pub min_words: usize,
    /// Longer sentences are left out.
    pub max_words: usize,
    /// Random seed.
    pub seed: u64,
}

impl Default for SelectConfig {
    fn default() -> Self {
        Self {
            count: 100,
            words: usize::MAX,
            strategy: Strategy::default(),
            min_words: 3,
            max_words: 60,
            seed: 1,
        }
    }
}

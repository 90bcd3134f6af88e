//! Boundaries of sequences, and treatment of invalid bytes.

/// Where a sequence of words ends.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Boundaries {
    /// At the end of each line: words of different lines are not neighbours. Counts of several texts then add up
    /// exactly.
    #[default]
    Lines,
    /// Nowhere: the whole text, across lines and files, is one sequence, as in classic Brown clustering.
    None,
}

/// Treatment of bytes that are not valid UTF-8.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Encoding {
    /// Report an error with the position.
    #[default]
    Strict,
    /// Read them as U+FFFD, the replacement character.
    Lossy,
}

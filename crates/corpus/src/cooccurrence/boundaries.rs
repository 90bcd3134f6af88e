//! What a text is taken for.

/// Where sequences of words end.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Boundaries {
    /// At the end of each line: words of different lines are no neighbours. Counts of several texts then add up exactly.
    #[default]
    Lines,
    /// Nowhere: all text, over lines and files, is one sequence, as classic Brown clustering takes it.
    None,
}

/// What happens to bytes that are no UTF-8.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Encoding {
    /// They are an error with their place.
    #[default]
    Strict,
    /// They are read as U+FFFD, the replacement character.
    Lossy,
}

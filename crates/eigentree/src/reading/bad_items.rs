//! What happens to sentences that cannot be read.

use corpus::error::{ReadError, SyntaxError};

/// What to do with a sentence that does not follow its format.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum BadItems {
    /// Stop at the first.
    #[default]
    Refuse,
    /// Leave it out, and say where it was.
    Skip,
}

/// An iterator over what could be read. Bytes that do not come are an error under either policy.
///
/// ```
/// use corpus::format::penn::PennReader;
/// use eigentree::reading::{BadItems, Forgiving};
/// let text = "(S (NN a))\n(S NN b))\n(S (NN c))\n";
/// let mut trees = Forgiving::new(PennReader::new(text.as_bytes(), "example"), BadItems::Skip);
/// assert_eq!(trees.by_ref().filter_map(Result::ok).count(), 2);
/// assert_eq!(trees.into_skipped()[0].position.line, 2);
/// ```
#[derive(Debug)]
pub struct Forgiving<I> {
    items: I,
    policy: BadItems,
    skipped: Vec<SyntaxError>,
}

impl<I> Forgiving<I> {
    /// Over the items of a reader, which must be able to go on after a syntax error.
    pub fn new(items: I, policy: BadItems) -> Self {
        Self { items, policy, skipped: Vec::new() }
    }

    /// What was left out so far.
    pub fn skipped(&self) -> &[SyntaxError] {
        &self.skipped
    }

    /// What was left out.
    pub fn into_skipped(self) -> Vec<SyntaxError> {
        self.skipped
    }
}

impl<T, I: Iterator<Item = Result<T, ReadError>>> Iterator for Forgiving<I> {
    type Item = Result<T, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            match (self.items.next()?, self.policy) {
                (Err(ReadError::Syntax(error)), BadItems::Skip) => self.skipped.push(error),
                (item, _) => return Some(item),
            }
        }
    }
}

//! Policy for sentences that cannot be read.

use corpus::error::{ReadError, SyntaxError};

/// The treatment of a sentence that does not follow its format.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum BadItems {
    /// Stop at the first.
    #[default]
    Refuse,
    /// Skip it, and report where it was.
    Skip,
}

/// An iterator over the items that can be read. I/O errors are errors under either policy.
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
    /// Wraps a reader, which must be able to continue after a syntax error.
    pub fn new(items: I, policy: BadItems) -> Self {
        Self { items, policy, skipped: Vec::new() }
    }

    /// The errors skipped so far.
    pub fn skipped(&self) -> &[SyntaxError] {
        &self.skipped
    }

    /// The skipped errors.
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

//! What can be chosen.

use eval::attachment::AttachmentConfig;
use eval::brackets::BracketConfig;
use eval::significance::BootstrapConfig;

use crate::reading::BadItems;

/// Whether the words of a prediction are those of the gold corpus.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Tokens {
    /// They are; anything else is an error.
    #[default]
    Same,
    /// They may differ, and sentences too: what stands at the same place in the text is compared. CoNLL-U only.
    Align,
}

/// Whether UAS and LAS count punctuation.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Punctuation {
    /// They do, as in the CoNLL 2018 shared task.
    #[default]
    Counts,
    /// They do not: the figures without punctuation stand in their place.
    LeftOut,
}

/// The conventions of a comparison with gold; the defaults are the usual ones of each field.
#[derive(Clone, Debug, Default)]
pub struct ScoringConfig {
    /// For trees.
    pub brackets: BracketConfig,
    /// For dependencies.
    pub attachment: AttachmentConfig,
    /// For dependencies.
    pub punctuation: Punctuation,
    /// For dependencies.
    pub tokens: Tokens,
    /// For comparisons of two predictions.
    pub bootstrap: BootstrapConfig,
    /// A gold sentence that cannot be read leaves its pair out; a predicted one counts as wrong.
    pub bad_items: BadItems,
}

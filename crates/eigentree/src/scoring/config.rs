//! Configuration of scoring.

use eval::attachment::AttachmentConfig;
use eval::brackets::BracketConfig;
use eval::significance::BootstrapConfig;

use crate::reading::BadItems;

/// Whether the tokens of a prediction are those of the gold corpus.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Tokens {
    /// They are the same; anything else is an error.
    #[default]
    Same,
    /// They may differ, and sentences too: annotations at the same position in the text are compared. CoNLL-U only.
    Align,
}

/// Whether UAS and LAS count punctuation.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Punctuation {
    /// Yes, as in the CoNLL 2018 shared task.
    #[default]
    Counts,
    /// No: the scores without punctuation are reported instead.
    LeftOut,
}

/// The conventions of scoring; the defaults are the usual ones of each field.
#[derive(Clone, Debug, Default)]
pub struct ScoringConfig {
    /// Options for trees.
    pub brackets: BracketConfig,
    /// Options for dependencies.
    pub attachment: AttachmentConfig,
    /// Punctuation of dependencies.
    pub punctuation: Punctuation,
    /// Tokens of dependencies.
    pub tokens: Tokens,
    /// Options for comparisons of two predictions.
    pub bootstrap: BootstrapConfig,
    /// Policy for bad sentences: an unreadable gold sentence leaves out its pair; an unreadable predicted one counts as
    /// wrong.
    pub bad_items: BadItems,
}

//! The ten columns.

use std::fmt;

/// A column of CoNLL-U, in the order of the file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Column {
    /// Word number, range or empty-node id.
    Id,
    /// Word form.
    Form,
    /// Lemma.
    Lemma,
    /// Universal part of speech.
    Upos,
    /// Treebank-specific part of speech.
    Xpos,
    /// Morphological features.
    Feats,
    /// Number of the head word, 0 for the root.
    Head,
    /// Dependency relation.
    Deprel,
    /// Enhanced dependencies.
    Deps,
    /// Anything else.
    Misc,
}

impl Column {
    /// Number of columns.
    pub const COUNT: usize = 10;

    /// All columns, in the order of the file.
    pub const ALL: [Column; Column::COUNT] = [
        Column::Id,
        Column::Form,
        Column::Lemma,
        Column::Upos,
        Column::Xpos,
        Column::Feats,
        Column::Head,
        Column::Deprel,
        Column::Deps,
        Column::Misc,
    ];

    /// Name of the column in the format.
    pub fn name(self) -> &'static str {
        match self {
            Column::Id => "ID",
            Column::Form => "FORM",
            Column::Lemma => "LEMMA",
            Column::Upos => "UPOS",
            Column::Xpos => "XPOS",
            Column::Feats => "FEATS",
            Column::Head => "HEAD",
            Column::Deprel => "DEPREL",
            Column::Deps => "DEPS",
            Column::Misc => "MISC",
        }
    }
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

//! Choices that several commands offer.

use clap::ValueEnum;
use eigentree::conversion::{TagColumn, Target};
use eigentree::parsing::TagUse;
use eigentree::reading::{BadItems, Format};

/// A format to read.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum ReadFormat {
    /// Constituency trees in Penn brackets
    Ptb,
    /// CoNLL-U
    Conllu,
    /// CoNLL-X
    Conllx,
    /// Two columns, token and tag, between a TAB
    Bio,
    /// One sentence a line, words between blanks
    Words,
    /// The same with word_TAG
    Tagged,
}

impl From<ReadFormat> for Format {
    fn from(format: ReadFormat) -> Self {
        match format {
            ReadFormat::Ptb => Format::Ptb,
            ReadFormat::Conllu => Format::Conllu,
            ReadFormat::Conllx => Format::Conllx,
            ReadFormat::Bio => Format::Bio,
            ReadFormat::Words => Format::Words,
            ReadFormat::Tagged => Format::Tagged,
        }
    }
}

/// A format to write.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum WriteFormat {
    /// Constituency trees in Penn brackets
    Ptb,
    /// CoNLL-U
    Conllu,
    /// CoNLL-X
    Conllx,
    /// Two columns, token and tag, between a TAB
    Bio,
    /// One sentence a line, words between blanks
    Words,
    /// The same with word_TAG
    Tagged,
    /// One JSON object a line
    Json,
    /// One SVG document with all trees
    Svg,
    /// Trees in box characters, for the terminal
    Drawing,
}

impl From<WriteFormat> for Target {
    fn from(format: WriteFormat) -> Self {
        match format {
            WriteFormat::Ptb => Target::Ptb,
            WriteFormat::Conllu => Target::Conllu,
            WriteFormat::Conllx => Target::Conllx,
            WriteFormat::Bio => Target::Bio,
            WriteFormat::Words => Target::Words,
            WriteFormat::Tagged => Target::Tagged,
            WriteFormat::Json => Target::Json,
            WriteFormat::Svg => Target::Svg,
            WriteFormat::Drawing => Target::Drawing,
        }
    }
}

/// A column of CoNLL-U.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum TagColumnArg {
    /// Universal tags
    Upos,
    /// Tags of the language
    Xpos,
}

impl From<TagColumnArg> for TagColumn {
    fn from(column: TagColumnArg) -> Self {
        match column {
            TagColumnArg::Upos => TagColumn::Upos,
            TagColumnArg::Xpos => TagColumn::Xpos,
        }
    }
}

/// Whose tags are used.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum TagsArg {
    /// Those of the input
    Given,
    /// The parser's own
    Predicted,
}

impl From<TagsArg> for TagUse {
    fn from(tags: TagsArg) -> Self {
        match tags {
            TagsArg::Given => TagUse::Given,
            TagsArg::Predicted => TagUse::Predicted,
        }
    }
}

/// What `--skip-bad` means.
pub(super) fn bad_items(skip_bad: bool) -> BadItems {
    if skip_bad { BadItems::Skip } else { BadItems::Refuse }
}

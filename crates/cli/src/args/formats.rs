//! Enumerations shared by several commands.

use clap::ValueEnum;
use eigentree::conversion::{TagColumn, Target};
use eigentree::parsing::TagUse;
use eigentree::reading::{BadItems, Format};

/// Input format.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum ReadFormat {
    /// Constituency trees in Penn brackets
    Ptb,
    /// CoNLL-U
    Conllu,
    /// CoNLL-X
    Conllx,
    /// Two columns separated by a tab: token and tag
    Bio,
    /// One sentence per line, tokens separated by spaces
    Words,
    /// One sentence per line, tokens written as word_TAG
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

/// Output format.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum WriteFormat {
    /// Constituency trees in Penn brackets
    Ptb,
    /// CoNLL-U
    Conllu,
    /// CoNLL-X
    Conllx,
    /// Two columns separated by a tab: token and tag
    Bio,
    /// One sentence per line, tokens separated by spaces
    Words,
    /// One sentence per line, tokens written as word_TAG
    Tagged,
    /// One JSON object per line
    Json,
    /// One SVG document with all trees
    Svg,
    /// Trees drawn with box characters, for the terminal
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

/// Column of CoNLL-U.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum TagColumnArg {
    /// Universal tags
    Upos,
    /// Language-specific tags
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

/// Source of the tags.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum TagsArg {
    /// Tags of the input
    Given,
    /// Tags predicted by the parser
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

/// Policy for bad items implied by `--skip-bad`.
pub(super) fn bad_items(skip_bad: bool) -> BadItems {
    if skip_bad { BadItems::Skip } else { BadItems::Refuse }
}

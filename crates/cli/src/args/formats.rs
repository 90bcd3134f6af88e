//! Enumerations shared by several commands.

use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use eigentree::config::Quality;
use eigentree::conversion::{TagColumn, Target};
use eigentree::parsing::TagUse;
use eigentree::reading::{BadItems, Format};
use eigentree::sequences::SequenceFormat;
use eigentree::trials::TrialFamily;

/// Accepts the names of the input formats that a command offers.
pub(super) fn read_formats(offered: &'static [Format]) -> impl TypedValueParser<Value = Format> {
    let values = offered.iter().map(|format| PossibleValue::new(format.name()).help(format.description()));
    PossibleValuesParser::new(values).map(|name| named(&Format::ALL, &name, Format::name))
}

/// Accepts the names of the output formats that a command offers.
pub(super) fn write_formats(offered: &'static [Target]) -> impl TypedValueParser<Value = Target> {
    let values = offered.iter().map(|format| PossibleValue::new(format.name()).help(format.description()));
    PossibleValuesParser::new(values).map(|name| named(&Target::ALL, &name, Target::name))
}

/// Accepts the names of the formats of sequences.
pub(super) fn sequence_formats() -> impl TypedValueParser<Value = SequenceFormat> {
    let all = SequenceFormat::ALL;
    let values = all.map(|format| PossibleValue::new(format.name()).help(format.description()));
    PossibleValuesParser::new(values).map(move |name| named(&all, &name, SequenceFormat::name))
}

/// Accepts the names of the families that trials train.
pub(super) fn trial_families() -> impl TypedValueParser<Value = TrialFamily> {
    let all = TrialFamily::ALL;
    let values = all.map(|family| PossibleValue::new(family.name()).help(family.description()));
    PossibleValuesParser::new(values).map(move |name| named(&all, &name, TrialFamily::name))
}

/// Accepts the names of quality levels.
pub(super) fn qualities() -> impl TypedValueParser<Value = Quality> {
    let all = Quality::ALL;
    let values = all.map(|quality| PossibleValue::new(quality.name()).help(quality.description()));
    PossibleValuesParser::new(values).map(move |name| named(&all, &name, Quality::name))
}

fn named<T: Copy>(all: &[T], name: &str, name_of: fn(T) -> &'static str) -> T {
    let found = all.iter().copied().find(|&format| name_of(format) == name);
    found.expect("the parser accepts names of the list only")
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

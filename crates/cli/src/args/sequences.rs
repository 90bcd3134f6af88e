//! Sequence formats, for all commands that read sequences.

use clap::ValueEnum;
use eigentree::sequences::SequenceFormat;

/// Sequence format.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum SequenceInput {
    /// Detect the format from the file contents
    Detect,
    /// Numbers as in PAutomaC and SPiCe: a header `sequences symbols`, then lines `length symbol symbol …`
    Pautomac,
    /// One sequence per line, tokens separated by spaces
    Tokens,
}

impl From<SequenceInput> for SequenceFormat {
    fn from(input: SequenceInput) -> Self {
        match input {
            SequenceInput::Detect => SequenceFormat::Detect,
            SequenceInput::Pautomac => SequenceFormat::Numbered,
            SequenceInput::Tokens => SequenceFormat::Tokens,
        }
    }
}

//! How sequences are written, for all commands that read them.

use clap::ValueEnum;
use eigentree::sequences::SequenceFormat;

/// How sequences are written.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum SequenceInput {
    /// As the file looks
    Detect,
    /// Numbers, as in PAutomaC and SPiCe: a line `sequences symbols`, then lines `length symbol symbol …`
    Pautomac,
    /// One sequence a line, tokens between blanks
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

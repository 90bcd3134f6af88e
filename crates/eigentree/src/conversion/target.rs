//! The output formats, and the inputs they accept.

use std::path::Path;

use super::drawing::Drawing;
use crate::Error;
use crate::files::extension;
use crate::reading::Format;

/// A corpus format for writing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Target {
    /// Penn brackets.
    Ptb,
    /// CoNLL-U.
    Conllu,
    /// CoNLL-X.
    Conllx,
    /// Two columns, `token<TAB>tag`.
    Bio,
    /// One sentence per line, words separated by spaces.
    Words,
    /// The same with `word_TAG`.
    Tagged,
    /// JSON: one object per line, or one document for annotators.
    Json,
    /// One JSON object per line.
    Jsonl,
    /// A table of words.
    Tsv,
    /// A table of entities and phrases.
    Spans,
    /// Running text.
    Text,
    /// Trees or arcs, drawn.
    Drawing(Drawing),
}

impl Target {
    /// All of them.
    pub const ALL: [Target; 14] = [
        Target::Ptb,
        Target::Conllu,
        Target::Conllx,
        Target::Bio,
        Target::Words,
        Target::Tagged,
        Target::Json,
        Target::Jsonl,
        Target::Tsv,
        Target::Spans,
        Target::Text,
        Target::Drawing(Drawing::Svg),
        Target::Drawing(Drawing::Html),
        Target::Drawing(Drawing::Terminal),
    ];

    /// The format in one line, for lists of options.
    pub fn description(self) -> &'static str {
        match self {
            Target::Ptb => Format::Ptb.description(),
            Target::Conllu => Format::Conllu.description(),
            Target::Conllx => Format::Conllx.description(),
            Target::Bio => Format::Bio.description(),
            Target::Words => Format::Words.description(),
            Target::Tagged => Format::Tagged.description(),
            Target::Json => "JSON: one object per line, or one document for annotated words",
            Target::Jsonl => "One JSON object per line",
            Target::Tsv => "A table of words: columns separated by tabs, below a line of names",
            Target::Spans => "A table of entities and phrases, with their places",
            Target::Text => "Running text, with the spaces of the treebank",
            Target::Drawing(drawing) => drawing.description(),
        }
    }

    /// The format that the extension of an output names, before that of a compressed file.
    pub fn of_path(path: &Path) -> Option<Self> {
        match extension(path)?.as_str() {
            "json" => Some(Target::Json),
            "jsonl" => Some(Target::Jsonl),
            "tsv" => Some(Target::Tsv),
            "txt" => Some(Target::Words),
            _ => {
                let drawing = Drawing::of_path(path).map(Target::Drawing);
                drawing.or_else(|| Format::of_path(path).map(Target::same_as))
            }
        }
    }

    /// Its short name, as used in options.
    pub fn name(self) -> &'static str {
        match self {
            Target::Ptb => "ptb",
            Target::Conllu => "conllu",
            Target::Conllx => "conllx",
            Target::Bio => "bio",
            Target::Words => "words",
            Target::Tagged => "tagged",
            Target::Json => "json",
            Target::Jsonl => "jsonl",
            Target::Tsv => "tsv",
            Target::Spans => "spans",
            Target::Text => "text",
            Target::Drawing(drawing) => drawing.name(),
        }
    }

    /// The ending of file names, without a dot.
    pub fn extension(self) -> &'static str {
        match self {
            Target::Text => "txt",
            Target::Spans => "spans.tsv",
            Target::Drawing(drawing) => drawing.extension(),
            other => other.name(),
        }
    }

    /// The output format that corresponds to an input format.
    pub fn same_as(format: Format) -> Self {
        match format {
            Format::Ptb => Target::Ptb,
            Format::Conllu => Target::Conllu,
            Format::Conllx => Target::Conllx,
            Format::Bio => Target::Bio,
            Format::Words | Format::Tags | Format::Text => Target::Words,
            Format::Tagged | Format::Slashed => Target::Tagged,
            Format::Json => Target::Jsonl,
        }
    }

    /// Refuses conversions that are not defined, with advice.
    pub fn check(self, from: Format) -> Result<(), Error> {
        let reason = match (from, self) {
            (_, Target::Words | Target::Json | Target::Jsonl | Target::Text) => return Ok(()),
            (_, Target::Tsv | Target::Spans) | (Format::Bio, Target::Bio) => return Ok(()),
            (Format::Json, Target::Bio) => {
                "entities of documents are in MISC of CoNLL-U, which they can become"
            }
            // What a sentence lacks is known when it is there.
            (Format::Json, _) => return Ok(()),
            (Format::Ptb, Target::Bio) => "trees have no entities",
            (Format::Ptb, _) => return Ok(()),
            (Format::Bio, _) => "entity columns can become words, json or bio only",
            (_, Target::Conllu | Target::Conllx) => return Ok(()),
            (Format::Conllu | Format::Conllx | Format::Tagged | Format::Slashed, Target::Tagged) => {
                return Ok(());
            }
            (Format::Words | Format::Tags | Format::Text, Target::Tagged) => {
                "plain words have no tags; if the input has tags, use `tagged` as its format"
            }
            (Format::Conllu | Format::Conllx, Target::Drawing(_)) => return Ok(()),
            (Format::Conllu | Format::Conllx, Target::Ptb) => {
                "dependencies do not determine the phrases of a tree; parse the words instead: \
                 `eigentree parse MODEL FILE --input conllu`"
            }
            (_, Target::Ptb | Target::Drawing(_)) => {
                "the input has no trees; parse it first: `eigentree parse MODEL FILE`"
            }
            (_, Target::Bio) => "the input has no entities",
        };
        Err(Error::Conversion { from, to: self.name(), reason: reason.to_owned() })
    }
}

//! Writing parses, one entry a sentence.

use std::io::{self, Write};

use corpus::drawing::{SvgDocument, draw};
use corpus::format::penn;
use models::pcfg::{Outcome, Parse};
use serde_json::{Value, json};

use crate::conversion::tree_record;
use crate::files::{FileError, Output};

/// What the empty entry looks like in brackets.
const NO_TREE: &str = "(())";

/// How parses are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ParseFormat {
    /// Penn brackets, one line a tree.
    Ptb,
    /// One JSON object a line.
    Json,
    /// One SVG document, which is kept in memory until the end.
    Svg,
    /// Trees in box characters.
    Drawing,
}

/// How much of them is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParseSinkConfig {
    /// The format.
    pub format: ParseFormat,
    /// With more than one tree a sentence, an n-best list: in brackets a blank line ends it.
    pub trees: usize,
    /// The columns at hand for drawings.
    pub width: usize,
}

/// A place to write parses to. It must be [`finish`](Self::finish)ed.
pub struct ParseSink {
    out: Output,
    config: ParseSinkConfig,
    svg: SvgDocument,
}

impl ParseSink {
    /// Writes to `out`.
    pub fn new(out: Output, config: ParseSinkConfig) -> Self {
        Self { out, config, svg: SvgDocument::new() }
    }

    /// Writes the parses of one sentence, best first; none for a sentence without words.
    pub fn write(&mut self, parses: &[Parse]) -> Result<(), FileError> {
        self.put(parses).map_err(|error| self.out.error(error))
    }

    fn put(&mut self, parses: &[Parse]) -> io::Result<()> {
        match self.config.format {
            ParseFormat::Ptb => {
                if parses.is_empty() {
                    writeln!(self.out, "{NO_TREE}")?;
                }
                parses.iter().try_for_each(|parse| penn::write_tree(&mut self.out, &parse.tree))?;
                if self.config.trees > 1 { writeln!(self.out) } else { Ok(()) }
            }
            ParseFormat::Json => {
                let record = self.record(parses);
                writeln!(self.out, "{record}")
            }
            ParseFormat::Svg => {
                parses.iter().for_each(|parse| self.svg.push(&parse.tree));
                Ok(())
            }
            ParseFormat::Drawing if parses.is_empty() => writeln!(self.out, "{NO_TREE}\n"),
            ParseFormat::Drawing => parses
                .iter()
                .try_for_each(|parse| writeln!(self.out, "{}", draw(&parse.tree, self.config.width))),
        }
    }

    fn record(&self, parses: &[Parse]) -> Value {
        let one = |parse: &Parse| {
            let mut record = tree_record(&parse.tree);
            record["outcome"] = json!(match parse.outcome {
                Outcome::Parsed => "parsed",
                Outcome::Fallback => "fallback",
            });
            // JSON has no infinities: a fallback has `null`.
            record["log_probability"] = json!(parse.log_probability);
            record
        };
        match (self.config.trees, parses.first()) {
            (0 | 1, Some(parse)) => one(parse),
            (0 | 1, None) => {
                json!({ "words": [], "tags": [], "tree": null, "phrases": [], "outcome": "empty" })
            }
            _ => json!({ "nbest": parses.iter().map(one).collect::<Vec<_>>() }),
        }
    }

    /// Passes on what was written so far.
    pub fn flush(&mut self) -> Result<(), FileError> {
        self.out.flush().map_err(|error| self.out.error(error))
    }

    /// Ends the document and the output.
    pub fn finish(mut self) -> Result<(), FileError> {
        if self.config.format == ParseFormat::Svg {
            let document = std::mem::take(&mut self.svg).finish();
            self.out.write_all(document.as_bytes()).map_err(|error| self.out.error(error))?;
        }
        self.out.finish()
    }
}

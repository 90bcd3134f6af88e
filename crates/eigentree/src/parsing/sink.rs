//! Writing parses, one entry a sentence.

use std::io::{self, Write};

use corpus::drawing::{SvgDocument, draw};
use corpus::format::conllu::{Sentence, SentenceError};
use corpus::format::penn;
use corpus::tree::Tree;
use grammars::marginals::Marginals;
use grammars::pcfg::{Outcome, Parse};
use serde_json::{Value, json};

use super::confidence;
use super::stream::Parsed;
use crate::Error;
use crate::annotation::{
    Alternative, AnnotatedSentence, PhraseTree, complete_numbered, header, sentence_of, write_sentence,
    write_tags,
};
use crate::conversion::{Drawing, Item, Target, page, tree_record, visible};
use crate::files::{FileError, Output};
use crate::streaming::Sink;

/// What the empty entry looks like in brackets.
const NO_TREE: &str = "(())";

/// How much of them is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParseSinkConfig {
    /// The format.
    pub format: Target,
    /// With more than one tree a sentence, an n-best list: in brackets a blank line ends it.
    pub trees: usize,
    /// The columns at hand for drawings.
    pub width: usize,
}

impl Default for ParseSinkConfig {
    fn default() -> Self {
        Self { format: Target::Ptb, trees: 1, width: 100 }
    }
}

/// A place to write parses to. It must be [`finish`](Self::finish)ed.
pub struct ParseSink {
    out: Output,
    /// Where confidences go if the format has no place for them.
    beside: Option<Output>,
    config: ParseSinkConfig,
    svg: SvgDocument,
    /// Sentences written as annotated words.
    sentences: u64,
}

impl ParseSink {
    /// The formats that parses are written in. An SVG document or page stays in memory until the end.
    pub const FORMATS: [Target; 9] = [
        Target::Ptb,
        Target::Json,
        Target::Drawing(Drawing::Svg),
        Target::Drawing(Drawing::Html),
        Target::Drawing(Drawing::Terminal),
        Target::Conllu,
        Target::Jsonl,
        Target::Tsv,
        Target::Spans,
    ];

    /// Writes to `out`.
    pub fn new(out: Output, config: ParseSinkConfig) -> Result<Self, Error> {
        if Self::FORMATS.contains(&config.format) {
            Ok(Self { out, beside: None, config, svg: SvgDocument::new(), sentences: 0 })
        } else {
            let names = Self::FORMATS.map(Target::name).join(", ");
            let asked = config.format.name();
            Err(Error::Data(format!(
                "phrase-structure trees cannot be written as {asked}; choose one of {names}"
            )))
        }
    }

    /// Writes how sure the model is to `beside`: one JSON object a sentence. For brackets, which other programs must be
    /// able to read.
    pub fn with_confidences_beside(mut self, beside: Output) -> Self {
        self.beside = Some(beside);
        self
    }

    /// Writes the parses of one sentence, best first; none for a sentence without words. Confidences are written if
    /// there are any: in JSON as fields of their own, in drawings behind the labels.
    pub fn write(&mut self, parses: &[Parse], marginals: Option<&Marginals>) -> Result<(), FileError> {
        self.write_with(None, parses, marginals)
    }

    /// The same for a sentence that was given as CoNLL-U, whose columns formats of words keep.
    fn write_with(
        &mut self,
        given: Option<&Sentence>,
        parses: &[Parse],
        marginals: Option<&Marginals>,
    ) -> Result<(), FileError> {
        let put = match self.config.format {
            Target::Conllu | Target::Jsonl | Target::Tsv | Target::Spans => {
                self.put_words(given, parses, marginals)
            }
            _ => self.put(parses, marginals),
        };
        put.map_err(|error| self.out.error(error))?;
        let Some(beside) = &mut self.beside else { return Ok(()) };
        let entry = |parse: &Parse| match marginals {
            Some(marginals) => confidences(parse, marginals),
            None => json!({ "spans": null, "alternatives": null }),
        };
        let record = match (self.config.trees, parses.first()) {
            (0 | 1, Some(parse)) => entry(parse),
            (0 | 1, None) => json!({ "spans": [], "alternatives": [] }),
            _ => json!({ "nbest": parses.iter().map(entry).collect::<Vec<_>>() }),
        };
        writeln!(beside, "{record}").map_err(|error| beside.error(error))
    }

    /// Writes the sentence as annotated words; nothing for one without words.
    fn put_words(
        &mut self,
        given: Option<&Sentence>,
        parses: &[Parse],
        marginals: Option<&Marginals>,
    ) -> io::Result<()> {
        let invalid = |error: String| io::Error::new(io::ErrorKind::InvalidInput, error);
        let mut text = if self.sentences == 0 { header(self.config.format) } else { String::new() };
        self.sentences += 1;
        if let Some(mut sentence) = annotated(given, parses, marginals, self.config.trees)
            .map_err(|error| invalid(error.to_string()))?
        {
            let number = self.sentences.to_string();
            complete_numbered(&mut sentence, self.sentences)
                .and_then(|()| write_sentence(&sentence, self.config.format, &number, &mut text))
                .map_err(|error| invalid(error.to_string()))?;
        }
        self.out.write_all(text.as_bytes())
    }

    fn put(&mut self, parses: &[Parse], marginals: Option<&Marginals>) -> io::Result<()> {
        let drawn = |parse: &Parse| match marginals {
            Some(marginals) => confidence::annotated(&parse.tree, marginals),
            None => parse.tree.clone(),
        };
        match self.config.format {
            Target::Ptb => {
                if parses.is_empty() {
                    writeln!(self.out, "{NO_TREE}")?;
                }
                parses.iter().try_for_each(|parse| penn::write_tree(&mut self.out, &parse.tree))?;
                if self.config.trees > 1 { writeln!(self.out) } else { Ok(()) }
            }
            Target::Json => {
                let record = self.record(parses, marginals);
                writeln!(self.out, "{record}")
            }
            Target::Drawing(Drawing::Svg | Drawing::Html) => {
                for parse in parses {
                    let looks = marginals.map(|marginals| confidence::looks(&parse.tree, marginals));
                    self.svg.push_with(&drawn(parse), &looks.unwrap_or_default());
                }
                Ok(())
            }
            _ if parses.is_empty() => writeln!(self.out, "{NO_TREE}\n"),
            _ => parses.iter().try_for_each(|parse| {
                writeln!(self.out, "{}", visible(draw(&drawn(parse), self.config.width)))
            }),
        }
    }

    fn record(&self, parses: &[Parse], marginals: Option<&Marginals>) -> Value {
        let one = |parse: &Parse| {
            let mut record = tree_record(&parse.tree);
            record["outcome"] = json!(match parse.outcome {
                Outcome::Parsed => "parsed",
                Outcome::Fallback => "fallback",
            });
            // JSON has no infinities: a fallback has `null`.
            record["log_probability"] = json!(parse.log_probability);
            record["sign"] = json!(parse.sign);
            if let (Some(marginals), Value::Object(fields)) = (marginals, &mut record) {
                fields.extend(confidences(parse, marginals).as_object().cloned().unwrap_or_default());
            }
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

    /// Ends the document and the output.
    pub fn finish(mut self) -> Result<(), FileError> {
        let document = match self.config.format {
            Target::Drawing(Drawing::Svg) => std::mem::take(&mut self.svg).finish(),
            Target::Drawing(Drawing::Html) => page("Trees", &std::mem::take(&mut self.svg).finish()),
            _ => String::new(),
        };
        self.out.write_all(document.as_bytes()).map_err(|error| self.out.error(error))?;
        if let Some(beside) = self.beside {
            beside.finish()?;
        }
        self.out.finish()
    }
}

impl Sink for ParseSink {
    type Entry = Parsed;

    fn write(&mut self, entry: Parsed) -> Result<(), Error> {
        Ok(self.write_with(entry.given.as_ref(), &entry.parses, entry.marginals.as_ref())?)
    }

    fn write_skipped(&mut self) -> Result<(), Error> {
        Ok(ParseSink::write(self, &[], None)?)
    }

    fn flush(&mut self) -> Result<(), Error> {
        let mut outputs = self.beside.iter_mut().chain([&mut self.out]);
        outputs.try_for_each(|out| Write::flush(out).map_err(|error| out.error(error).into()))
    }
}

/// How sure the model is of a tree, and what else is not improbable.
fn confidences(parse: &Parse, marginals: &Marginals) -> Value {
    json!({
        "spans": confidence::spans(&parse.tree, marginals),
        "alternatives": confidence::alternatives(&parse.tree, marginals),
    })
}

/// The sentence with its tags and trees; `None` without a parse.
fn annotated(
    given: Option<&Sentence>,
    parses: &[Parse],
    marginals: Option<&Marginals>,
    trees: usize,
) -> Result<Option<AnnotatedSentence>, SentenceError> {
    let Some(best) = parses.first() else { return Ok(None) };
    let with_tags = |tree: &Tree| -> Result<Sentence, SentenceError> {
        let mut sentence = match given {
            Some(given) => given.clone(),
            None => sentence_of(&Item::Tree(tree.clone()))?,
        };
        write_tags(&mut sentence, tree)?;
        Ok(sentence)
    };
    let confidences =
        marginals.map(|marginals| marginals.of_tree(&best.tree)).into_iter().flatten().flatten();
    let confidences = confidences.map(confidence::rounded).collect();
    let phrases = PhraseTree::new(best.tree.clone(), Some(best.log_probability), confidences);
    let mut nbest = Vec::new();
    if trees > 1 {
        for parse in parses {
            let (score, sentence) = (parse.log_probability, with_tags(&parse.tree)?);
            nbest.push(Alternative { score, sentence, tree: Some(parse.tree.clone()) });
        }
    }
    let sentence = AnnotatedSentence::new(with_tags(&best.tree)?);
    Ok(Some(sentence.with_phrases(Some(phrases)).with_nbest(nbest)))
}

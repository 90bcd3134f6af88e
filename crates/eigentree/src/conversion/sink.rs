//! Writes sentences in any format.

use std::borrow::Cow;
use std::io::{self, Write};

use corpus::drawing::{ArcSentence, SvgDocument, draw, draw_arcs};
use corpus::format::bio::BioWriter;
use corpus::format::conllu::{Columns, ConlluWriter, Sentence, SentenceError};
use corpus::format::conllx::ConllxWriter;
use corpus::format::penn;
use corpus::format::plain_text::PlainTextWriter;
use corpus::tree::Tree;
use corpus::tree::heads::HeadRules;

use super::dependencies::dependencies;
use super::drawing::{Drawing, page};
use super::item::Item;
use super::record::record;
use super::running_text::RunningText;
use super::target::Target;
use super::visible::visible;
use crate::annotation::{annotated_item, header, write_sentence};

/// The layout of trees in brackets.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum TreeLayout {
    /// One line per tree.
    #[default]
    Line,
    /// Indented, with a blank line after each tree.
    Pretty,
}

/// The CoNLL-U column from which tagged text takes its tags.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum TagColumn {
    /// Universal tags.
    #[default]
    Upos,
    /// Language-specific tags.
    Xpos,
}

/// Options of the output.
#[derive(Clone, Debug)]
pub struct SinkConfig {
    /// Layout of brackets.
    pub layout: TreeLayout,
    /// Tag column, for tagged text from dependencies.
    pub tag_column: TagColumn,
    /// Head rules, for dependencies from trees.
    pub heads: HeadRules,
    /// Width in columns, for drawings.
    pub width: usize,
}

impl Default for SinkConfig {
    fn default() -> Self {
        Self {
            layout: TreeLayout::default(),
            tag_column: TagColumn::default(),
            heads: HeadRules::english(),
            width: 100,
        }
    }
}

/// Writes sentences to an output. It must be [`finish`](Self::finish)ed.
pub struct Sink<W: Write> {
    out: W,
    target: Target,
    config: SinkConfig,
    svg: SvgDocument,
    running: RunningText,
    /// Sentences written as tables.
    sentences: u64,
}

impl<W: Write> Sink<W> {
    /// Creates a sink that writes to `out`.
    pub fn new(out: W, target: Target, config: SinkConfig) -> Self {
        Self { out, target, config, svg: SvgDocument::new(), running: RunningText::default(), sentences: 0 }
    }

    /// Writes one sentence. Fails with [`io::ErrorKind::InvalidInput`] if it cannot be written in this format;
    /// conversions accepted by [`Target::check`] can.
    pub fn write(&mut self, item: &Item) -> io::Result<()> {
        match (self.target, item) {
            (Target::Words, item) => {
                let words = words(item);
                PlainTextWriter::new(&mut self.out).write_words(words.iter().map(AsRef::as_ref))
            }
            (Target::Json | Target::Jsonl, item) => writeln!(self.out, "{}", record(item)),
            (Target::Tsv | Target::Spans, item) => self.write_table(item),
            (Target::Text, Item::Dependencies(sentence)) => self.running.write(sentence, &mut self.out),
            (Target::Text, item) => {
                let words = words(item);
                self.running.write_line(words.iter().map(AsRef::as_ref), &mut self.out)
            }
            (Target::Tagged, item) => self.write_tagged(item),
            (Target::Conllu, item) => {
                let sentence = self.sentence(item).map_err(invalid)?;
                ConlluWriter::new(&mut self.out).write(&sentence)
            }
            (Target::Conllx, item) => {
                let sentence = self.sentence(item).map_err(invalid)?;
                ConllxWriter::new(&mut self.out).write(&sentence)
            }
            (Target::Bio, Item::Entities(sentence)) => BioWriter::new(&mut self.out).write(sentence),
            (Target::Ptb, Item::Tree(tree)) => self.write_tree(tree),
            (Target::Drawing(Drawing::Terminal), Item::Tree(tree)) => {
                writeln!(self.out, "{}", visible(draw(tree, self.config.width)))
            }
            (Target::Drawing(Drawing::Svg | Drawing::Html), Item::Tree(tree)) => {
                self.svg.push(tree);
                Ok(())
            }
            (Target::Drawing(Drawing::Terminal), Item::Dependencies(sentence)) => {
                let drawing = visible(draw_arcs(&ArcSentence::of_sentence(sentence), self.config.width));
                writeln!(self.out, "{drawing}")
            }
            (Target::Drawing(Drawing::Svg | Drawing::Html), Item::Dependencies(sentence)) => {
                self.svg.push_arcs(&ArcSentence::of_sentence(sentence));
                Ok(())
            }
            (target, _) => {
                Err(invalid(format!("this sentence cannot be written in the format {}", target.name())))
            }
        }
    }

    /// Writes the words of a sentence, or its entities and phrases, as lines of a table.
    fn write_table(&mut self, item: &Item) -> io::Result<()> {
        let mut text = if self.sentences == 0 { header(self.target) } else { String::new() };
        self.sentences += 1;
        let sentence = annotated_item(item).map_err(invalid)?;
        write_sentence(&sentence, self.target, &self.sentences.to_string(), &mut text)
            .map_err(|error| invalid(error.to_string()))?;
        self.out.write_all(text.as_bytes())
    }

    /// Writes a tree as brackets.
    fn write_tree(&mut self, tree: &Tree) -> io::Result<()> {
        match self.config.layout {
            TreeLayout::Pretty => writeln!(self.out, "{}\n", penn::to_pretty(tree)),
            TreeLayout::Line => penn::write_tree(&mut self.out, tree),
        }
    }

    fn write_tagged(&mut self, item: &Item) -> io::Result<()> {
        let words = words(item);
        let tags: Vec<Option<&str>> = match item {
            Item::Tree(tree) => {
                let mut tags = vec![None; tree.word_count()];
                tree.preterminals().for_each(|node| tags[node.span().start] = Some(node.label()));
                tags
            }
            Item::Dependencies(sentence) => match self.config.tag_column {
                TagColumn::Upos => sentence.words().map(|word| Some(word.upos())).collect(),
                TagColumn::Xpos => sentence.words().map(|word| Some(word.xpos())).collect(),
            },
            Item::Entities(sentence) => sentence.tags().map(Some).collect(),
            Item::Plain(sentence) => sentence.tags().collect(),
        };
        let tokens = words.iter().map(AsRef::as_ref).zip(tags);
        PlainTextWriter::new(&mut self.out)
            .write_tagged(tokens.map(|(word, tag)| (word, tag.filter(|tag| !tag.is_empty()))))
    }

    fn sentence<'i>(&self, item: &'i Item) -> Result<Cow<'i, Sentence>, SentenceError> {
        match item {
            Item::Tree(tree) => dependencies(tree, &self.config.heads).map(Cow::Owned),
            Item::Dependencies(sentence) => Ok(Cow::Borrowed(sentence)),
            Item::Entities(sentence) => forms(sentence.tokens().map(|token| (token, None))),
            Item::Plain(sentence) => forms(sentence.words().zip(sentence.tags())),
        }
    }

    /// Ends the document and returns the output.
    pub fn finish(mut self) -> io::Result<W> {
        match self.target {
            Target::Drawing(Drawing::Svg) => self.out.write_all(self.svg.finish().as_bytes())?,
            Target::Drawing(Drawing::Html) => {
                self.out.write_all(page("Trees", &self.svg.finish()).as_bytes())?;
            }
            _ => {}
        }
        self.running.finish(&mut self.out)?;
        Ok(self.out)
    }
}

fn forms<'i, 's>(
    words: impl Iterator<Item = (&'s str, Option<&'s str>)>,
) -> Result<Cow<'i, Sentence>, SentenceError> {
    let mut sentence = Sentence::new();
    for (form, tag) in words {
        sentence.push_word(Columns { form, xpos: tag.unwrap_or("_"), ..Columns::default() })?;
    }
    Ok(Cow::Owned(sentence))
}

/// The words in plain text: a space inside a word becomes a no-break space.
fn words(item: &Item) -> Vec<Cow<'_, str>> {
    let fit = |word| match word {
        "" => Cow::Borrowed("_"),
        word if word.contains([' ', '\t', '\r', '\u{c}']) => {
            Cow::Owned(word.replace([' ', '\t', '\r', '\u{c}'], "\u{a0}"))
        }
        word => Cow::Borrowed(word),
    };
    match item {
        Item::Tree(tree) => tree.words().map(fit).collect(),
        Item::Dependencies(sentence) => sentence.words().map(|word| fit(word.form())).collect(),
        Item::Entities(sentence) => sentence.tokens().map(fit).collect(),
        Item::Plain(sentence) => sentence.words().map(fit).collect(),
    }
}

fn invalid(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, error)
}

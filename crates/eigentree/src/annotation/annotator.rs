//! Annotates text with a model of any family.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use corpus::format::conllu::{Sentence, SentenceError};
use corpus::format::raw_text::{Piece, RawTextReader};
use dependency::head_automata::Objective;
use models::confidence::Confidences;
use models::learn::{Observer, Silent};
use tagging::tagger::{self, ColumnKind, Tagger};

use super::conllu::sentence_of_words;
use super::document::{Document, unmade};
use super::items::write_tags;
use super::rendering::{Begins, Comments, Missing, complete};
use super::sentence::{Alternative, AnnotatedSentence, PhraseTree, rounded};
use crate::one_sentence::{Builder, Parse, Parser, ParserScratch};
use crate::pipeline::{self, Pipeline, Stage, annotate_columns_with, annotate_entities, best_columns};
use crate::streaming::ScratchPool;
use crate::{Error, Model};

/// Whether a pipeline that has both a dependency parser and a grammar also builds trees of phrases.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum PhraseTrees {
    /// No, as that takes much more time than all other stages.
    #[default]
    Skip,
    /// Yes.
    Build,
}

/// Annotates text with a model of any family, made by [`Model::annotator`].
///
/// It can be shared by threads and keeps its working memory between calls.
pub struct Annotator<'m> {
    words: Words<'m>,
    parser: Option<Parser<'m>>,
    /// The grammar of a pipeline that has a parser too.
    grammar: Option<Parser<'m>>,
    phrase_trees: PhraseTrees,
    confidences: Confidences,
    nbest: usize,
    memory: AnnotatorMemory,
}

/// Working memory of annotators, for programs that make an annotator of the same model again and again. Clones are the same
/// memory, and threads share it.
#[derive(Clone, Default)]
pub struct AnnotatorMemory(Arc<ScratchPool<AnnotatorScratch>>);

impl fmt::Debug for AnnotatorMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AnnotatorMemory")
    }
}

/// What labels words, before trees are built.
enum Words<'m> {
    Pipeline(&'m Pipeline),
    Tagger(&'m Tagger),
    /// Nothing: the words have the tags that they are given with.
    Given,
}

/// Working memory of an annotator.
#[derive(Default)]
pub(crate) struct AnnotatorScratch {
    pipeline: pipeline::Scratch,
    tagger: tagger::Scratch,
    parser: ParserScratch,
}

impl Model {
    /// An annotator, if the model annotates words or sentences: a pipeline, a tagger, a dependency parser, head automata or a
    /// grammar.
    pub fn annotator(&self) -> Result<Annotator<'_>, Error> {
        let words = match self {
            Model::Pipeline(model) => Words::Pipeline(model),
            Model::Tagger(model) => Words::Tagger(model),
            _ => Words::Given,
        };
        let (mut parser, mut grammar) = (None, None);
        match self {
            Model::Tagger(_) => {}
            Model::Pipeline(model) => {
                parser =
                    (model.parser.is_some() || model.grammar.is_some()).then(|| self.parser()).transpose()?;
                grammar = model.parser.as_ref().and(model.grammar.as_deref());
            }
            Model::Clusters(_) | Model::Deptree(_) | Model::Reranker(_) | Model::Sequence(_) => {
                return Err(Error::WrongModel {
                    found: self.description(),
                    wanted: "annotation for words or sentences",
                    advice: "`train pipeline`, `train tagger`, `train mst` and `train lpcfg` make models that annotate",
                });
            }
            _ => parser = Some(self.parser()?),
        }
        Ok(Annotator {
            words,
            parser,
            grammar: grammar.map(|model| Parser::new(Builder::Lpcfg(model))),
            phrase_trees: PhraseTrees::Skip,
            confidences: Confidences::Skip,
            nbest: 1,
            memory: AnnotatorMemory::default(),
        })
    }
}

impl<'m> Annotator<'m> {
    /// The same annotator; it computes how sure it is of labels, heads, entities and phrases, or not. By default it does not, as
    /// that takes more time.
    pub fn with_confidences(mut self, confidences: Confidences) -> Self {
        self.confidences = confidences;
        self.parser = self.parser.map(|parser| parser.with_confidences(confidences));
        self.grammar = self.grammar.map(|parser| parser.with_confidences(confidences));
        self
    }

    /// The same annotator; it gives up to `nbest` annotations of each sentence: trees of models that build trees, otherwise
    /// labels of the first column.
    pub fn with_nbest(mut self, nbest: usize) -> Self {
        self.nbest = nbest.max(1);
        self
    }

    /// The same annotator; head automata choose trees by this objective.
    pub fn with_objective(mut self, objective: Objective) -> Self {
        self.parser = self.parser.map(|parser| parser.with_objective(objective));
        self
    }

    /// The same annotator; a pipeline that has both a parser and a grammar builds trees of phrases too, or not.
    pub fn with_phrases(mut self, phrase_trees: PhraseTrees) -> Self {
        self.phrase_trees = phrase_trees;
        self
    }

    /// The same annotator with working memory that others share or shared.
    pub fn with_memory(mut self, memory: &AnnotatorMemory) -> Self {
        self.memory = memory.clone();
        self
    }

    /// Whether it divides raw text into sentences and words itself, as pipelines do.
    pub fn reads_raw_text(&self) -> bool {
        matches!(self.words, Words::Pipeline(_))
    }

    /// Whether it finds entities and annotates nothing else.
    pub fn finds_only_entities(&self) -> bool {
        matches!(self.words, Words::Tagger(tagger) if finds_entities(tagger))
    }

    /// Whether it finds entities, alone or beside other annotation.
    pub fn finds_entities(&self) -> bool {
        match self.words {
            Words::Pipeline(pipeline) => pipeline.entities.is_some(),
            _ => self.finds_only_entities(),
        }
    }

    /// Whether it builds trees of phrases: always, or if [`with_phrases`](Self::with_phrases) asks for them.
    pub fn has_grammar(&self) -> bool {
        match self.words {
            Words::Pipeline(pipeline) => pipeline.grammar.is_some(),
            _ => self.parser.as_ref().is_some_and(|parser| !parser.builds_heads()),
        }
    }

    /// Whether it takes tags as they are given and depends on them, as dependency parsers without a tagger do.
    pub(crate) fn relies_on_tags(&self) -> bool {
        matches!(self.words, Words::Given) && self.parser.as_ref().is_some_and(Parser::builds_heads)
    }

    /// Annotates a text: raw text for a pipeline; otherwise one sentence per line, with tokens separated by spaces.
    pub fn annotate(&self, text: &str) -> Result<Document, Error> {
        self.annotate_watched(text, &mut Silent)
    }

    /// The same with an observer, which hears of the characters that are done and may stop the work between two paragraphs, or
    /// between two lines.
    pub fn annotate_watched(&self, text: &str, observer: &mut dyn Observer) -> Result<Document, Error> {
        // A byte order mark is no part of the text.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut sentences = Vec::new();
        self.memory.0.lend(|scratch| -> Result<(), Error> {
            if self.reads_raw_text() {
                for piece in RawTextReader::new(text.as_bytes(), "text") {
                    let piece = piece?;
                    sentences.append(&mut self.annotate_piece(&piece, scratch, &mut |_| {})?);
                    advance(piece.text.chars().count(), observer)?;
                }
            } else {
                for (places, sentence) in lines(text)? {
                    advance(places.last().map_or(0, |last| last.end - places[0].start), observer)?;
                    let annotated = self.annotate_all(vec![sentence], scratch, &mut |_| {})?;
                    sentences
                        .extend(annotated.into_iter().map(|sentence| sentence.with_places(places.clone())));
                }
            }
            Ok(())
        })?;
        let first = if self.reads_raw_text() { Begins::Document } else { Begins::Nothing };
        complete_all(&mut sentences, first)?;
        Ok(Document::new(text.to_owned(), sentences))
    }

    /// Divides a text into sentences and words, and annotates nothing else.
    pub fn tokenize(&self, text: &str) -> Result<Document, Error> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut sentences = Vec::new();
        if let Words::Pipeline(pipeline) = self.words {
            self.memory.0.lend(|scratch| -> Result<(), Error> {
                for piece in RawTextReader::new(text.as_bytes(), "text") {
                    let found = pipeline.tokenize(&piece?, &mut scratch.pipeline);
                    let found = found.map_err(|error| unmade(&error))?;
                    sentences.extend(found.into_iter().map(AnnotatedSentence::new));
                }
                Ok(())
            })?;
        } else {
            let lines = lines(text)?.into_iter();
            sentences.extend(lines.map(|(places, line)| AnnotatedSentence::new(line).with_places(places)));
        }
        let first = if self.reads_raw_text() { Begins::Document } else { Begins::Nothing };
        complete_all(&mut sentences, first)?;
        Ok(Document::new(text.to_owned(), sentences))
    }

    /// Annotates sentences whose tokens are given.
    pub fn annotate_tokens<S: AsRef<str>, T: AsRef<[S]>>(&self, sentences: &[T]) -> Result<Document, Error> {
        let made = sentences.iter().map(|tokens| sentence_of_words(tokens.as_ref()));
        self.annotate_sentences(made.collect::<Result<_, _>>()?)
    }

    /// Annotates sentences whose words, and maybe tags, are given. What no stage of the model writes stays as it is.
    pub fn annotate_sentences(&self, sentences: Vec<Sentence>) -> Result<Document, Error> {
        self.annotate_sentences_watched(sentences, &mut Silent)
    }

    /// The same with an observer, which hears of the sentences that are done and may stop the work after some of them.
    pub fn annotate_sentences_watched(
        &self,
        sentences: Vec<Sentence>,
        observer: &mut dyn Observer,
    ) -> Result<Document, Error> {
        let mut sentences = sentences.into_iter().filter(|sentence| !sentence.is_empty());
        let mut annotated = Vec::new();
        self.memory.0.lend(|scratch| -> Result<(), Error> {
            loop {
                let some: Vec<Sentence> = sentences.by_ref().take(AT_ONCE).collect();
                if some.is_empty() {
                    return Ok(());
                }
                let count = some.len();
                annotated.append(&mut self.annotate_all(some, scratch, &mut |_| {})?);
                advance(count, observer)?;
            }
        })?;
        complete_all(&mut annotated, Begins::Nothing)?;
        Ok(Document::from_sentences(annotated))
    }

    /// The annotated sentences of a piece of raw text; none if the model reads no raw text. `begin` is told of each stage.
    pub(crate) fn annotate_piece(
        &self,
        piece: &Piece,
        scratch: &mut AnnotatorScratch,
        begin: &mut dyn FnMut(Stage),
    ) -> Result<Vec<AnnotatedSentence>, Error> {
        let Words::Pipeline(pipeline) = self.words else { return Ok(Vec::new()) };
        begin(Stage::Tokenise);
        let sentences = pipeline.tokenize(piece, &mut scratch.pipeline).map_err(|error| unmade(&error))?;
        self.annotate_all(sentences, scratch, begin)
    }

    /// Annotates sentences of given words. `begin` is told of each stage.
    pub(crate) fn annotate_all(
        &self,
        mut sentences: Vec<Sentence>,
        scratch: &mut AnnotatorScratch,
        begin: &mut dyn FnMut(Stage),
    ) -> Result<Vec<AnnotatedSentence>, Error> {
        match self.words {
            Words::Pipeline(pipeline) => pipeline
                .annotate_words_with(&mut sentences, self.confidences, &mut scratch.pipeline, &mut *begin)
                .map_err(|error| unmade(&error))?,
            Words::Tagger(tagger) => {
                begin(Stage::Tag);
                for sentence in &mut sentences {
                    self.label(tagger, sentence, &mut scratch.tagger).map_err(|error| unmade(&error))?;
                }
            }
            Words::Given => {}
        }
        if self.parser.is_some() {
            begin(Stage::Parse);
        }
        sentences.into_iter().map(|sentence| self.build(sentence, scratch)).collect()
    }

    fn label(
        &self,
        tagger: &Tagger,
        sentence: &mut Sentence,
        scratch: &mut tagger::Scratch,
    ) -> Result<(), SentenceError> {
        if finds_entities(tagger) {
            annotate_entities(tagger, sentence, self.confidences, scratch)
        } else {
            annotate_columns_with(tagger, sentence, self.confidences, scratch)
        }
    }

    /// Builds the trees of a sentence whose words are labelled, or its list of labels.
    fn build(&self, sentence: Sentence, scratch: &mut AnnotatorScratch) -> Result<AnnotatedSentence, Error> {
        if sentence.is_empty() {
            return Ok(AnnotatedSentence::new(sentence));
        }
        let mut annotated = match &self.parser {
            Some(parser) => {
                let parses = parser.build(&sentence, self.nbest, &mut scratch.parser)?;
                with_parses(sentence, parses, self.nbest)?
            }
            None => self.with_labels(sentence, scratch)?,
        };
        if let (Some(grammar), PhraseTrees::Build) = (&self.grammar, self.phrase_trees) {
            let parses = grammar.build(annotated.sentence(), 1, &mut scratch.parser)?;
            annotated = annotated.with_phrases(parses.first().and_then(phrases));
        }
        Ok(annotated)
    }

    fn with_labels(
        &self,
        sentence: Sentence,
        scratch: &mut AnnotatorScratch,
    ) -> Result<AnnotatedSentence, Error> {
        let tagger = match self.words {
            Words::Tagger(tagger) => Some(tagger),
            Words::Pipeline(pipeline) => pipeline.tagger.as_ref(),
            Words::Given => None,
        };
        let mut nbest = Vec::new();
        if let Some(tagger) = tagger.filter(|tagger| self.nbest > 1 && !finds_entities(tagger)) {
            let best = best_columns(tagger, &sentence, self.nbest, &mut scratch.tagger);
            let best = best.map_err(|error| unmade(&error))?.into_iter();
            nbest = best
                .map(|(sentence, score)| Alternative { score: rounded(score), sentence, tree: None })
                .collect();
        }
        Ok(AnnotatedSentence::new(sentence).with_nbest(nbest))
    }
}

/// Reports some work as done. Fails if the observer wants to stop.
fn advance(units: usize, observer: &mut dyn Observer) -> Result<(), Error> {
    observer.advance(units as u64);
    if observer.cancelled() { Err(Error::Cancelled) } else { Ok(()) }
}

/// Sentences that one stage processes before the next one starts: enough to keep its weights in the processor's cache, few enough
/// to stop soon.
const AT_ONCE: usize = 64;

/// Whether a tagger labels spans of words.
fn finds_entities(tagger: &Tagger) -> bool {
    tagger.columns().first().is_some_and(|column| column.kind() == ColumnKind::Spans)
}

/// The tree of phrases of a parse.
fn phrases(parse: &Parse) -> Option<PhraseTree> {
    let confidences =
        parse.confidences().iter().map(|&confidence| (f64::from(confidence) * 1e4).round() / 1e4);
    Some(PhraseTree::new(parse.tree()?.clone(), Some(parse.score()), confidences.collect()))
}

/// The sentence with its best tree, and with the list if more than one was asked for.
fn with_parses(mut sentence: Sentence, parses: Vec<Parse>, nbest: usize) -> Result<AnnotatedSentence, Error> {
    let tree = parses.first().and_then(phrases);
    if let Some(tree) = &tree {
        write_tags(&mut sentence, tree.tree()).map_err(|error| unmade(&error))?;
    }
    let best = parses.first().and_then(Parse::sentence).unwrap_or(&sentence).clone();
    let mut list = Vec::new();
    if nbest > 1 {
        for parse in parses {
            let (score, tree) = (rounded(parse.score()), parse.tree().cloned());
            let mut own = parse.sentence().unwrap_or(&sentence).clone();
            if let Some(tree) = &tree {
                write_tags(&mut own, tree).map_err(|error| unmade(&error))?;
            }
            list.push(Alternative { score, sentence: own, tree });
        }
    }
    Ok(AnnotatedSentence::new(best).with_phrases(tree).with_nbest(list))
}

/// A sentence with the places of its tokens in the text.
type Line = (Vec<Range<usize>>, Sentence);

/// The sentences of a text with one sentence per line, and where their tokens stand.
fn lines(text: &str) -> Result<Vec<Line>, Error> {
    let mut sentences = Vec::new();
    let mut chars = 0;
    for line in text.split_inclusive('\n') {
        let mut tokens: Vec<(&str, Range<usize>)> = Vec::new();
        let mut start = None;
        for (number, (at, c)) in (chars..).zip(line.char_indices()) {
            match (start, c.is_whitespace()) {
                (None, false) => start = Some((at, number)),
                (Some((from, first)), true) => {
                    tokens.push((&line[from..at], first..number));
                    start = None;
                }
                _ => {}
            }
        }
        chars += line.chars().count();
        if let Some((from, first)) = start {
            tokens.push((&line[from..], first..chars));
        }
        if !tokens.is_empty() {
            let sentence = sentence_of_words(tokens.iter().map(|(token, _)| token))?;
            sentences.push((tokens.into_iter().map(|(_, place)| place).collect(), sentence));
        }
    }
    Ok(sentences)
}

/// Adds the comments that every sentence of a document has: `# sent_id` and `# text`, and `# newdoc` before raw text.
fn complete_all(sentences: &mut [AnnotatedSentence], first: Begins) -> Result<(), Error> {
    for (number, annotated) in (1_usize..).zip(sentences) {
        let begins = if number == 1 { first } else { Begins::Nothing };
        let comments = Comments { missing: Missing::Add, begins, name: None };
        annotated
            .try_for_each_sentence(|sentence| complete(sentence, comments, &number.to_string()))
            .map_err(|error| unmade(&error))?;
    }
    Ok(())
}

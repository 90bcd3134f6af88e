//! A parser of any family.

use corpus::format::conllu::{Columns, Sentence};
use corpus::format::raw_text::{Opening, Piece};
use dependency::arcs::{DependencyParse, Word};
use dependency::head_automata::{self, HeadAutomata};
use dependency::mst::{self, Mst};
use grammars::lexicon::Observation;
use grammars::lpcfg::{self, Lpcfg};
use grammars::pcfg::{self, Pcfg};
use models::confidence::Confidences;

use super::parse::{Analysis, Parse};
use crate::Error;
use crate::dependency_parsing::{DependencyParser, annotate};
use crate::parsing::{TagUse, TreeParser};
use crate::pipeline::{self, Pipeline};
use crate::streaming::ScratchPool;

/// A parser of any family, made by [`Model::parser`](crate::Model::parser).
///
/// It can be shared by threads and keeps its working memory between sentences. Whoever keeps that memory elsewhere calls the
/// methods that take a [`ParserScratch`].
pub struct Parser<'m> {
    builder: Builder<'m>,
    confidences: Confidences,
    automata: head_automata::ParserConfig,
    scratch: ScratchPool<ParserScratch>,
}

/// What builds the trees.
#[derive(Clone, Copy)]
pub(crate) enum Builder<'m> {
    Pcfg(&'m Pcfg),
    Lpcfg(&'m Lpcfg),
    Mst(&'m Mst),
    HeadAutomata(&'m HeadAutomata),
    /// With a parser or a grammar among its stages.
    Pipeline(&'m Pipeline),
}

/// Working memory of a parser, kept between sentences.
#[derive(Clone, Debug, Default)]
pub struct ParserScratch {
    pcfg: pcfg::Scratch,
    lpcfg: lpcfg::Scratch,
    mst: mst::Scratch,
    head_automata: head_automata::Scratch,
    pipeline: pipeline::Scratch,
}

impl<'m> Parser<'m> {
    pub(crate) fn new(builder: Builder<'m>) -> Self {
        let automata = head_automata::ParserConfig::default();
        Self { builder, confidences: Confidences::Skip, automata, scratch: ScratchPool::new() }
    }

    /// The same parser; it computes how sure it is of each part of a parse, or not. By default it does not, as that takes
    /// more time.
    pub fn with_confidences(mut self, confidences: Confidences) -> Self {
        self.confidences = confidences;
        self
    }

    /// The same parser; head automata choose trees by this objective.
    pub fn with_objective(mut self, objective: head_automata::Objective) -> Self {
        self.automata.objective = objective;
        self
    }

    /// Whether it builds dependency trees.
    pub(crate) fn builds_heads(&self) -> bool {
        matches!(self.builder, Builder::Mst(_) | Builder::HeadAutomata(_))
    }

    /// The best parse of one sentence: tokens separated by spaces, or raw text for a pipeline, which divides it itself. An error
    /// if there is no sentence in `text`, or more than one.
    ///
    /// A dependency parser without a tagger before it sees no tags here and parses poorly; give it words with tags by
    /// [`parse_tagged`](Self::parse_tagged) or [`parse_sentence`](Self::parse_sentence).
    pub fn parse(&self, text: &str) -> Result<Parse, Error> {
        self.scratch.lend(|scratch| self.parse_with(text, scratch))
    }

    /// As [`parse`](Self::parse), with the caller's memory.
    pub fn parse_with(&self, text: &str, scratch: &mut ParserScratch) -> Result<Parse, Error> {
        let mut parses = self.parse_sentences(text, 1, scratch)?;
        match (parses.len(), parses.pop().and_then(|best| best.into_iter().next())) {
            (1, Some(parse)) => Ok(parse),
            (0 | 1, _) => Err(Error::Data("there is no word to parse in the text".to_owned())),
            (many, _) => {
                Err(Error::Data(format!("the text has {many} sentences; parse them with `parse_text`")))
            }
        }
    }

    /// The best parses of one sentence, at most `k`, best first. A pipeline gives one.
    pub fn parse_best(&self, text: &str, k: usize) -> Result<Vec<Parse>, Error> {
        let parses = self.scratch.lend(|scratch| self.parse_sentences(text, k, scratch))?;
        Ok(parses.into_iter().next().unwrap_or_default())
    }

    /// The best parse of each sentence of a text: sentences that a pipeline finds in raw text, or one per line.
    pub fn parse_text(&self, text: &str) -> Result<Vec<Parse>, Error> {
        self.scratch
            .lend(|scratch| match self.builder {
                Builder::Pipeline(_) => self.parse_sentences(text, 1, scratch),
                _ => text.lines().try_fold(Vec::new(), |mut all, line| {
                    all.append(&mut self.parse_sentences(line, 1, scratch)?);
                    Ok(all)
                }),
            })
            .map(|parses| parses.into_iter().flatten().collect())
    }

    /// The best parse of words with tags, `word_TAG` each, separated by spaces. The tag stands for both columns of CoNLL-U that
    /// have tags.
    pub fn parse_tagged(&self, text: &str) -> Result<Parse, Error> {
        let mut sentence = Sentence::new();
        for token in text.split_whitespace() {
            let (form, tag) =
                token.rsplit_once('_').filter(|(form, _)| !form.is_empty()).unwrap_or((token, "_"));
            push(&mut sentence, Columns { form, upos: tag, xpos: tag, ..Columns::default() })?;
        }
        self.parse_sentence(&sentence)
    }

    /// The best parse of a sentence with the tags that it has: grammars use XPOS, else UPOS. The stages of a pipeline after the
    /// tokeniser replace what they annotate.
    pub fn parse_sentence(&self, sentence: &Sentence) -> Result<Parse, Error> {
        let parse =
            self.scratch.lend(|scratch| self.analyse(sentence.clone(), 1, scratch))?.into_iter().next();
        parse.ok_or_else(|| Error::Data("there is no word to parse in the sentence".to_owned()))
    }

    /// For each sentence of `text` its best parses.
    fn parse_sentences(
        &self,
        text: &str,
        k: usize,
        scratch: &mut ParserScratch,
    ) -> Result<Vec<Vec<Parse>>, Error> {
        let sentences = match self.builder {
            Builder::Pipeline(pipeline) => {
                let piece = Piece { text: text.to_owned(), first_char: 0, opening: Opening::Paragraph };
                let front = pipeline.tokenize(&piece, &mut scratch.pipeline);
                front.map_err(|error| Error::Data(error.to_string()))?
            }
            _ => {
                let mut sentence = Sentence::new();
                for form in text.split_whitespace() {
                    push(&mut sentence, Columns { form, ..Columns::default() })?;
                }
                vec![sentence]
            }
        };
        let sentences = sentences.into_iter().filter(|sentence| !sentence.is_empty());
        sentences.map(|sentence| self.analyse(sentence, k, scratch)).collect()
    }

    fn analyse(
        &self,
        mut sentence: Sentence,
        k: usize,
        scratch: &mut ParserScratch,
    ) -> Result<Vec<Parse>, Error> {
        if let Builder::Pipeline(pipeline) = self.builder {
            pipeline
                .annotate_words(std::slice::from_mut(&mut sentence), &mut scratch.pipeline, |_| {})
                .map_err(|error| Error::Data(error.to_string()))?;
        }
        self.build(&sentence, k, scratch)
    }

    /// The best trees over the words and tags of a sentence, best first.
    pub(crate) fn build(
        &self,
        sentence: &Sentence,
        k: usize,
        scratch: &mut ParserScratch,
    ) -> Result<Vec<Parse>, Error> {
        match self.builder {
            Builder::Pcfg(model) => {
                let parser = pcfg::Parser::new(model, pcfg::ParserConfig::default());
                Ok(self.phrases(&parser, sentence, TagUse::Given, k, &mut scratch.pcfg))
            }
            Builder::Lpcfg(model) => Ok(self.latent_phrases(model, sentence, TagUse::Given, k, scratch)),
            Builder::Mst(model) => self.heads(&mst::Parser::new(model), sentence, k, &mut scratch.mst),
            Builder::HeadAutomata(model) => {
                let parser = head_automata::Parser::new(model, self.automata);
                self.heads(&parser, sentence, k, &mut scratch.head_automata)
            }
            Builder::Pipeline(pipeline) => match (&pipeline.parser, &pipeline.grammar) {
                (Some(model), _) => self.heads(&mst::Parser::new(model), sentence, k, &mut scratch.mst),
                // The grammar tags words better than a tagger that does not see the tree.
                (None, Some(model)) => {
                    Ok(self.latent_phrases(model, sentence, TagUse::Predicted, k, scratch))
                }
                (None, None) => Ok(Vec::new()),
            },
        }
    }

    fn latent_phrases(
        &self,
        model: &Lpcfg,
        sentence: &Sentence,
        tags: TagUse,
        k: usize,
        scratch: &mut ParserScratch,
    ) -> Vec<Parse> {
        let parser = lpcfg::Parser::new(model, lpcfg::ParserConfig::default());
        self.phrases(&parser, sentence, tags, k, &mut scratch.lpcfg)
    }

    fn phrases<P: TreeParser>(
        &self,
        parser: &P,
        sentence: &Sentence,
        tags: TagUse,
        k: usize,
        scratch: &mut P::Scratch,
    ) -> Vec<Parse> {
        let words = Word::of_sentence(sentence);
        let observed: Vec<Observation<'_>> = words.iter().map(|word| observation(word, tags)).collect();
        let (parses, marginals) = match self.confidences {
            Confidences::Skip => (parser.parse_best(&observed, k, scratch), None),
            Confidences::Compute => parser.parse_with_marginals(&observed, k, scratch),
        };
        let parse = |parse: pcfg::Parse| {
            let of_tree = marginals.as_ref().map(|marginals| marginals.of_tree(&parse.tree));
            Parse {
                confidences: of_tree.into_iter().flatten().flatten().collect(),
                score: parse.log_probability,
                analysis: Analysis::Phrases { tree: parse.tree, outcome: parse.outcome },
            }
        };
        parses.into_iter().map(parse).collect()
    }

    fn heads<P: DependencyParser>(
        &self,
        parser: &P,
        sentence: &Sentence,
        k: usize,
        scratch: &mut P::Scratch,
    ) -> Result<Vec<Parse>, Error> {
        let parses = parser.parse_best(&Word::of_sentence(sentence), k, self.confidences, scratch);
        let parse = |parse: DependencyParse| {
            let mut sentence = sentence.clone();
            annotate(&mut sentence, &parse, parser).map_err(|error| Error::Data(error.to_string()))?;
            let DependencyParse { score, confidences, .. } = parse;
            Ok(Parse { analysis: Analysis::Dependencies(sentence), score, confidences })
        };
        parses.into_iter().map(parse).collect()
    }
}

fn push(sentence: &mut Sentence, columns: Columns<'_>) -> Result<(), Error> {
    sentence.push_word(columns).map_err(|error| Error::Data(error.to_string()))
}

/// A word as grammars see it.
fn observation<'s>(word: &Word<'s>, tags: TagUse) -> Observation<'s> {
    let tag = [word.xpos, word.upos].into_iter().find(|tag| !matches!(*tag, "_" | ""));
    match (tags, tag) {
        (TagUse::Given, Some(tag)) => Observation::Tagged(word.form, tag),
        _ => Observation::Word(word.form),
    }
}

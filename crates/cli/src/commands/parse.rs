//! `parse`: load, stream, write.

use std::io::{self, IsTerminal};

use eigentree::Model;
use eigentree::conversion::{Item, items};
use eigentree::corpus::format::conllu::ConlluReader;
use eigentree::corpus::format::plain_text::BlankLines;
use eigentree::dependency_parsing::{DependencyParser, DependencyStreamConfig, parse_dependencies};
use eigentree::files::{Input, Output, STANDARD_STREAM};
use eigentree::learn::Observer;
use eigentree::models::pipeline::Pipeline;
use eigentree::models::{head_automata, lpcfg, mst, pcfg};
use eigentree::parsing::{ParseSink, StreamConfig, TagUse, TreeParser, parse_stream};
use eigentree::reading::{Format, Source};
use eigentree::streaming::Report;
use eigentree::tagging::TextItems;
use serde_json::json;

use super::tag;
use crate::args::{InputKnown, ParseArgs, ParseJob, Wanted, no_tags_in_words};
use crate::failure::UsageError;
use crate::session::{Session, count};

pub(super) fn run(args: ParseArgs, session: &mut Session) -> anyhow::Result<()> {
    let job = args.build()?;
    if job.file.as_os_str() == STANDARD_STREAM && io::stdin().is_terminal() {
        session
            .tell(format_args!("enter one sentence per line, tokens separated by spaces; end with Ctrl-D"));
    }
    session.progress.stage("load", None);
    match Model::open(&job.model)? {
        Model::Pcfg(model) => parse(&pcfg::Parser::new(&model, job.search.pcfg()), &job, session),
        Model::Tagger(_) => {
            anyhow::bail!("{} is a tagger and cannot parse; use it with `tag`", job.model.display())
        }
        Model::Pipeline(pipeline) => match job.wanted {
            Wanted::Phrases if pipeline.grammar.is_some() => parse_text(*pipeline, &job, session),
            _ => tag::annotate(&pipeline, &job.for_pipeline()?, session),
        },
        model @ (Model::Clusters(_) | Model::Sequence(_)) => anyhow::bail!(
            "{} contains {} and cannot parse; use `train lpcfg` or `train mst` to train a parser",
            job.model.display(),
            model.description()
        ),
        Model::Deptree(_) | Model::Reranker(_) => anyhow::bail!(
            "{} scores trees but cannot parse; use `train mst` to train a parser and `rerank` to choose among its trees",
            job.model.display()
        ),
        Model::Lpcfg(model) => parse(&lpcfg::Parser::new(&model, job.search.lpcfg()?), &job, session),
        Model::Mst(model) => parse_conllu(&mst::Parser::new(&model), &job, session),
        Model::HeadAutomata(model) => {
            let parser = head_automata::Parser::new(&model, head_automata::ParserConfig::default());
            parse_conllu(&parser, &job, session)
        }
    }
}

/// Parses CoNLL-U to dependency trees.
fn parse_conllu(parser: &impl DependencyParser, job: &ParseJob, session: &mut Session) -> anyhow::Result<()> {
    if job.wanted == Wanted::Phrases {
        return Err(UsageError(
            "this model produces dependency trees, which need --format conllu; drop the other format"
                .to_owned(),
        )
        .into());
    }
    if job.known == InputKnown::Told && job.stream.input != Format::Conllu {
        return Err(UsageError(
            "this model parses tagged words; give them in CoNLL-U (--input conllu)".to_owned(),
        )
        .into());
    }
    let source = Source::open(&job.file, Some(Format::Conllu))?;
    let name = source.name().to_owned();
    let mut output = Output::create(&job.output)?;
    session.progress.stage("parse", None);
    let config = DependencyStreamConfig {
        trees: job.stream.trees,
        confidences: job.stream.confidences,
        bad_items: job.stream.bad_items,
    };
    let sentences = ConlluReader::new(source, name);
    let report = parse_dependencies(parser, sentences, &config, &mut session.progress, &mut output)?;
    output.finish()?;
    session.progress.end_stage();
    session.skipped(&report.skipped);
    let counts = &report.counts;
    if counts.untagged > 0 {
        session.tell(format_args!(
            "{} of {} without tags; the parser relies on tags, so expect poor trees there",
            counts.untagged,
            count(counts.words as usize, "word"),
        ));
    }
    session.fields(json!({
        "sentences": counts.sentences,
        "words": counts.words,
        "untagged": counts.untagged,
    }));
    Ok(())
}

/// Parses raw text to phrase-structure trees with the grammar of a pipeline. Its tagger runs only if its tags are used.
fn parse_text(pipeline: Pipeline, job: &ParseJob, session: &mut Session) -> anyhow::Result<()> {
    let Pipeline { tokenizer, tagger, grammar, .. } = pipeline;
    let Some(grammar) = grammar else { anyhow::bail!("the pipeline has no grammar") };
    let parser = lpcfg::Parser::new(&grammar, job.search.lpcfg()?);
    if job.known == InputKnown::Told {
        return parse(&parser, job, session);
    }
    let tagger = tagger.filter(|_| job.stream.tags == TagUse::Given);
    let front = Pipeline { tokenizer, tagger, entities: None, parser: None, grammar: None };
    let input = Input::open(&job.file)?;
    let name = input.name().to_owned();
    let mut sink = open_sink(job)?;
    session.progress.stage("parse", None);
    let items = TextItems::new(front, input, name);
    let config = StreamConfig { input: Format::Conllu, ..job.stream };
    let report = parse_stream(&parser, items, &config, &mut session.progress, &mut sink)?;
    sink.finish()?;
    session.progress.end_stage();
    tell(&report, job.search.max_words, session);
    Ok(())
}

fn open_sink(job: &ParseJob) -> anyhow::Result<ParseSink> {
    let sink = ParseSink::new(Output::create(&job.output)?, job.sink)?;
    Ok(match &job.beside {
        Some(beside) => sink.with_confidences_beside(Output::create(beside)?),
        None => sink,
    })
}

fn parse(parser: &impl TreeParser, job: &ParseJob, session: &mut Session) -> anyhow::Result<()> {
    if job.wanted == Wanted::Dependencies {
        return Err(UsageError(
            "this model produces phrase-structure trees; --format conllu applies only to dependency parsers (`train mst`)".to_owned(),
        )
        .into());
    }
    if job.stream.tags == TagUse::Given && job.stream.input == Format::Words {
        return Err(no_tags_in_words().into());
    }
    let source = Source::open(&job.file, Some(job.stream.input))?;
    let mut sink = open_sink(job)?;

    session.progress.stage("parse", None);
    let mut items = items(source, BlankLines::Keep);
    let first = items.next();
    if let (InputKnown::Assumed, Some(Ok(Item::Plain(sentence)))) = (job.known, &first)
        && let Some(format) = format_of_words(&sentence.words().collect::<Vec<_>>())
    {
        session.progress.end_stage();
        session.tell(format_args!(
            "the input is read as words but looks like {format}; if it is, give --input {format}"
        ));
        session.progress.stage("parse", None);
    }
    let items = first.into_iter().chain(items);
    let report = parse_stream(parser, items, &job.stream, &mut session.progress, &mut sink)?;
    sink.finish()?;
    session.progress.end_stage();
    tell(&report, job.search.max_words, session);
    Ok(())
}

/// The format that the first line looks like, if it is not plain words.
fn format_of_words(words: &[&str]) -> Option<&'static str> {
    match words {
        [first, second, ..] if first.starts_with('(') && second.starts_with('(') && second.len() > 1 => {
            Some("ptb")
        }
        ["#", "newdoc" | "newpar" | "sent_id" | "text" | "global.columns", ..] => Some("conllu"),
        ["1" | "1-2", _, _, _, _, _, _, _, _, _] => Some("conllu"),
        _ => None,
    }
}

fn tell(report: &Report, max_words: usize, session: &mut Session) {
    session.skipped(&report.skipped);
    let counts = &report.counts;
    let sentences = count(counts.sentences as usize, "sentence");
    let underived = counts.fallbacks.saturating_sub(counts.too_long);
    if underived > 0 {
        session.tell(format_args!(
            "{underived} of {sentences} not derived by the grammar; their trees are marked FALLBACK"
        ));
    }
    if counts.too_long > 0 {
        session.tell(format_args!(
            "{} of {sentences} longer than {max_words} words (--max-words); their trees are flat and marked FALLBACK",
            counts.too_long
        ));
    }
    if counts.negative > 0 {
        session.tell(format_args!(
            "{} of {sentences} with a negative partition function; parsed with the absolute values of their posteriors",
            counts.negative
        ));
    }
    if counts.unknown_tags > 0 {
        session.tell(format_args!(
            "{} of {} unknown to the model; these words were parsed as if they had no tags",
            count(counts.unknown_tags as usize, "tag"),
            count(counts.words as usize, "word"),
        ));
    }
    if counts.sentences == 0 {
        session.tell(format_args!("the input has no sentences"));
    }
    session.fields(json!({
        "sentences": counts.sentences,
        "words": counts.words,
        "fallbacks": counts.fallbacks,
        "empty": counts.empty,
        "too_long": counts.too_long,
        "unknown_tags": counts.unknown_tags,
        "negative": counts.negative,
    }));
}

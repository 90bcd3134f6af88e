//! `parse`: load, stream, write.

use std::io::{self, IsTerminal};
use std::path::Path;
use std::sync::Arc;

use eigentree::Model;
use eigentree::conversion::{Item, items};
use eigentree::corpus::format::plain_text::BlankLines;
use eigentree::files::{Input, Output, STANDARD_STREAM, check_input, create_folder};
use eigentree::learn::Observer;
use eigentree::models::pipeline::Pipeline;
use eigentree::models::{lpcfg, pcfg};
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
    if job.inputs.first().as_os_str() == STANDARD_STREAM && io::stdin().is_terminal() {
        session
            .tell(format_args!("enter one sentence per line, tokens separated by spaces; end with Ctrl-D"));
    }
    session.progress.stage("load", None);
    let model = Model::open(&job.model)?;
    match &model {
        Model::Pcfg(model) => parse(&pcfg::Parser::new(model, job.search.pcfg()), &job, session),
        Model::Tagger(_) => {
            anyhow::bail!("{} is a tagger and cannot parse; use it with `tag`", job.model.display())
        }
        Model::Pipeline(pipeline) => match (job.wanted, &pipeline.grammar, &pipeline.parser) {
            (Wanted::Phrases | Wanted::Json, Some(_), _) | (Wanted::Words, Some(_), None) => {
                parse_text(pipeline, &job, session)
            }
            _ => tag::annotate(&model, &job.for_pipeline()?, session).map(drop),
        },
        Model::Clusters(_) | Model::Sequence(_) => anyhow::bail!(
            "{} contains {} and cannot parse; use `train lpcfg` or `train mst` to train a parser",
            job.model.display(),
            model.description()
        ),
        Model::Deptree(_) | Model::Reranker(_) => anyhow::bail!(
            "{} scores trees but cannot parse; use `train mst` to train a parser and `rerank` to choose among its trees",
            job.model.display()
        ),
        Model::Lpcfg(model) => parse(&lpcfg::Parser::new(model, job.search.lpcfg()?), &job, session),
        Model::Mst(_) | Model::HeadAutomata(_) => parse_heads(&model, &job, session),
    }
}

/// Parses tagged words to dependency trees.
fn parse_heads(model: &Model, job: &ParseJob, session: &mut Session) -> anyhow::Result<()> {
    if job.wanted == Wanted::Phrases {
        return Err(UsageError(
            "this model produces dependency trees, which need --format conllu, json, jsonl or tsv; drop the other format"
                .to_owned(),
        )
        .into());
    }
    let conll = matches!(job.stream.input, Format::Conllu | Format::Conllx);
    if job.known == InputKnown::Told && !conll {
        return Err(UsageError(
            "this model parses tagged words; give them in CoNLL-U (--input conllu)".to_owned(),
        )
        .into());
    }
    let input = if conll { job.stream.input } else { Format::Conllu };
    let mut words = job.for_words("parse", Some(input));
    if let Model::HeadAutomata(model) = model {
        words.objective = job.search.automata(model, job.stream.trees)?;
    }
    tag::annotate(model, &words, session).map(drop)
}

/// Parses raw text to phrase-structure trees with the grammar of a pipeline. Its tagger runs only if its tags are used.
fn parse_text(pipeline: &Pipeline, job: &ParseJob, session: &mut Session) -> anyhow::Result<()> {
    let Some(grammar) = &pipeline.grammar else { anyhow::bail!("the pipeline has no grammar") };
    let parser = lpcfg::Parser::new(grammar, job.search.lpcfg()?);
    if job.known == InputKnown::Told {
        return parse(&parser, job, session);
    }
    let tagger = pipeline.tagger.clone().filter(|_| job.stream.tags == TagUse::Given);
    let front = Pipeline {
        tokenizer: pipeline.tokenizer.clone(),
        tagger,
        entities: None,
        parser: None,
        grammar: None,
    };
    let front = Arc::new(front);
    let config = StreamConfig { input: Format::Conllu, ..job.stream };
    each_file(job, session, |file, sink, session| {
        let input = Input::open(file)?;
        let name = input.name().to_owned();
        let items = TextItems::new(Arc::clone(&front), input, name);
        Ok(parse_stream(&parser, items, &config, &mut session.progress, sink)?)
    })
}

fn open_sink(job: &ParseJob, output: &Path) -> anyhow::Result<ParseSink> {
    let sink = ParseSink::new(Output::create(output)?, job.sink)?;
    Ok(match job.beside(output) {
        Some(beside) => sink.with_confidences_beside(Output::create(beside)?),
        None => sink,
    })
}

/// Parses each file, all into one output or each into its own, and tells what became of them.
fn each_file(
    job: &ParseJob,
    session: &mut Session,
    mut parse: impl FnMut(&Path, &mut ParseSink, &mut Session) -> anyhow::Result<Report>,
) -> anyhow::Result<()> {
    let documents = job.inputs.documents(job.sink.format)?;
    let mut total = Report::default();
    let mut shared = None;
    if job.inputs.is_one_output() {
        session.data_to(&job.inputs.output);
        // Before long work, so that a path that cannot be written is told at once; but after an input that cannot be read.
        check_input(job.inputs.first())?;
        shared = Some(open_sink(job, &job.inputs.output)?);
    } else if documents.done > 0 {
        session.tell(format_args!("{} parsed already; left out", count(documents.done, "file")));
    }
    session.progress.stage("parse", None);
    for file in &documents.files {
        let mut own = match &file.output {
            Some(output) => {
                if let Some(folder) = output.parent() {
                    create_folder(folder)?;
                }
                Some(open_sink(job, output)?)
            }
            None => None,
        };
        let Some(sink) = own.as_mut().or(shared.as_mut()) else { continue };
        let Report { counts, skipped } = parse(&file.path, sink, session)?;
        total.counts += counts;
        total.skipped.extend(skipped);
        if let Some(own) = own {
            own.finish()?;
        }
    }
    if let Some(shared) = shared {
        shared.finish()?;
    }
    session.progress.end_stage();
    tell(&total, job.search.max_words, session);
    if !job.inputs.is_one_output() {
        session.fields(json!({ "files": documents.files.len(), "left_out": documents.done }));
    }
    Ok(())
}

fn parse(parser: &impl TreeParser, job: &ParseJob, session: &mut Session) -> anyhow::Result<()> {
    if job.stream.tags == TagUse::Given && job.stream.input == Format::Words {
        return Err(no_tags_in_words().into());
    }
    each_file(job, session, |file, sink, session| {
        let source = Source::open(file, Some(job.stream.input))?;
        let mut items = items(source, BlankLines::Keep);
        let first = items.next();
        if let (InputKnown::Assumed, Some(Ok(Item::Plain(sentence)))) = (job.known, &first)
            && let Some(format) = format_of_words(&sentence.words().collect::<Vec<_>>())
        {
            session.tell(format_args!(
                "the input is read as words but looks like {format}; if it is, give --input {format}"
            ));
        }
        let items = first.into_iter().chain(items);
        Ok(parse_stream(parser, items, &job.stream, &mut session.progress, sink)?)
    })
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

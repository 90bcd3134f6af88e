//! `parse`: load, stream, write.

use std::io::{self, IsTerminal};

use eigentree::Model;
use eigentree::conversion::items;
use eigentree::corpus::format::plain_text::BlankLines;
use eigentree::files::{Output, STANDARD_STREAM};
use eigentree::learn::Observer;
use eigentree::models::pcfg::Parser;
use eigentree::parsing::{ParseSink, ParsingReport, parse_stream};
use eigentree::reading::Source;
use serde_json::json;

use crate::args::ParseArgs;
use crate::session::{Session, count};

pub(super) fn run(args: ParseArgs, session: &mut Session) -> anyhow::Result<()> {
    let job = args.build()?;
    if job.file.as_os_str() == STANDARD_STREAM && io::stdin().is_terminal() {
        session.tell(format_args!("type a sentence a line, words and marks between blanks; Ctrl-D ends"));
    }
    session.progress.stage("load", None);
    let Model::Pcfg(model) = Model::open(&job.model)?;
    let source = Source::open(&job.file, Some(job.stream.input.format()))?;
    let mut sink = ParseSink::new(Output::create(&job.output)?, job.sink);

    session.progress.stage("parse", None);
    let parser = Parser::new(&model, job.parser);
    let items = items(source, BlankLines::Keep);
    let report = parse_stream(&parser, items, &job.stream, &mut session.progress, &mut sink)?;
    sink.finish()?;
    session.progress.end_stage();
    tell(&report, session);
    Ok(())
}

fn tell(report: &ParsingReport, session: &mut Session) {
    session.skipped(&report.skipped);
    if report.fallbacks > 0 {
        session.tell(format_args!(
            "{} of {} not derived by the grammar: their trees are marked FALLBACK",
            report.fallbacks,
            count(report.sentences as usize, "sentence"),
        ));
    }
    session.fields(json!({
        "sentences": report.sentences,
        "words": report.words,
        "fallbacks": report.fallbacks,
        "empty": report.empty,
    }));
}

//! `compare clusters`.

use std::io::{Read, Write};
use std::path::Path;

use anyhow::Context;
use eigentree::comparison::clusters::{Data, compare, split};
use eigentree::files::{Input, Output, create_folder};
use eigentree::learn::Observer;

use super::put_plots;
use crate::args::{CompareClustersArgs, ReportStyle};
use crate::session::Session;

/// One line of so many is held out, unless there is another text.
const PART: usize = 10;

pub(super) fn run(args: CompareClustersArgs, session: &mut Session) -> anyhow::Result<()> {
    let job = args.build()?;
    // What cannot be written is known before the long work.
    let mut output = Output::create(&job.output)?;
    if let Some(folder) = &job.plots {
        create_folder(folder)?;
    }
    session.progress.stage("read", None);
    let mut text = Vec::new();
    for path in &job.texts {
        read(path, &mut text)?;
    }
    let mut other = Vec::new();
    if let Some(path) = &job.held_out {
        read(path, &mut other)?;
    }
    let (train, held_out) = match job.held_out {
        Some(_) => (&text[..], &other[..]),
        None => split(&text, PART),
    };
    let meter = session.meter();
    let report = compare(&job.config, &Data { train, held_out }, &mut session.progress, &meter)?;
    session.progress.end_stage();
    let text = match job.format {
        ReportStyle::Text => report.document().to_text(),
        ReportStyle::Markdown => report.document().to_markdown(),
        ReportStyle::Json => report.to_json() + "\n",
    };
    output.write_all(text.as_bytes()).map_err(|error| output.error(error))?;
    if let Some(folder) = &job.plots {
        put_plots(&report.plots(), folder, session)?;
    }
    output.finish()?;
    session.fields(report.to_json_value());
    Ok(())
}

/// Adds the text at `path`, whose last line ends.
fn read(path: &Path, text: &mut Vec<u8>) -> anyhow::Result<()> {
    Input::open(path)?.read_to_end(text).with_context(|| format!("cannot read {}", path.display()))?;
    if text.last().is_some_and(|&byte| byte != b'\n') {
        text.push(b'\n');
    }
    Ok(())
}

//! `compare clusters`.

use std::io::Read;
use std::path::Path;

use anyhow::Context;
use eigentree::comparison::clusters::{Data, compare, split};
use eigentree::files::Input;
use eigentree::learn::Observer;

use super::report::ReportFiles;
use crate::args::CompareClustersArgs;
use crate::session::Session;

/// One line of so many is held out, unless there is another text.
const PART: usize = 10;

pub(super) fn run(args: CompareClustersArgs, session: &mut Session) -> anyhow::Result<()> {
    let job = args.build()?;
    let files = ReportFiles::open(&job.report)?;
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
    files.write(&report.document(), report.to_json_value(), &report.plots(), session)
}

/// Adds the text at `path`, whose last line ends.
fn read(path: &Path, text: &mut Vec<u8>) -> anyhow::Result<()> {
    Input::open(path)?.read_to_end(text).with_context(|| format!("cannot read {}", path.display()))?;
    if text.last().is_some_and(|&byte| byte != b'\n') {
        text.push(b'\n');
    }
    Ok(())
}

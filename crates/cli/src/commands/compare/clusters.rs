//! `compare clusters`.

use std::io::Read;
use std::path::PathBuf;

use anyhow::Context;
use eigentree::comparison::clusters::{Data, compare, split};
use eigentree::files::Input;
use eigentree::learn::Observer;

use super::report::ReportFiles;
use crate::args::CompareClustersArgs;
use crate::session::Session;

/// One line in this many is held out, unless another text is given.
const PART: usize = 10;

pub(super) fn run(args: CompareClustersArgs, session: &mut Session) -> anyhow::Result<()> {
    let job = args.build()?;
    let files = ReportFiles::open(&job.report)?;
    session.progress.stage("read", None);
    let text = read_text(&job.texts)?;
    let other = read_text(job.held_out.as_slice())?;
    let (train, held_out) = match job.held_out {
        Some(_) => (&text[..], &other[..]),
        None => split(&text, PART),
    };
    let meter = session.meter();
    let report = compare(&job.config, &Data { train, held_out }, &mut session.progress, &meter)?;
    session.progress.end_stage();
    files.write(&report.document(), report.to_json_value(), &report.plots(), session)
}

/// The concatenated texts, each ending in a line feed.
pub(super) fn read_text(paths: &[PathBuf]) -> anyhow::Result<Vec<u8>> {
    let mut text = Vec::new();
    for path in paths {
        let read = Input::open(path)?.read_to_end(&mut text);
        read.with_context(|| format!("cannot read {}", path.display()))?;
        if text.last().is_some_and(|&byte| byte != b'\n') {
            text.push(b'\n');
        }
    }
    Ok(text)
}

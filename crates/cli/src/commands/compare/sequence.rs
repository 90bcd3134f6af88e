//! `compare sequence`.

use eigentree::Error;
use eigentree::comparison::sequence::compare;
use eigentree::learn::Observer;
use eigentree::models::sequence::split;
use eigentree::sequences::read_sequences;

use super::report::ReportFiles;
use crate::args::CompareSequenceArgs;
use crate::session::Session;

/// Share of the sequences to hold out, unless others are given.
const SHARE: f64 = 0.1;

pub(super) fn run(args: CompareSequenceArgs, session: &mut Session) -> anyhow::Result<()> {
    let job = args.build(session.seed)?;
    let files = ReportFiles::open(&job.report)?;
    session.progress.stage("read", None);
    let file = read_sequences(&job.data, job.input)?;
    let alphabet = file.alphabet(1);
    let counts = file.counts(&alphabet, &job.data.display().to_string())?;
    let (train, held_out) = match &job.held_out {
        Some(path) => {
            (counts, read_sequences(path, job.input)?.counts(&alphabet, &path.display().to_string())?)
        }
        None => split(&counts, SHARE, session.seed.wrapping_add(1)).map_err(Error::from)?,
    };
    let meter = session.meter();
    let report = compare(&job.config, &train, &held_out, &mut session.progress, &meter)?;
    session.progress.end_stage();
    files.write(&report.document(), report.to_json_value(), &report.plots(), session)
}

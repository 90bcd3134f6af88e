//! `compare shag`.

use eigentree::comparison::shag::{Data, compare};
use eigentree::reading::read_sentences;

use super::report::ReportFiles;
use crate::args::CompareShagArgs;
use crate::session::Session;

pub(super) fn run(args: CompareShagArgs, session: &mut Session) -> anyhow::Result<()> {
    let job = args.build(session.seed)?;
    let files = ReportFiles::open(&job.report)?;
    let train = read_sentences(&job.treebanks, job.bad_items, &mut session.progress)?;
    session.skipped(&train.skipped);
    let dev = read_sentences(&[&job.dev], job.bad_items, &mut session.progress)?;
    session.skipped(&dev.skipped);
    let test = match &job.test {
        None => None,
        Some(path) => {
            let test = read_sentences(&[path], job.bad_items, &mut session.progress)?;
            session.skipped(&test.skipped);
            Some(test.sentences)
        }
    };
    let data = Data { train: &train.sentences, dev: &dev.sentences, test: test.as_deref() };
    let meter = session.meter();
    let report = compare(&job.config, &data, &mut session.progress, &meter)?;
    session.progress.end_stage();
    files.write(&report.document(), report.to_json_value(), &report.plots(), session)
}

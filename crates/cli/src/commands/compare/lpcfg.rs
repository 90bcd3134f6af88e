//! `compare lpcfg`.

use std::path::Path;

use eigentree::comparison::lpcfg::{Data, compare};
use eigentree::corpus::tree::Tree;
use eigentree::learn::Observer;
use eigentree::reading::read_trees;
use eigentree::training::prepare;

use super::report::ReportFiles;
use crate::args::{CompareLpcfgArgs, CompareLpcfgJob};
use crate::session::Session;

pub(super) fn run(args: CompareLpcfgArgs, session: &mut Session) -> anyhow::Result<()> {
    let job = args.build(session.seed)?;
    let files = ReportFiles::open(&job.report)?;
    let train = read(&job.trees, &job, session)?;
    let dev = read(&[&job.dev], &job, session)?;
    let test = job.test.as_ref().map(|path| read(&[path], &job, session)).transpose()?;
    let data = Data { train: &train, dev: &dev, test: test.as_deref() };
    let meter = session.meter();
    let report = compare(&job.config, &data, &mut session.progress, &meter)?;
    session.progress.end_stage();

    files.write(&report.document(), report.to_json_value(), &report.plots(), session)
}

fn read(
    paths: &[impl AsRef<Path>],
    job: &CompareLpcfgJob,
    session: &mut Session,
) -> anyhow::Result<Vec<Tree>> {
    let treebank = read_trees(paths, job.bad_items, &mut session.progress)?;
    session.skipped(&treebank.skipped);
    session.progress.stage("prepare", None);
    Ok(prepare(treebank.trees, job.annotation))
}

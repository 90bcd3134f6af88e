//! `compare lpcfg`.

use std::io::Write;
use std::path::Path;

use eigentree::comparison::lpcfg::{Data, compare};
use eigentree::corpus::tree::Tree;
use eigentree::files::{Output, create_folder};
use eigentree::learn::Observer;
use eigentree::reading::read_trees;
use eigentree::training::prepare;

use super::put_plots;
use crate::args::{CompareLpcfgArgs, CompareLpcfgJob, ReportStyle};
use crate::session::Session;

pub(super) fn run(args: CompareLpcfgArgs, session: &mut Session) -> anyhow::Result<()> {
    let job = args.build(session.seed)?;
    // What cannot be written is known before the long work.
    let mut output = Output::create(&job.output)?;
    if let Some(folder) = &job.plots {
        create_folder(folder)?;
    }
    let train = read(&job.trees, &job, session)?;
    let dev = read(&[&job.dev], &job, session)?;
    let test = job.test.as_ref().map(|path| read(&[path], &job, session)).transpose()?;
    let data = Data { train: &train, dev: &dev, test: test.as_deref() };
    let meter = session.meter();
    let report = compare(&job.config, &data, &mut session.progress, &meter)?;
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

//! `curve` and `crossval`: read, train many times, report.

use std::io::Write;
use std::path::Path;

use eigentree::eval::report::Table;
use eigentree::files::Output;
use eigentree::trials::{TrialData, TrialFamily, cross_validate, learning_curve};
use serde_json::Value;

use crate::args::{CrossvalArgs, CurveArgs, ReportStyle, TrialFiles};
use crate::printable::printable;
use crate::session::Session;

pub(super) fn curve(args: CurveArgs, session: &mut Session) -> anyhow::Result<()> {
    let job = args.build(session.seed)?;
    let output = Output::create(&job.files.output)?;
    let plot = job.plot.as_ref().map(Output::create).transpose()?;
    let data = read(job.config.family, &job.files.data, &job.files, session)?;
    let dev = job.dev.as_ref().map(|path| read(job.config.family, path, &job.files, session)).transpose()?;
    let curve = learning_curve(&data, dev.as_ref(), &job.config, &mut session.progress)?;
    session.progress.end_stage();
    if let Some(mut plot) = plot {
        plot.write_all(curve.to_svg().as_bytes()).map_err(|error| plot.error(error))?;
        plot.finish()?;
    }
    write(output, &job.files, &curve.tables(), &curve.remarks(), curve.to_json(), session)
}

pub(super) fn crossval(args: CrossvalArgs, session: &mut Session) -> anyhow::Result<()> {
    let job = args.build(session.seed)?;
    let output = Output::create(&job.files.output)?;
    let data = read(job.config.family, &job.files.data, &job.files, session)?;
    let result = cross_validate(&data, &job.config, &mut session.progress)?;
    session.progress.end_stage();
    write(output, &job.files, &result.tables(), &result.remarks(), result.to_json(), session)
}

fn read(
    family: TrialFamily,
    path: &Path,
    files: &TrialFiles,
    session: &mut Session,
) -> anyhow::Result<TrialData> {
    let (data, skipped) = TrialData::read(family, path, files.bad_items, &mut session.progress)?;
    session.skipped(&skipped);
    Ok(data)
}

fn write(
    mut output: Output,
    files: &TrialFiles,
    tables: &[Table],
    remarks: &[String],
    json: Value,
    session: &mut Session,
) -> anyhow::Result<()> {
    let remarks: String = remarks.iter().map(|remark| format!("{remark}\n")).collect();
    let text = match files.report {
        ReportStyle::Text => {
            printable(&(tables.iter().map(Table::to_text).collect::<Vec<_>>().join("\n") + "\n" + &remarks))
                .into_owned()
        }
        ReportStyle::Markdown => printable(
            &(tables.iter().map(Table::to_markdown).collect::<Vec<_>>().join("\n") + "\n" + &remarks),
        )
        .into_owned(),
        ReportStyle::Json => format!("{json:#}\n"),
    };
    output.write_all(text.as_bytes()).map_err(|error| output.error(error))?;
    output.finish()?;
    session.fields(json);
    Ok(())
}

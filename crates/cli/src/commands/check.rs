//! `check`: read, check, report.

use std::io::Write;

use eigentree::checking::{Severity, check};
use eigentree::files::Output;
use serde_json::json;

use crate::args::{CheckArgs, CheckStyle, Strictness};
use crate::printable::printable;
use crate::session::{Session, count};

pub(super) fn run(args: CheckArgs, session: &mut Session) -> anyhow::Result<()> {
    let job = args.build()?;
    let mut output = Output::create(&job.output)?;
    let report = check(&job.files, &job.config, &mut session.progress)?;
    session.progress.end_stage();
    let text = match job.report {
        CheckStyle::Text => printable(&report.to_text(job.show)).into_owned(),
        CheckStyle::Json => format!("{:#}\n", report.to_json()),
    };
    output.write_all(text.as_bytes()).map_err(|error| output.error(error))?;
    output.finish()?;
    let (errors, warnings) = (report.count(Severity::Error), report.count(Severity::Warning));
    session.fields(json!({ "errors": errors, "warnings": warnings, "notes": report.count(Severity::Note) }));
    if errors > 0 {
        anyhow::bail!("{} found", count(errors, "error"));
    }
    if warnings > 0 && job.strictness == Strictness::Warnings {
        anyhow::bail!("{} found, and --strict treats them as errors", count(warnings, "warning"));
    }
    Ok(())
}

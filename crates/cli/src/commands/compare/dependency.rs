//! `compare dependency`.

use eigentree::comparison::dependency::{Report, compare};

use super::folders::Folder;
use super::report::ReportFiles;
use crate::args::CompareDependencyArgs;
use crate::session::Session;

pub(super) fn run(args: CompareDependencyArgs, session: &mut Session) -> anyhow::Result<()> {
    let setups = args.setups(session.seed);
    let folders = Folder::find(&args.folders)?;
    let files = ReportFiles::open(&args.report)?;
    let meter = session.meter();
    let mut rows = Vec::new();
    for folder in &folders {
        let treebank = folder.read(session)?;
        rows.push(compare(&treebank, &setups, &mut session.progress, &meter)?);
    }
    session.progress.end_stage();
    let report = Report::new(&setups, rows);
    files.write(&report.document(), report.to_json_value(), &[], session)
}

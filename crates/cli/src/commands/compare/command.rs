//! The driver of all comparisons.

use compare::{Host, Meter};
use eigentree::corpus::error::SyntaxError;
use eigentree::learn::Observer;

use super::report_files::ReportFiles;
use crate::args::CompareArgs;
use crate::session::Session;

pub(in crate::commands) fn run(args: CompareArgs, session: &mut Session) -> anyhow::Result<()> {
    let job = args.build(session.seed)?;
    let files = ReportFiles::open(&job.report)?;
    let comparison = job.experiment.run(session)?;
    session.progress.end_stage();
    files.write(&*comparison, session)
}

impl Host for Session {
    fn instruments(&mut self) -> (&mut dyn Observer, &dyn Meter) {
        (&mut self.progress, &self.meter)
    }

    fn skipped(&mut self, places: &[SyntaxError]) {
        Session::skipped(self, places);
    }
}

//! `compare`: read, compare, report.

mod clusters;
mod lpcfg;
mod report;
mod sequence;

use crate::args::{CompareArgs, CompareFamily};
use crate::session::Session;

pub(super) fn run(args: CompareArgs, session: &mut Session) -> anyhow::Result<()> {
    match args.family {
        CompareFamily::Clusters(args) => clusters::run(*args, session),
        CompareFamily::Lpcfg(args) => lpcfg::run(*args, session),
        CompareFamily::Sequence(args) => sequence::run(*args, session),
    }
}

//! `compare`: read, compare, report.

mod clusters;
mod dependency;
mod lpcfg;
mod report;
mod shag;

use crate::args::{CompareArgs, CompareFamily};
use crate::session::Session;

pub(super) fn run(args: CompareArgs, session: &mut Session) -> anyhow::Result<()> {
    match args.family {
        CompareFamily::Dependency(args) => dependency::run(*args, session),
        CompareFamily::Clusters(args) => clusters::run(*args, session),
        CompareFamily::Lpcfg(args) => lpcfg::run(*args, session),
        CompareFamily::Shag(args) => shag::run(*args, session),
    }
}

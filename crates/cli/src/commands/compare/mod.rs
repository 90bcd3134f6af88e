//! `compare`: read, compare, report.

mod clusters;
mod dependency;
mod deptree;
mod folders;
mod lpcfg;
mod report;
mod sequence;
mod shag;
mod tagging;

use crate::args::{CompareArgs, CompareFamily};
use crate::session::Session;

pub(super) fn run(args: CompareArgs, session: &mut Session) -> anyhow::Result<()> {
    match args.family {
        CompareFamily::Dependency(args) => dependency::run(*args, session),
        CompareFamily::Deptree(args) => deptree::run(*args, session),
        CompareFamily::Clusters(args) => clusters::run(*args, session),
        CompareFamily::Lpcfg(args) => lpcfg::run(*args, session),
        CompareFamily::Shag(args) => shag::run(*args, session),
        CompareFamily::Sequence(args) => sequence::run(*args, session),
        CompareFamily::Tagging(args) => tagging::run(*args, session),
    }
}

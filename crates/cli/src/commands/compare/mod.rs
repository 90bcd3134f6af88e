//! `compare`: read, compare, report.

mod lpcfg;

use crate::args::{CompareArgs, CompareFamily};
use crate::session::Session;

pub(super) fn run(args: CompareArgs, session: &mut Session) -> anyhow::Result<()> {
    match args.family {
        CompareFamily::Lpcfg(args) => lpcfg::run(*args, session),
    }
}

//! `compare`: read, compare, report.

mod clusters;
mod lpcfg;

use std::io::Write;
use std::path::Path;

use eigentree::comparison::Plot;
use eigentree::files::Output;

use crate::args::{CompareArgs, CompareFamily};
use crate::session::Session;

pub(super) fn run(args: CompareArgs, session: &mut Session) -> anyhow::Result<()> {
    match args.family {
        CompareFamily::Clusters(args) => clusters::run(*args, session),
        CompareFamily::Lpcfg(args) => lpcfg::run(*args, session),
    }
}

fn put_plots(plots: &[Plot], folder: &Path, session: &mut Session) -> anyhow::Result<()> {
    for plot in plots {
        let path = folder.join(&plot.file);
        let mut output = Output::create(&path)?;
        output.write_all(plot.svg.as_bytes()).map_err(|error| output.error(error))?;
        output.finish()?;
        session.tell(format_args!("{}", path.display()));
    }
    Ok(())
}

//! The files of a report.

use std::io::Write;
use std::path::PathBuf;

use compare::Comparison;
use eigentree::files::{Output, create_folder};

use crate::args::{ReportArgs, ReportStyle};
use crate::printable::printable;
use crate::session::Session;

/// Output files, opened before the long work so that a bad path fails at once.
pub(super) struct ReportFiles {
    output: Output,
    style: ReportStyle,
    plots: Option<PathBuf>,
}

impl ReportFiles {
    pub(super) fn open(args: &ReportArgs) -> anyhow::Result<Self> {
        let output = Output::create(&args.output)?;
        if let Some(folder) = &args.plots {
            create_folder(folder)?;
        }
        Ok(Self { output, style: args.format, plots: args.plots.clone() })
    }

    /// Writes the report and its plots. The summary of the run gets all figures, too.
    pub(super) fn write(mut self, comparison: &dyn Comparison, session: &mut Session) -> anyhow::Result<()> {
        let json = comparison.to_json();
        let text = match self.style {
            ReportStyle::Text => printable(&comparison.document().to_text()).into_owned(),
            ReportStyle::Markdown => printable(&comparison.document().to_markdown()).into_owned(),
            ReportStyle::Json => format!("{json:#}\n"),
        };
        self.output.write_all(text.as_bytes()).map_err(|error| self.output.error(error))?;
        if let Some(folder) = &self.plots {
            let plots = comparison.plots();
            if plots.is_empty() {
                session.tell(format_args!(
                    "no plots: all runs of this comparison are without figures that can be drawn; the report has them"
                ));
            }
            for plot in plots {
                let path = folder.join(&plot.file);
                let mut output = Output::create(&path)?;
                output.write_all(plot.svg.as_bytes()).map_err(|error| output.error(error))?;
                output.finish()?;
                session.tell(format_args!("{}", path.display()));
            }
        }
        self.output.finish()?;
        session.fields(json);
        Ok(())
    }
}

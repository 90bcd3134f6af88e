//! Where the report of a comparison goes, and in what form.

use std::path::PathBuf;

use clap::Args;

use super::super::eval::ReportStyle;

/// The same for all families.
#[derive(Debug, Args)]
pub(crate) struct ReportArgs {
    /// Where the report goes
    #[arg(long, short, value_name = "FILE", default_value = "-")]
    pub(crate) output: PathBuf,
    /// How the report is written
    #[arg(long, value_enum, value_name = "STYLE", default_value = "text")]
    pub(crate) format: ReportStyle,
    /// A folder for plots as SVG; it is made if need be
    #[arg(long, value_name = "FOLDER")]
    pub(crate) plots: Option<PathBuf>,
}

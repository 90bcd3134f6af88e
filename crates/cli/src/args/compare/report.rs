//! Destination and style of a comparison report.

use std::path::PathBuf;

use clap::Args;

use super::super::eval::ReportStyle;

/// Options shared by all comparisons.
#[derive(Debug, Args)]
pub(crate) struct ReportArgs {
    /// Output file for the report
    #[arg(long, short, value_name = "FILE", default_value = "-")]
    pub(crate) output: PathBuf,
    /// Report style
    #[arg(long, alias = "report", value_enum, value_name = "STYLE", default_value = "text")]
    pub(crate) format: ReportStyle,
    /// Folder for SVG plots; created if missing
    #[arg(long, value_name = "FOLDER")]
    pub(crate) plots: Option<PathBuf>,
}

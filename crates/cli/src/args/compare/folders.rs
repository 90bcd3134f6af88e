//! Treebanks as folders: options shared by comparisons over several treebanks.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

#[derive(Debug, Args)]
pub(crate) struct FolderArgs {
    /// Treebank folders
    #[arg(required = true, value_name = "TREEBANK")]
    pub(crate) folders: Vec<PathBuf>,
    /// The part to parse and score
    #[arg(long, value_enum, value_name = "PART", default_value = "dev", help_heading = "Comparison")]
    pub(crate) on: PartArg,
    /// Parser orders, separated by commas
    #[arg(
        long,
        value_enum,
        value_name = "ORDERS",
        value_delimiter = ',',
        default_value = "first,second",
        help_heading = "Comparison"
    )]
    pub(super) orders: Vec<OrderArg>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum PartArg {
    /// The development part
    Dev,
    /// The test part
    Test,
}

impl PartArg {
    /// File name without extension.
    pub(crate) fn name(self) -> &'static str {
        match self {
            PartArg::Dev => "dev",
            PartArg::Test => "test",
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(super) enum OrderArg {
    /// Single arcs
    First,
    /// Arcs with their siblings and grandparents
    Second,
}

//! Treebanks as folders: what comparisons over several of them share.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

#[derive(Debug, Args)]
pub(crate) struct FolderArgs {
    /// Folders of treebanks
    #[arg(required = true, value_name = "TREEBANK")]
    pub(crate) folders: Vec<PathBuf>,
    /// The part that is parsed
    #[arg(long, value_enum, value_name = "PART", default_value = "dev", help_heading = "Comparison")]
    pub(crate) on: PartArg,
    /// Orders of the parsers, between commas
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
    /// The name of its file without ending.
    pub(crate) fn name(self) -> &'static str {
        match self {
            PartArg::Dev => "dev",
            PartArg::Test => "test",
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(super) enum OrderArg {
    /// Arcs one by one
    First,
    /// Arcs with their neighbours
    Second,
}

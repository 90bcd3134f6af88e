//! Treebanks as folders: options shared by comparisons over several treebanks.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use compare::{Folder, Part};
use eigentree::Error;

#[derive(Debug, Args)]
pub(crate) struct FolderArgs {
    /// Treebank folders
    #[arg(required = true, value_name = "TREEBANK")]
    folders: Vec<PathBuf>,
    /// The part to parse and score
    #[arg(long, value_enum, value_name = "PART", default_value = "dev", help_heading = "Comparison")]
    on: PartArg,
    #[command(flatten)]
    pub(super) parsers: ParserOrders,
}

/// The kinds of parsers to compare.
#[derive(Debug, Args)]
pub(super) struct ParserOrders {
    /// Parser orders, separated by commas [default: first,second; first,siblings with --paper, where there is one]
    #[arg(long, value_enum, value_name = "ORDERS", value_delimiter = ',', help_heading = "Comparison")]
    orders: Vec<OrderArg>,
}

impl ParserOrders {
    /// The orders that were asked for, or these.
    pub(super) fn or(&self, usual: [OrderArg; 2]) -> Vec<OrderArg> {
        if self.orders.is_empty() { usual.to_vec() } else { self.orders.clone() }
    }
}

impl FolderArgs {
    /// The files of all treebanks.
    pub(super) fn find(&self) -> Result<Vec<Folder>, Error> {
        let find = |folder: &PathBuf| Folder::find(folder, self.on.part(), &Folder::TREEBANKS);
        self.folders.iter().map(find).collect()
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum PartArg {
    /// The development part
    Dev,
    /// The test part
    Test,
}

impl PartArg {
    pub(super) fn part(self) -> Part {
        match self {
            PartArg::Dev => Part::Dev,
            PartArg::Test => Part::Test,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(super) enum OrderArg {
    /// Single arcs
    First,
    /// Arcs with their siblings
    Siblings,
    /// Arcs with their siblings and grandparents
    Second,
}

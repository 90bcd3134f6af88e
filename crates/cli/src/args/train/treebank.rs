//! What dependency families learn from, where the model goes, what it is scored on.

use std::path::{Path, PathBuf};

use clap::Args;
use eigentree::reading::BadItems;

use super::super::formats::bad_items;
use super::super::overwrite::refuse_overwriting;
use crate::failure::UsageError;

#[derive(Debug, Args)]
pub(super) struct TreebankArgs {
    /// Files of dependency trees in CoNLL-U; `-` is standard input
    #[arg(required = true, value_name = "TREEBANK")]
    treebanks: Vec<PathBuf>,
    /// Where the model goes
    #[arg(long, short, value_name = "MODEL")]
    output: PathBuf,
    /// Trees to score the model on after training
    #[arg(long, value_name = "TREEBANK")]
    dev: Option<PathBuf>,
    /// Go on after sentences that cannot be read, and report them
    #[arg(long)]
    skip_bad: bool,
}

/// Files, and how they are read.
pub(crate) struct TreebankData {
    pub(crate) treebanks: Vec<PathBuf>,
    pub(crate) output: PathBuf,
    pub(crate) dev: Option<PathBuf>,
    pub(crate) bad_items: BadItems,
}

impl TreebankArgs {
    /// `other` is another input that the model must not replace.
    pub(super) fn build(self, other: Option<&Path>) -> Result<TreebankData, UsageError> {
        let inputs = self.treebanks.iter().chain(&self.dev).map(PathBuf::as_path).chain(other);
        refuse_overwriting(&self.output, inputs)?;
        Ok(TreebankData {
            treebanks: self.treebanks,
            output: self.output,
            dev: self.dev,
            bad_items: bad_items(self.skip_bad),
        })
    }
}

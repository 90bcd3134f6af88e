//! Training trees, model file and development trees of the dependency families.

use std::path::{Path, PathBuf};

use clap::Args;
use eigentree::reading::BadItems;

use super::super::formats::bad_items;
use super::super::overwrite::refuse_overwriting;
use crate::failure::UsageError;

#[derive(Debug, Args)]
pub(super) struct TreebankArgs {
    #[command(flatten)]
    files: TreebankFiles,
    /// Development trees to score after training
    #[arg(long, value_name = "TREEBANK")]
    dev: Option<PathBuf>,
}

/// The same without development trees.
#[derive(Debug, Args)]
pub(super) struct TreebankFiles {
    /// Training trees in CoNLL-U; `-` is standard input
    #[arg(required = true, value_name = "TREEBANK")]
    treebanks: Vec<PathBuf>,
    /// Output file for the model
    #[arg(long, short, value_name = "MODEL")]
    output: PathBuf,
    /// Skip sentences that cannot be read, and report them
    #[arg(long)]
    skip_bad: bool,
}

/// Input and output files, and how to read them.
pub(crate) struct TreebankData {
    pub(crate) treebanks: Vec<PathBuf>,
    pub(crate) output: PathBuf,
    pub(crate) dev: Option<PathBuf>,
    pub(crate) bad_items: BadItems,
}

impl TreebankArgs {
    /// `others` are further inputs that the model must not replace.
    pub(super) fn build<'a>(
        self,
        others: impl IntoIterator<Item = &'a Path>,
    ) -> Result<TreebankData, UsageError> {
        if let Some(dev) = &self.dev {
            refuse_overwriting(&self.files.output, [dev.as_path()])?;
        }
        Ok(TreebankData { dev: self.dev, ..self.files.build(others)? })
    }
}

impl TreebankFiles {
    /// `others` are further inputs that the model must not replace.
    pub(super) fn build<'a>(
        self,
        others: impl IntoIterator<Item = &'a Path>,
    ) -> Result<TreebankData, UsageError> {
        refuse_overwriting(&self.output, others)?;
        refuse_overwriting(&self.output, self.treebanks.iter().map(PathBuf::as_path))?;
        Ok(TreebankData {
            treebanks: self.treebanks,
            output: self.output,
            dev: None,
            bad_items: bad_items(self.skip_bad),
        })
    }
}

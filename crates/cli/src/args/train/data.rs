//! Training trees, model file and development trees of the grammars.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use eigentree::reading::BadItems;
use eigentree::training::Annotation;

use super::super::formats::bad_items;
use super::super::overwrite::refuse_overwriting;
use crate::failure::UsageError;

#[derive(Debug, Args)]
pub(super) struct DataArgs {
    /// Training trees in Penn brackets; `-` is standard input
    #[arg(required = true, value_name = "TREES")]
    trees: Vec<PathBuf>,
    /// Output file for the model
    #[arg(long, short, value_name = "MODEL")]
    output: PathBuf,
    /// Development trees to score after training; they do not influence the model
    #[arg(long, value_name = "TREES")]
    dev: Option<PathBuf>,
    /// Skip trees that cannot be read, and report them
    #[arg(long)]
    skip_bad: bool,
    /// What to do with function tags (NP-SBJ) and empty elements
    #[arg(long, value_enum, value_name = "ACTION", default_value = "remove", help_heading = "Grammar")]
    strip: StripArg,
}

/// Treatment of function tags and empty elements.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(in crate::args) enum StripArg {
    /// Keep them as part of the labels
    Keep,
    /// Remove them before training
    Remove,
}

impl From<StripArg> for Annotation {
    fn from(strip: StripArg) -> Self {
        match strip {
            StripArg::Keep => Annotation::Keep,
            StripArg::Remove => Annotation::Remove,
        }
    }
}

/// Input and output files, and how to read them.
pub(crate) struct TrainData {
    pub(crate) trees: Vec<PathBuf>,
    pub(crate) output: PathBuf,
    pub(crate) dev: Option<PathBuf>,
    pub(crate) bad_items: BadItems,
    pub(crate) annotation: Annotation,
}

impl DataArgs {
    /// `others` are further inputs that the model must not replace.
    pub(super) fn build<'p>(
        self,
        others: impl IntoIterator<Item = &'p Path>,
    ) -> Result<TrainData, UsageError> {
        refuse_overwriting(&self.output, self.trees.iter().chain(&self.dev).map(PathBuf::as_path))?;
        refuse_overwriting(&self.output, others)?;
        Ok(TrainData {
            trees: self.trees,
            output: self.output,
            dev: self.dev,
            bad_items: bad_items(self.skip_bad),
            annotation: self.strip.into(),
        })
    }
}

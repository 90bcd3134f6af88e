//! What is learnt from, where the model goes, what it is scored on.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use eigentree::reading::BadItems;
use eigentree::training::Annotation;

use super::super::formats::bad_items;
use super::super::overwrite::refuse_overwriting;
use crate::failure::UsageError;

#[derive(Debug, Args)]
pub(super) struct DataArgs {
    /// Files of trees in Penn brackets; `-` is standard input
    #[arg(required = true, value_name = "TREES")]
    trees: Vec<PathBuf>,
    /// Where the model goes
    #[arg(long, short, value_name = "MODEL")]
    output: PathBuf,
    /// Trees to score the model on after training; nothing is chosen by them
    #[arg(long, value_name = "TREES")]
    dev: Option<PathBuf>,
    /// Go on after trees that cannot be read, and report them
    #[arg(long)]
    skip_bad: bool,
    /// Function tags (NP-SBJ) and empty elements
    #[arg(long, value_enum, value_name = "WHAT", default_value = "remove", help_heading = "Grammar")]
    strip: StripArg,
}

/// What happens to function tags and empty elements.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(in crate::args) enum StripArg {
    /// They are part of the labels
    Keep,
    /// They are removed before learning
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

/// Files, and how they are read.
pub(crate) struct TrainData {
    pub(crate) trees: Vec<PathBuf>,
    pub(crate) output: PathBuf,
    pub(crate) dev: Option<PathBuf>,
    pub(crate) bad_items: BadItems,
    pub(crate) annotation: Annotation,
}

impl DataArgs {
    /// `other` is another input that the model must not replace.
    pub(super) fn build(self, other: Option<&Path>) -> Result<TrainData, UsageError> {
        let inputs = self.trees.iter().chain(&self.dev).map(PathBuf::as_path);
        refuse_overwriting(&self.output, inputs.chain(other))?;
        Ok(TrainData {
            trees: self.trees,
            output: self.output,
            dev: self.dev,
            bad_items: bad_items(self.skip_bad),
            annotation: self.strip.into(),
        })
    }
}

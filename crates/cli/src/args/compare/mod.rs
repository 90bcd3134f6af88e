//! Options of `compare`, one file per family.

mod clusterings;
mod clusters;
mod dependency;
mod deptree;
mod folders;
mod lpcfg;
mod report;
mod sequence;
mod shag;
mod tagging;

use clap::{Args, Subcommand};

pub(crate) use clusters::CompareClustersArgs;
pub(crate) use dependency::CompareDependencyArgs;
pub(crate) use deptree::CompareDeptreeArgs;
pub(crate) use folders::FolderArgs;
pub(crate) use lpcfg::{CompareLpcfgArgs, CompareLpcfgJob};
pub(crate) use report::ReportArgs;
pub(crate) use sequence::CompareSequenceArgs;
pub(crate) use shag::CompareShagArgs;
pub(crate) use tagging::{CompareTaggingArgs, CompareTaggingJob};

/// Compare the learners of a family on your own data: accuracy, time, memory
///
/// Each subcommand reproduces the comparison of the paper behind its family.
#[derive(Debug, Args)]
#[command(after_help = "\
EXAMPLES
  eigentree compare lpcfg train.ptb --dev dev.ptb --states 2 --em-steps 1,2
  eigentree compare clusters news.txt --clusters 50,100
  eigentree compare dependency treebanks/en_ewt treebanks/nl_lassysmall
  eigentree compare shag train.conllu --dev dev.conllu --states 4,6 --em-iterations 10
  eigentree compare lpcfg --help")]
pub(crate) struct CompareArgs {
    #[command(subcommand)]
    pub(crate) family: CompareFamily,
}

/// The families of models.
#[derive(Debug, Subcommand)]
pub(crate) enum CompareFamily {
    Lpcfg(Box<CompareLpcfgArgs>),
    Clusters(Box<CompareClustersArgs>),
    Dependency(Box<CompareDependencyArgs>),
    Deptree(Box<CompareDeptreeArgs>),
    Shag(Box<CompareShagArgs>),
    Sequence(Box<CompareSequenceArgs>),
    Tagging(Box<CompareTaggingArgs>),
}

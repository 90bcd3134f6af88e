//! `compare`: the families, and the comparison that the options describe.

use clap::{Args, Subcommand};
use compare::Experiment;

use super::clusters::CompareClustersArgs;
use super::dependency::CompareDependencyArgs;
use super::deptree::CompareDeptreeArgs;
use super::head_automata::CompareHeadAutomataArgs;
use super::lpcfg::CompareLpcfgArgs;
use super::recovery::CompareRecoveryArgs;
use super::report::ReportArgs;
use super::select::CompareSelectArgs;
use super::sequence::CompareSequenceArgs;
use super::tagging::CompareTaggingArgs;

/// Compare the learners of a family on your own data: accuracy, time, memory
///
/// Each subcommand reproduces the comparison of the paper behind its family.
#[derive(Debug, Args)]
#[command(after_help = "\
EXAMPLES
  eigentree compare lpcfg train.ptb --dev dev.ptb --states 2 --em-steps 1,2
  eigentree compare clusters news.txt --clusters 50,100
  eigentree compare dependency treebanks/en_ewt treebanks/nl_lassysmall
  eigentree compare head-automata train.conllu --dev dev.conllu --states 4,6 --em-steps 10
  eigentree compare lpcfg --help")]
pub(crate) struct CompareArgs {
    #[command(subcommand)]
    family: CompareFamily,
}

/// The families of models.
#[derive(Debug, Subcommand)]
enum CompareFamily {
    Lpcfg(Box<CompareLpcfgArgs>),
    Clusters(Box<CompareClustersArgs>),
    Dependency(Box<CompareDependencyArgs>),
    Deptree(Box<CompareDeptreeArgs>),
    #[command(visible_alias = "shag")]
    HeadAutomata(Box<CompareHeadAutomataArgs>),
    Sequence(Box<CompareSequenceArgs>),
    Tagging(Box<CompareTaggingArgs>),
    Recovery(Box<CompareRecoveryArgs>),
    Select(Box<CompareSelectArgs>),
}

/// A comparison that is ready to run, and where its report goes.
pub(crate) struct CompareJob {
    pub(crate) report: ReportArgs,
    pub(crate) experiment: Box<dyn Experiment>,
}

impl CompareJob {
    pub(super) fn new(report: ReportArgs, experiment: impl Experiment + 'static) -> Self {
        Self { report, experiment: Box::new(experiment) }
    }
}

impl CompareArgs {
    pub(crate) fn build(self, seed: u64) -> anyhow::Result<CompareJob> {
        Ok(match self.family {
            CompareFamily::Lpcfg(args) => args.build(seed)?,
            CompareFamily::Clusters(args) => args.build()?,
            CompareFamily::Dependency(args) => args.build(seed)?,
            CompareFamily::Deptree(args) => args.build(seed)?,
            CompareFamily::HeadAutomata(args) => args.build(seed)?,
            CompareFamily::Sequence(args) => args.build(seed)?,
            CompareFamily::Tagging(args) => args.build(seed)?,
            CompareFamily::Recovery(args) => args.build(seed),
            CompareFamily::Select(args) => args.build(seed)?,
        })
    }
}

//! Options of `compare`, one file per family.

mod clusterings;
mod clusters;
mod command;
mod dependency;
mod deptree;
mod folders;
mod head_automata;
mod lpcfg;
mod recovery;
mod report;
mod select;
mod sequence;
mod tagging;

pub(crate) use command::CompareArgs;
pub(crate) use report::ReportArgs;

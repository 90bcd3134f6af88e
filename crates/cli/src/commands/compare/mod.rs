//! `compare`: run an experiment, report.

mod command;
mod report_files;

pub(super) use command::run;

//! `train`: read, learn, save, score.

mod command;
mod lpcfg;
mod pcfg;
mod sequence;

pub(super) use command::run;

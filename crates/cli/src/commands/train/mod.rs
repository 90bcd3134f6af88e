//! `train`: read, learn, save, score.

mod command;
mod lpcfg;
mod mst;
mod pcfg;

pub(super) use command::run;

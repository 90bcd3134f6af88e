//! `train`: read, learn, save, score.

mod command;
mod lpcfg;
mod mst;
mod pcfg;
mod shag;

pub(super) use command::run;

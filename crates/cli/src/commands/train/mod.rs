//! `train`: read, learn, save, score.

mod command;
mod deptree;
mod lpcfg;
mod mst;
mod pcfg;
mod reranker;

pub(super) use command::run;

//! `train`: read, learn, save, score.

mod command;
mod deptree;
mod lpcfg;
mod mst;
mod ner;
mod pcfg;
mod pipeline;
mod reranker;
mod sequence;
mod shag;
mod tagger;

pub(super) use command::run;

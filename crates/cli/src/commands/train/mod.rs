//! `train`: read, learn, save, score.

mod command;
mod deptree;
mod lpcfg;
mod mst;
mod pcfg;
mod reranker;
mod ner;
mod pipeline;
mod tagger;

pub(super) use command::run;
